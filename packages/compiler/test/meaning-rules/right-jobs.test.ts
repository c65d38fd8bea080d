import { describe, expect, test } from "vitest";
import { imported, jq, poll, toldOf, type Variant } from "../support/poll-variants.ts";
import { findings } from "../support/rule-findings.ts";

/** Jobs, and filters of imports, that look wrong and are right. */

const state = "${polling_state}";

const exported = (failed: string, waiting: string) => (comment: string) =>
  poll({
    _comment: comment,
    initial_setup: jq("{polling_state: {since: (now - 86400 | floor), job: null}}"),
    pre_poll: {
      "!switch": {
        jq: "if ${polling_state.job} == null then 0 else 1 end",
        cases: [
          {
            "!pipe": [
              { "!http": { method: "POST", path: "/exports", body: { from: "${polling_state.since}" } } },
              jq(`{polling_state: (${state} + {job: .id})}`),
            ],
          },
          jq(`{polling_state: ${state}}`),
        ],
      },
    },
    request: {
      "!pipe": [
        { "!http": { path: "/exports/${polling_state.job}" } },
        jq(
          `if .state == "done" then {results: .rows, iterate: false, polling_state: {since: .until, job: null}} elif .state == "failed" then {results: [], iterate: false, polling_state: ${failed}} else {results: [], iterate: false, polling_state: ${waiting}} end`,
        ),
      ],
    },
  });
const forgotten = `(${state} + {job: null})`;

const variants: readonly Variant[] = [
  [
    "a job that the service tries again",
    "polling/failed-job",
    exported(state, state),
    "A failed export is tried again by the service, under the same id.",
    "A failed export is over.",
  ],
  [
    "a job that is given again",
    "polling/dropped-job",
    exported(forgotten, forgotten),
    "POST /exports gives the export that is being made, as long as one is.",
    "POST /exports begins an export.",
  ],
];

describe("what becomes of a job is right", () => {
  test.each(variants)("%s: %s", (...variant) => {
    expect(toldOf(variant)).toEqual([0, 1]);
  });
});

test("an import that asks for what it keeps", () => {
  const paid = (status: string) =>
    imported({
      "request/!pipe/0/!http/params": { cursor: "${polling_state.cursor}", status },
      "request/!pipe/1/!jq":
        '{results: [.orders[] | select(.status == "paid")], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}',
    });
  expect(findings("polling/filtered-import", "historical-sync", paid("paid"))).toEqual([]);
  expect(findings("polling/filtered-import", "historical-sync", paid("all"))).toHaveLength(1);
});

test("what a registration is saved with", () => {
  const saved = (program: string) =>
    findings("state/unread-saved", "inbound-webhook", { "/data_intake/0/create/!pipe/1/!jq": program });
  expect(saved("{hook_id: .id, form: ${custom_data.form.value}}")).toEqual([]);
  expect(saved("{hook_id: .id, title: ${custom_data.form.display}}")).toEqual([]);
});
