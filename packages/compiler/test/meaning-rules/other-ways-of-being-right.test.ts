import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** What looks like a mistake, and is right in another way: a word means something else, or another step knows better. */

const target = "/workflows/0/data_pipeline/target";
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const inTarget = (
  rule: string,
  steps: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): string[] => findings(rule, "outbound", { ...more, [target]: { "!pipe": steps } });

describe("http/id-at-hand", () => {
  const told = (finished: string): string[] =>
    inPolling("http/id-at-hand", {
      initial_setup: { "!jq": "{polling_state: {export_id: null, finished: null}}" },
      pre_poll: {
        "!pipe": [
          { "!http": { method: "POST", path: "/exports" } },
          { "!jq": `{polling_state: {export_id: .id, finished: ${finished}}}` },
        ],
      },
      request: {
        "!pipe": [
          { "!http": { path: "/exports/${polling_state.export_id}/rows" } },
          { "!jq": "{results: .rows, iterate: false, polling_state: ${polling_state}}" },
        ],
      },
      post_poll: {
        "!pipe": [
          { "!http": { method: "DELETE", path: "/exports/${polling_state.finished}" } },
          { "!jq": "{polling_state: ${polling_state}}" },
        ],
      },
    });
  test.each(["${polling_state.export_id}", ".previous.id", '"\\(.id)"'])("an id: %s", (finished) => {
    expect(told(finished)).toEqual([]);
  });
  test.each([".finished_at", "true", "${polling_state.finished}"])("no id: %s", (finished) => {
    expect(told(finished)).toEqual(["finished"]);
  });
});

describe("polling/answer-as-state", () => {
  const told = (comment: string): string[] =>
    findings("polling/answer-as-state", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/pre_poll": {
        "!pipe": [
          { "!http": { method: "POST", path: "/exports" } },
          { "!jq": "{polling_state: (${polling_state} + {export_id: .id})}" },
        ],
      },
    });
  test.each([
    ["An export answers an empty page past its end.", 0],
    ["POST /exports has an empty answer if nothing changed.", 0],
    ["Rows come in pages. The last one is told by an empty answer.", 0],
    ["DELETE has an empty answer.", 0],
    ["POST /exports answers with nothing.", 1],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});

describe("value/other-unit", () => {
  test.each([
    ["{due_cents: (.total_cents * {good: 80, worn: 50}[.condition] / 100 | floor)}", 0],
    ["{due_cents: (.total_cents * .percent / 100)}", 0],
    ["{due_cents: (.total_cents * $__loc__.line / 100)}", 0],
    ["{fee_cents: (.total_cents * 0.01)}", 0],
    ["{total_cents: (.price_cents * .quantity / 100)}", 1],
    ["{total_cents: (.total_cents * 0.01)}", 1],
    ["{fee_eur: .fee_cents}", 1],
  ])("%s", (program, count) => {
    expect(inSource("value/other-unit", program)).toHaveLength(count);
  });
});

describe("value/label-of-other-code", () => {
  const table = '{a: "Gold", b: "Silver", c: "Bronze"}';
  test.each([
    [`{level: ${table}[.level], next: (if .level == "c" then "Silver" else "" end)}`, 0],
    [`{level: ${table}[.level], next_level: (if .level == "c" then "Silver" else "" end)}`, 0],
    [
      `{level: ${table}[.level], _tags: (if .level == "a" then ["Silver"] elif .level == "b" then ["Silver"] else [] end)}`,
      0,
    ],
    [`{level: ${table}[.member.level], _tags: (if .club.level == "a" then ["Silver"] else [] end)}`, 0],
    [`{level: ${table}[.level], level_group: (if .level == "a" then "Silver" else "Bronze" end)}`, 0],
    [`{level: ${table}[.level], _tags: (if .level == "a" then ["Silver"] else [] end)}`, 1],
    [
      `{level: ${table}[.level], _tags: (if .level == "a" then ["Gold"] elif .level == "c" then ["Silver"] else [] end)}`,
      1,
    ],
  ])("%s", (program, count) => {
    expect(inSource("value/label-of-other-code", program)).toHaveLength(count);
  });

  test.each([
    ['{visible: {hidden: "Shown", shown: "Hidden", mixed: "Mixed"}[.override]}', 0],
    ['{heard: {on: "Off", off: "On", paused: "Paused"}[.muted]}', 0],
    ['{state: {open: "Closed", closed: "Open", new: "New"}[.state]}', 1],
    ['{state: {paused: "Ended", ended: "Paused", new: "New"}[.phase]}', 1],
  ])("exchanged: %s", (program, count) => {
    expect(inSource("value/exchanged-labels", program)).toHaveLength(count);
  });

  test.each([
    [
      `{plan: ${table}[.plan], offer: (if .plan == "c" then "Silver" elif .plan == "b" then "Gold" else "" end)}`,
      0,
    ],
    [
      `{plan: ${table}[.plan], old_plan: (if .plan == "b" then "Gold" elif .plan == "a" then "Silver" else "" end)}`,
      1,
    ],
  ])("two members: %s", (program, count) => {
    expect(inSource("value/crossed-codes", program)).toHaveLength(count);
  });
});

describe("http/latest-of-page", () => {
  const told = (path: string, comment?: string, fields?: unknown): string[] =>
    inTarget(
      "http/latest-of-page",
      [
        {
          ...(comment === undefined ? {} : { _comment: comment }),
          "!http": { path, params: { paid: true } },
        },
        { "!jq": "{order: (.orders | max_by(.paid_at))}" },
        { "!http": { method: "PUT", path: "/orders/${piped_content.2.order.id}", body: { note: "seen" } } },
      ],
      {
        "/api/pagination": {
          style: { type: "page", page_number: { param: "page" } },
          parser: { total_pages: { "!jq": ".pages" } },
        },
        "/workflows/0/setup/select/form_fields/0/options": {
          "!pipe": [
            { "!http": { path: "/lists", pagination: true } },
            { "!jq": "[.lists[] | {display: .name, value: .id}]" },
          ],
        },
        "/workflows/0/setup/map/describe_target/options": fields ?? {
          "!pipe": [
            { "!http": { path: "/fields", pagination: true } },
            { "!jq": "[.fields[] | {title: .name, id: .id}]" },
          ],
        },
      },
    );
  test("all other lists are read to their ends", () => {
    expect(told("/orders")).toHaveLength(1);
    expect(told("/orders", "Orders of all years.")).toHaveLength(1);
  });
  test.each([
    ["/orders", "The newest order comes first."],
    ["/orders", "A contact has few of them, in one answer."],
    ["/order-states", undefined],
  ])("right: %s %s", (path, comment) => {
    expect(told(path, comment)).toEqual([]);
  });
  test("right: another list is short, too", () => {
    const unpaged = {
      "!pipe": [{ "!http": { path: "/fields" } }, { "!jq": "[.fields[] | {title: .name, id: .id}]" }],
    };
    expect(told("/orders", undefined, unpaged)).toEqual([]);
  });
});

test("value/other-answer: what was there before", () => {
  const told = (last: unknown): string[] =>
    inTarget("value/other-answer", [
      { "!http": { path: "/people/find", params: { email: "${piped_content.0.email}" } } },
      post("/cards", { person: "${piped_content.1.person.id}" }),
      last,
    ]);
  const card = "${piped_content.1.card.id}";
  expect(told({ "!http": { method: "DELETE", path: `/cards/${card}` } })).toEqual([]);
  expect(told(post(`/cards/${card}/revoke`, { by: "app" }))).toEqual([]);
  expect(told(post("/letters", { old: card }))).toEqual([]);
  expect(told(post("/letters", { card }))).toEqual(["card"]);
});
