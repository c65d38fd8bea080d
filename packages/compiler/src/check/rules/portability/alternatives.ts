/** What the core language offers instead of an extended feature, by the name that the binder gives the feature. */
export const alternatives: ReadonlyMap<string, string> = new Map([
  [
    "`_comment`",
    "A `*.app.jsonc` source may have comments; `configc build --json` removes them for the upload.",
  ],
  [
    "the command `!switch`",
    "To choose between values, use `if … then … else … end` in a `!jq`. The core language can't choose between requests.",
  ],
  ["the command `!error`", 'Stop with `error("…")` in a `!jq`.'],
  ["the command `!print_c`", "Remove it. It only writes a log entry."],
  ["the command `!extract`", "Build the object in a `!jq`, with `fromjson` where a member is JSON text."],
  [
    "`params` of `!http`",
    "Write the query into `path`: `/items?page=${polling_state.page}`. Values are encoded there too.",
  ],
  [
    "`headers` of `!http`",
    "The core language sends the connection's credentials, JSON, and no other headers.",
  ],
  ["`target` of `!http`", "The core language always sends the connection's credentials."],
  ["`HEAD` as `method` of `!http`", "Use `GET`."],
  [
    "a static list as `options` of a form field",
    'Let a command give the list: `{"!jq": "[{display: \\"A\\", value: \\"a\\"}]"}`.',
  ],
  ["`description` of a select step", "Say it in the step's `label`, or in the `help_text` of a field."],
  [
    "`cursor` of a cursor style",
    "The core language sends the token as the parameter `cursor`. For another name, page with `polling_state` in a polling intake.",
  ],
  ["`next_page_url` of a pagination parser", "Use `total_pages` if the API gives it."],
  ["`extra` of a cursor style", "Write these parameters into the `path` of the request."],
  [
    "`extra` of a pagination parser",
    "Write them into the `extra` of `style`, which `page` and `limitoffset` have.",
  ],
  [
    "`resource_id` of a webhook intake",
    "With the scope `workflow` each registration belongs to one resource.",
  ],
  [
    "`delivery_id` of a webhook intake",
    "Remove it. Headers with the delivery ids of known senders are found without it.",
  ],
  ["`account_id` of a webhook intake", "With the scope `workflow` each registration belongs to one account."],
]);
