import { describe, expect, test } from "vitest";
import { feed, imported, jq, poll, toldOf, type Variant } from "../support/poll-variants.ts";
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

describe("an answer that has what is read", () => {
  const create = (comment: string) => ({
    "/data_intake/0/update": {
      "!http": {
        method: "PUT",
        path: "/hooks/${data.workflow.hook_id}",
        headers: { "x-key": "${data.workflow.hook_key}" },
        body: { url: "${webhook.url}" },
      },
    },
    "/data_intake/0/create": {
      _comment: comment,
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
        jq("{hook_id: .id, hook_key: .key}"),
        { "!http": { method: "POST", path: "/hooks/${piped_content.2.hook_id}/wake" } },
        { "!save": { scope: "workflow" } },
      ],
    },
  });
  test.each([
    ["The answer of wake has hook_id and hook_key again.", 0],
    ["A hook has to be woken.", 1],
  ])("%s", (comment, count) => {
    expect(findings("state/unsaved-made", "inbound-webhook", create(comment))).toHaveLength(count);
  });
});

describe("an exclusive bound, and one time with two names", () => {
  const bound = (comment: string, member: string) =>
    feed(
      comment,
      '{cursor: null, since: "2000-01-01T00:00:00Z"}',
      { cursor: "${polling_state.cursor}", "updated_at[gt]": "${polling_state.since}", sort: "updated_at" },
      `{results: .items, iterate: .more, polling_state: {cursor: .next_cursor, since: (if .more then \${polling_state.since} else ${member} end)}}`,
    );
  const greatest = "([.items[].updated_at, ${polling_state.since}] | max)";
  test.each([
    ["polling/exclusive-watermark", "updated_at is exact to the millisecond.", greatest, 0],
    ["polling/exclusive-watermark", "updated_at is a time.", greatest, 1],
    ["polling/last-for-latest", "Items.", "(.items[-1].revised_at // ${polling_state.since})", 0],
    ["polling/last-for-latest", "Items.", "(.items[-1].opened_at // ${polling_state.since})", 1],
  ])("%s: %s %s", (rule, comment, member, count) => {
    expect(findings(rule, "inbound-polling", bound(comment, member))).toHaveLength(count);
  });
});
