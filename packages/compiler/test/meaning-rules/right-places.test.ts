import { describe, expect, test } from "vitest";
import { feed, gives, jq, poll, toldOf, type Variant } from "../support/poll-variants.ts";

/** Places in a list that look like another one and are right: by what a comment says, by their own name, or because it is of another request. */

const after = "${polling_state.after}";
const state = "${polling_state}";
const lasting = (comment: string, prepare: string) =>
  feed(
    comment,
    "{token: null, token_at: 0}",
    { token: "${polling_state.token}" },
    gives("{token: .next, token_at: (now | floor)}", "(.next != null)"),
    { pre_poll: jq(prepare) },
  );
const byMember = (member: string) => (comment: string) =>
  feed(comment, "{after: 0}", { after, limit: 50 }, gives(`{after: (.items[-1].${member} // ${after})}`));
const ofCursor = (member: string) => (comment: string) =>
  feed(
    comment,
    "{after: null}",
    { cursor: after, limit: 50 },
    gives(`{after: (.items[-1].${member} // ${after})}`),
  );
const begunAt = (comment: string, name = "oldest") =>
  poll({
    _comment: comment,
    initial_setup: {
      "!pipe": [{ "!http": { path: "/feed/bounds" } }, jq(`{polling_state: {after: .${name}}}`)],
    },
    request: {
      "!pipe": [
        { "!http": { path: "/feed", params: { after, limit: 50 } } },
        jq(gives(`{after: (.items[-1].seq // ${after})}`)),
      ],
    },
  });
const days = (comment: string) =>
  poll({
    _comment: comment,
    initial_setup: jq('{polling_state: {day: "2026-01-01"}}'),
    request: {
      "!pipe": [
        { "!http": { path: "/days", params: { after: "${polling_state.day}", limit: 2 } } },
        {
          "!switch": {
            jq: "if .days == [] then 0 else 1 end",
            cases: [
              jq("{visits: []}"),
              { "!http": { path: "/visits", params: { day: "${piped_content.1.days[0]}" } } },
            ],
          },
        },
        jq(
          '${piped_content.1.days} as $days | {results: .visits, iterate: (($days | length) > 1), polling_state: {day: ($days[0] // (now | strftime("%Y-%m-%d")))}}',
        ),
      ],
    },
  });

const places: readonly Variant[] = [
  [
    "what lives long is another token",
    "polling/documented-lifetime",
    (comment) =>
      lasting(
        comment,
        `{polling_state: (${state} | if .token != null and now - .token_at > 172800 then . + {token: null} else . end)}`,
      ),
    "An access token lives 1 hour, the platform renews it. Page tokens never run out.",
    "A token lives 1 hour.",
  ],
  [
    "a link of an export",
    "polling/documented-lifetime",
    (comment) =>
      feed(
        comment,
        "{export: null, export_at: 0}",
        { export: "${polling_state.export}" },
        gives("{export: .export, export_at: (now | floor)}"),
        {
          pre_poll: jq(
            `{polling_state: (${state} | if .export != null and now - .export_at > 86400 then . + {export: null} else . end)}`,
          ),
        },
      ),
    "An export link lives 1 hour, and we ask for a new one with each cycle.",
    "An export lives 1 hour.",
  ],
  [
    "a session that people come to",
    "polling/documented-lifetime",
    (name) =>
      feed(
        "A session lasts 45 minutes.",
        `{after: 0, ${name}: 0, session_at: 0}`,
        { after, [name]: `\${polling_state.${name}}` },
        gives(`(${state} + {after: (.items[-1].id // ${after})})`),
        {
          pre_poll: jq(
            `{polling_state: (${state} | if now - .session_at > 259200 then . + {${name}: 1} else . + {${name}: 0} end)}`,
          ),
        },
      ),
    "wide",
    "session",
  ],
  [
    "another list",
    "polling/other-number",
    byMember("rank"),
    "GET /audit has entries with seq > after.",
    "GET /items has entries with seq > after.",
  ],
  [
    "an old version",
    "polling/other-number",
    byMember("rank"),
    "Version 1 listed items with seq > after; version 2 has no more of that.",
    "Items with seq > after.",
  ],
  [
    "one thing with two names",
    "polling/other-number",
    byMember("usn"),
    "Items with change_no > after, and in an item that is its usn.",
    "Items with change_no > after, and an item has a usn.",
  ],
  [
    "it goes by that",
    "polling/other-number",
    (comment) =>
      feed(
        comment,
        "{after: 0}",
        { after, limit: 50 },
        gives(`{after: ((.items | last | .meta.id) // ${after})}`),
      ),
    "Every document has a revision. The list goes on behind the id in meta.",
    "Every document has a revision. The list goes on.",
  ],
  [
    "lists in a list",
    "polling/other-number",
    (name) =>
      feed(
        "The records are sorted.",
        "{after: 0}",
        { after, limit: 50 },
        gives(`{after: (.${name}[-1].list_id // ${after})}`, ".more", `.${name}`),
        { path: `/list/\${custom_data.list.value}/${name}` },
      ),
    "lists",
    "people",
  ],
  [
    "an own id",
    "polling/other-number",
    (comment) =>
      feed(comment, "{after: 0}", { after, limit: 50 }, gives(`{after: (.items[-1].list_id // ${after})}`), {
        path: "/list/${custom_data.list.value}/parts",
      }),
    "Each part has its own list_id.",
    "Each part has a list_id.",
  ],
  [
    "one less already",
    "polling/skips-oldest",
    begunAt,
    "oldest is one less than the seq of the first entry.",
    "oldest is the seq of the first entry that exists.",
  ],
  [
    "the oldest one that was sent",
    "polling/skips-oldest",
    (name) => begunAt(`${name} is the seq of an entry that exists.`, name),
    "oldest_sent",
    "oldest_seq",
  ],
  [
    "the day of an answer",
    "polling/other-day",
    (comment) =>
      feed(comment, "{last_day: null}", { to_day: "${polling_state.last_day}" }, gives(`${state}`), {
        pre_poll: jq(`{polling_state: (${state} + {last_day: (now | todate | .[0:10])})}`),
      }),
    "A report's last_day is yesterday.",
    "Our last_day is yesterday.",
  ],
  [
    "a record's own cursor",
    "polling/opaque-place",
    (member) => ofCursor(member)("cursor is opaque."),
    "paging_token",
    "number",
  ],
  [
    "a token of searches alone",
    "polling/opaque-place",
    (comment) =>
      feed(
        comment,
        "{token: null}",
        { token: "${polling_state.token}", limit: 50 },
        gives("{token: (.items[-1].mark // ${polling_state.token})}"),
      ),
    "next_token is only there in searches. A plain list goes on with the mark of its last item.",
    "next_token is only there on some pages.",
  ],
  [
    "the record in a frame",
    "polling/id-of-other",
    (results) =>
      feed(
        "Items.",
        "{after: 0}",
        { after_id: after, order: "id", limit: 50 },
        gives(`{after: ((.items | last | .task.id) // ${after})}`, ".more", results),
      ),
    "[.items[].task]",
    ".items",
  ],
  [
    "what the path lists",
    "polling/id-of-other",
    (path) =>
      feed(
        "Items.",
        "{after: 0}",
        { after_id: after, order: "id", limit: 50 },
        gives(`{after: ((.items | last | .task.id) // ${after})}`),
        { path },
      ),
    "/tasks",
    "/remarks",
  ],
  [
    "a service that remembers the place",
    "polling/flag-as-cursor",
    (begin) =>
      feed(
        "Parts.",
        `{more: ${begin}}`,
        { continue: "${polling_state.more}" },
        gives("{more: .has_more}", ".has_more"),
      ),
    "false",
    "null",
  ],
  [
    "a count of what is left",
    "polling/other-token",
    (asked) =>
      feed(
        "Parts.",
        "{cursor: null}",
        { cursor: "${polling_state.cursor}" },
        gives("{cursor: .cursor}", `(.${asked} != null)`),
      ),
    "next_count",
    "next_cursor",
  ],
  [
    "a link beside its cursor",
    "polling/other-token",
    (comment) =>
      feed(
        comment,
        "{cursor: null}",
        { cursor: "${polling_state.cursor}" },
        gives("{cursor: .paging.cursor}", "(.paging.next != null)"),
      ),
    "paging.next is the whole link to the next page.",
    "paging.next is there if there are more.",
  ],
  [
    "a day that is taken in",
    "polling/skipped-day",
    days,
    "GET /days lists the days from after on, the day itself too.",
    "GET /days lists the days behind after.",
  ],
];

describe("a place in a list is right", () => {
  test.each(places)("%s: %s", (...variant) => {
    expect(toldOf(variant)).toEqual([0, 1]);
  });
});
