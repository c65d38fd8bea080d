import { describe, expect, test } from "vitest";
import { imported, jq, toldOf, type Variant } from "../support/poll-variants.ts";

/** Ends and beginnings of imports that look wrong and are meant so. */

const state = "${polling_state}";

const ending = (until: string, param: string, comment: string, labels: readonly string[] = ["Orders"]) =>
  imported({
    _comment: comment,
    "/workflows/0/resource_labels": {
      historical_sync_events: labels,
      historical_sync_objects_updated: labels,
    },
    initial_setup: jq(`{polling_state: {cursor: null, until: (${until})}}`),
    "request/!pipe/0/!http/params": { cursor: "${polling_state.cursor}", [param]: "${polling_state.until}" },
    "request/!pipe/1/!jq": `{results: .orders, iterate: (.next_cursor != null), polling_state: (${state} + {cursor: .next_cursor})}`,
  });
const today = 'now | strftime("%Y-%m-%d")';

const imports: readonly Variant[] = [
  [
    "the webhook tells the last day once more",
    "polling/early-end",
    (comment) => ending("now - 86400 | todate", "created_before", comment),
    "When the webhook is registered, the service sends the events of the last 24 hours once more.",
    "The webhook tells what happens from then on.",
  ],
  [
    "it is said to end before",
    "polling/early-end",
    (comment) => ending("now - 3600 | todate", "until", comment),
    "until is an hour before the time of the setup: what is younger can still be changed.",
    "until ends what is read.",
  ],
  [
    "a name with Future in it",
    "polling/early-end",
    (label) => ending(today, "to", "Orders.", [label]),
    "Orders from Future Shop",
    "Future orders",
  ],
  [
    "what is ahead doesn't come",
    "polling/early-end",
    (comment) => ending(today, "to", comment),
    "to is today, so visits that lie ahead don't come by the import.",
    "to is a year ahead.",
  ],
  [
    "what lasts",
    "polling/late-import",
    (comment) =>
      imported({
        _comment: comment,
        initial_setup: jq("{polling_state: {cursor: null, from: (now | todate)}}"),
        "request/!pipe/0/!http/params": {
          cursor: "${polling_state.cursor}",
          terminated_after: "${polling_state.from}",
        },
        "request/!pipe/1/!jq": `{results: .orders, iterate: (.next_cursor != null), polling_state: (${state} + {cursor: .next_cursor})}`,
      }),
    "terminated_after leaves out those whose contract has ended by then.",
    "terminated_after is a time.",
  ],
];

describe("what an import asks for is right", () => {
  test.each(imports)("%s: %s", (...variant) => {
    expect(toldOf(variant, "historical-sync")).toEqual([0, 1]);
  });
});
