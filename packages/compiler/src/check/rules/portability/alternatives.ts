/** What the core language offers instead of an extended feature, by the name that the binder gives the feature. */
export const alternatives: ReadonlyMap<string, string> = new Map([
  [
    "`_comment`",
    "Comments can stand in a source named `*.app.jsonc`; `configc build --json` takes them out for the upload.",
  ],
  [
    "the command `!switch`",
    "A choice between values is `if … then … else … end` in a `!jq`; a choice between requests has no core form.",
  ],
  ["the command `!error`", 'Stop with `error("…")` in a `!jq`.'],
  ["the command `!print_c`", "Leave it out: it only writes a log entry."],
  ["the command `!extract`", "Build the object in a `!jq`, with `fromjson` where a member is JSON text."],
  [
    "`params` of `!http`",
    "Write the query into `path`: `/items?page=${polling_state.page}`; whole parameter values are encoded there too.",
  ],
  [
    "`headers` of `!http`",
    "The core language sends the connection's credentials and JSON, and no other headers.",
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
    "The core language sends the token as the parameter `cursor`; for another name, page by `polling_state` in a polling intake.",
  ],
  ["`next_page_url` of a pagination parser", "Use `total_pages`, where the API says how many there are."],
  ["`extra` of a cursor style", "Write these parameters into the `path` of the request."],
  ["`extra` of a pagination parser", "Write them into `style`, where `page` and `limitoffset` have `extra`."],
  [
    "`resource_id` of a webhook intake",
    "With the scope `workflow` each registration belongs to one resource.",
  ],
  [
    "`delivery_id` of a webhook intake",
    "Leave it out: the headers by which known senders number their deliveries are found without it.",
  ],
  ["`account_id` of a webhook intake", "With the scope `workflow` each registration belongs to one account."],
]);
