import { describe, expect, test } from "vitest";
import { feed, gives, jq, poll, toldOf, type Variant } from "../support/poll-variants.ts";

/** Windows, times and their forms that look wrong and are meant so. */

const state = "${polling_state}";
const since = "${polling_state.since}";
const paged = (more = "page") => `(${state} + {${more}: (\${polling_state.page} + 1)})`;

const day = "(now - 86400 | todate | .[0:10])";
const ofSince = (begin: string, next: string, prepare?: string) => (comment: string) =>
  feed(
    comment,
    `{since: ${begin}}`,
    { updated_since: since, sort: "updated_at" },
    gives(`{since: ${next}}`),
    prepare === undefined ? {} : { pre_poll: jq(prepare) },
  );
const read = `(.items[-1].updated_at // ${since})`;
const iso = ofSince("(now - 86400 | todate)", read);
const reckoned = ofSince(
  "(now - 86400 | todate)",
  `(if .items == [] then ${since} else (.items[-1].updated_at / 1000 | todate) end)`,
);

const window = (comment: string) =>
  feed(
    comment,
    "{page: 1, since: (now - 86400 | todate), until: null}",
    { page: "${polling_state.page}", from: since, to: "${polling_state.until}" },
    gives(paged()),
    {
      pre_poll: jq(`{polling_state: {page: 1, since: ${since}, until: (now - 60 | todate)}}`),
      post_poll: jq("{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"),
    },
  );

const receipt = (body: string, comment: string) =>
  poll({
    initial_setup: jq(
      "(now - 86400 | floor) as $start | {polling_state: {since: $start, until: $start, token: null}}",
    ),
    pre_poll: jq(
      ".polling_state as $s | {polling_state: (if $s.token == null then $s + {until: (now - 300 | floor)} else $s end)}",
    ),
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/items",
            params: {
              changed_from: since,
              changed_to: "${polling_state.until}",
              page_token: "${polling_state.token}",
            },
          },
        },
        jq(
          `${state} as $s | {results: .items, iterate: (.next_page_token != null), polling_state: (if .next_page_token != null then $s + {token: .next_page_token} else $s + {since: $s.until, token: null} end)}`,
        ),
      ],
    },
    post_poll: {
      _comment: comment,
      "!pipe": [
        { "!http": { method: "POST", path: "/apps/me", body: { [body]: "${polling_state.until}" } } },
        jq(`{polling_state: ${state}}`),
      ],
    },
  });

const windows: readonly Variant[] = [
  [
    "an offset that is a time",
    "polling/misplaced-key",
    (comment) =>
      feed(
        comment,
        "{since: (now - 86400 | todate)}",
        { offset: since },
        gives(`{since: (.items[-1].changed_at // ${since})}`),
      ),
    "offset takes the time of the last item that was read.",
    "offset says where to go on.",
  ],
  [
    "ends that are said to be unlike",
    "polling/mixed-ends",
    (comment) =>
      feed(
        comment,
        `{page: 1, start: ${day}, end: (now | floor)}`,
        { page: "${polling_state.page}", start: "${polling_state.start}", end: "${polling_state.end}" },
        gives(paged()),
        { pre_poll: jq(`{polling_state: (${state} + {page: 1, start: ${day}, end: (now | floor)})}`) },
      ),
    "start is a date, end is in Unix seconds.",
    "start is inclusive, end exclusive.",
  ],
  [
    "both kinds are read",
    "polling/mixed-kinds",
    ofSince(
      "(now - 86400 | floor)",
      read,
      `{polling_state: (${state} | if .since == null then {since: (now - 86400 | todate)} else . end)}`,
    ),
    "updated_since takes Unix seconds or an ISO time.",
    "updated_since is when to begin.",
  ],
  [
    "both forms are read",
    "polling/mixed-forms",
    (comment) =>
      feed(
        comment,
        '{page: 1, since: (now - 86400 | strftime("%Y-%m-%d %H:%M:%S"))}',
        { page: "${polling_state.page}", updated_since: since },
        gives(paged()),
        { pre_poll: jq(`{polling_state: (${state} + {page: 1, since: (now - 172800 | todate)})}`) },
      ),
    "updated_since is read in both forms, with a T or with a blank.",
    "updated_since is read by the service.",
  ],
  [
    "an old version's unit",
    "polling/documented-bound",
    iso,
    "Until 2024 updated_since was in milliseconds. It takes an ISO time now.",
    "updated_since is in milliseconds.",
  ],
  [
    "a time that is reckoned into another form",
    "polling/documented-bound",
    reckoned,
    "updated_at of an item is in milliseconds.",
    "updated_since is in milliseconds.",
  ],
  [
    "another list's unit",
    "polling/documented-bound",
    (path) => iso(`GET ${path}: updated_since is in milliseconds.`),
    "/audit",
    "/items",
  ],
  [
    "a warning that is cleared",
    "polling/early-receipt",
    (comment) => receipt("seen_at", comment),
    "Shows that this app still runs, and clears a warning there.",
    "Shows what was read, and clears what is before that.",
  ],
  [
    "a receipt for people",
    "polling/early-receipt",
    (comment) => receipt("read_until", comment),
    "read_until is only shown to people.",
    "read_until says what we have.",
  ],
  [
    "all that lies ahead",
    "polling/clock-watermark",
    (by) =>
      feed(
        "Each cycle reads all of it.",
        "{page: 1, from: (now | todate)}",
        { page: "${polling_state.page}", from: "${polling_state.from}", sort: by },
        gives(paged()),
        { pre_poll: jq("{polling_state: {page: 1, from: (now | todate)}}") },
      ),
    "starts_at",
    "updated_at",
  ],
  [
    "people who are late",
    "polling/clock-watermark",
    window,
    "A guest who is 15 minutes late is no_show.",
    "A visit shows 15 minutes late.",
  ],
  [
    "so long before",
    "polling/clock-watermark",
    window,
    "Prices are published 30 minutes before a sale.",
    "Prices are published with a lag of 30 minutes.",
  ],
  [
    "what is due tomorrow",
    "polling/future-start",
    (param) =>
      feed(
        "Reminders.",
        "{page: 1, from_day: (now + 86400 | todate)}",
        { page: "${polling_state.page}", [param]: "${polling_state.from_day}" },
        gives(paged()),
      ),
    "due_from",
    "changed_from",
  ],
  [
    "the same day in cycles of a day",
    "polling/window-course",
    (form) =>
      feed(
        "Reminders for the day behind tomorrow.",
        `{page: 1, from: (now | todate), to: (${form})}`,
        {
          page: "${polling_state.page}",
          visit_from: "${polling_state.from}",
          visit_to: "${polling_state.to}",
        },
        gives(paged()),
        form.startsWith("now")
          ? { pre_poll: jq(`{polling_state: {page: 1, from: (now | todate), to: (${form})}}`) }
          : { pre_poll: jq(`{polling_state: (${state} + {page: 1, from: (now | todate)})}`) },
      ),
    "now + 172800 | todate | .[0:10]",
    '"2026-01-05"',
  ],
  [
    "an end that is left out",
    "polling/unsent-end",
    (comment) =>
      feed(
        comment,
        "{page: 1, since: (now - 86400 | todate), until: null}",
        { page: "${polling_state.page}", changed_from: since },
        gives(paged()),
        {
          pre_poll: jq(`{polling_state: {page: 1, since: ${since}, until: (now - 60 | todate)}}`),
          post_poll: jq("{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"),
        },
      ),
    "changed_from is inclusive, changed_to exclusive. We leave it out: what comes twice is recognised.",
    "changed_from is inclusive, changed_to exclusive.",
  ],
  [
    "a list that goes down",
    "polling/least-record",
    (comment) =>
      feed(
        comment,
        "{from: 999}",
        { from: "${polling_state.from}", limit: 50 },
        gives("{from: ([${polling_state.from}, .items[].no] | min)}"),
      ),
    "The list goes downwards: from=N gives what has a lower number.",
    "from=N gives what has a higher number.",
  ],
];

describe("a window is right", () => {
  test.each(windows)("%s: %s", (...variant) => {
    expect(toldOf(variant)).toEqual([0, 1]);
  });
});
