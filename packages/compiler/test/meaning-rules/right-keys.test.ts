import { describe, expect, test } from "vitest";
import { feed, gives, jq, poll, toldOf, type Variant } from "../support/poll-variants.ts";

/** Filters, numbers and keys of the state that look wrong and are right. */

const after = "${polling_state.after}";
const state = "${polling_state}";

const sized = (program: string) =>
  poll({
    "/workflows/0/setup/select/form_fields/0/options": {
      "!pipe": [
        { "!http": { path: "/lists", params: { per_page: "100" } } },
        jq("[.lists[] | {display: .title, value: .id}]"),
      ],
    },
    initial_setup: jq("{polling_state: {cursor: null}}"),
    request: {
      "!pipe": [{ "!http": { path: "/people", params: { cursor: "${polling_state.cursor}" } } }, jq(program)],
    },
  });

const standing = (name: string) =>
  feed(
    "Items.",
    `{${name}: 0, after: 0}`,
    { [name]: `\${polling_state.${name}}`, after_id: after },
    gives(`{${name}: \${polling_state.${name}}, after: (.items[-1].id // ${after})}`),
  );

const counted = (key: string) => (comment: string) =>
  feed(
    comment,
    `{${key}: 0}`,
    { [key]: `\${polling_state.${key}}`, rows: 50 },
    gives(`{${key}: (\${polling_state.${key}} + (.items | length))}`),
  );

const deletes = (path: string, comment = "Entries.") => ({
  ...feed(
    comment,
    "{page: 1}",
    { page: "${polling_state.page}" },
    gives("{page: (if .more then ${polling_state.page} + 1 else 1 end)}"),
    {
      path: "/queue",
    },
  ),
  "/workflows/0/data_pipeline/source": {
    "!pipe": [{ "!http": { method: "DELETE", path } }, jq("${piped_content.0} | {email, name, city}")],
  },
});

const variants: readonly Variant[] = [
  [
    "a filter by what was asked for",
    "polling/filtered-place",
    (kind) =>
      feed(
        "Items.",
        "{after: 0}",
        { after, kind, limit: 50 },
        `.items |= map(select(.kind == "person")) | ${gives(`{after: (.items[-1].seq // ${after})}`)}`,
      ),
    "person",
    "",
  ],
  [
    "the same words in another field",
    "polling/narrowed-results",
    (member) =>
      poll({
        "/workflows/0/setup/select/form_fields/0": {
          label: "Language of mails",
          id: "list",
          type: "dropdown",
          options: [
            { display: "German", value: "de" },
            { display: "English", value: "en" },
          ],
        },
        "/workflows/0/data_pipeline/source": jq("{email, name, city, tongue: ${custom_data.list.value}}"),
        initial_setup: jq("{polling_state: {cursor: null}}"),
        request: {
          "!pipe": [
            { "!http": { path: "/items", params: { cursor: "${polling_state.cursor}" } } },
            jq(
              `{results: [.items[] | select(.${member} == "de")], iterate: .more, polling_state: {cursor: (.next // \${polling_state.cursor})}}`,
            ),
          ],
        },
      }),
    "country",
    "language",
  ],
  [
    "a choice that is a tag",
    "polling/narrowed-results",
    (source) =>
      feed(
        "Items.",
        "{cursor: null}",
        { cursor: "${polling_state.cursor}" },
        gives(
          "{cursor: (.end_cursor // ${polling_state.cursor})}",
          ".more",
          "[.items[] | select(.list == ${custom_data.list.value})]",
        ),
        { "/workflows/0/data_pipeline/source": jq(source) },
      ),
    "{email, name, city, _tags: [${custom_data.list.value}]}",
    "if .list == ${custom_data.list.value} then {email, name, city} else null end",
  ],
  [
    "a log of changes",
    "polling/half-moved",
    (path) =>
      feed(
        "Items.",
        "{since: (now - 86400 | todate), after: null}",
        { changed_since: "${polling_state.since}", after_id: after, sort: "id", limit: 50 },
        gives(`{since: \${polling_state.since}, after: (.items[-1].id // ${after})}`),
        { path },
      ),
    "/changes",
    "/people",
  ],
  [
    "a key for people",
    "polling/idle-key",
    (comment) =>
      feed(
        comment,
        "{after: 0, last_run: null}",
        { after },
        gives(`(${state} + {after: (.items[-1].id // ${after})})`),
        {
          post_poll: jq(`{polling_state: (${state} + {last_run: (now | todate)})}`),
        },
      ),
    "last_run is there for support alone.",
    "last_run is a time.",
  ],
  [
    "the lease of a feed",
    "polling/kept-deleted",
    (path) =>
      poll({
        initial_setup: {
          "!pipe": [
            { "!http": { method: "POST", path: "/feeds" } },
            jq("{polling_state: {feed: .id, after: 0}}"),
          ],
        },
        request: {
          "!pipe": [
            { "!http": { path: "/feeds/${polling_state.feed}/entries", params: { after } } },
            jq(gives(`(${state} + {after: (.entries[-1].seq // ${after})})`, ".more", ".entries")),
          ],
        },
        post_poll: {
          "!pipe": [
            { "!http": { method: "DELETE", path: `${path}/\${polling_state.feed}` } },
            jq(`{polling_state: {feed: \${polling_state.feed}, after: ${after}}}`),
          ],
        },
      }),
    "/leases",
    "/feeds",
  ],
  [
    "ids in the order of creation",
    "polling/last-for-latest",
    (time) =>
      feed(
        "Items.",
        "{page: 1, since: (now - 86400 | todate)}",
        { page: "${polling_state.page}", [`${time}_after`]: "${polling_state.since}", sort: "id" },
        gives(
          `{page: (if .more then \${polling_state.page} + 1 else 1 end), since: (if .more then \${polling_state.since} else (.items[-1].${time}_at // \${polling_state.since}) end)}`,
        ),
      ),
    "created",
    "updated",
  ],
  [
    "a number that is a time",
    "polling/time-for-number",
    (comment) =>
      feed(
        comment,
        "{last_no: (now | floor)}",
        { after: "${polling_state.last_no}" },
        gives("{last_no: (.items[-1].no // ${polling_state.last_no})}"),
      ),
    "no is the time in seconds at which it was made.",
    "no counts the items.",
  ],
  [
    "a service that knows the place",
    "polling/cursor-of-empty-page",
    (comment) => feed(comment, "{after: null}", { after }, gives("{after: .page.end}")),
    "end is null if the page is empty; a request without after goes on where this app stopped.",
    "end is null if the page is empty.",
  ],
  [
    "a word that isn't the member",
    "polling/cursor-of-empty-page",
    (comment) => feed(comment, "{after: null}", { after }, gives("{after: .page.end}")),
    "At the end of an empty list there is no bell.",
    "An empty page has no end.",
  ],
  [
    "a count of rows",
    "polling/numbers-with-gaps",
    counted("from_row"),
    "Numbers of invoices have gaps; from_row counts rows.",
    "Numbers have gaps.",
  ],
  [
    "one ahead",
    "polling/skipped-ahead",
    (comment) =>
      feed(
        comment,
        "{from: 0}",
        { from: "${polling_state.from}" },
        gives("{from: (.next_seq // ${polling_state.from})}"),
      ),
    "next_seq is one ahead of the last item.",
    "next_seq may be ahead of the last item.",
  ],
  ["a flag", "polling/standing-cursor", standing, "skip_deleted", "skip"],
  ["an offset of times", "polling/standing-cursor", standing, "utc_offset", "list_offset"],
  ["a token of a room", "polling/standing-cursor", standing, "room_token", "page_token"],
  [
    "the length of a text",
    "polling/unasked-size",
    (length) => sized(`{results: .people, iterate: (${length}), polling_state: {cursor: .next}}`),
    "((.warnings // []) | length) < 20",
    "(.people | length) == 100",
  ],
  [
    "the id of a lock",
    "polling/shrinking-list",
    deletes,
    "/queue/${piped_content.0.lock_id}",
    "/queue/${piped_content.0.id}",
  ],
  [
    "what stays in the list",
    "polling/shrinking-list",
    (comment) => deletes("/queue/${piped_content.0.id}", comment),
    "A deleted entry stays in the list until the night.",
    "An entry has an id.",
  ],
];

describe("what a poll does with filters and its state is right", () => {
  test.each(variants)("%s: %s", (...variant) => {
    expect(toldOf(variant)).toEqual([0, 1]);
  });
});
