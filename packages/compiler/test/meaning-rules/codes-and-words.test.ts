import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings, inSource } from "../support/rule-findings.ts";

/** Codes where ids are wanted, and words that comments list in other ways. */

const target = "/workflows/0/data_pipeline/target";

describe("value/code-for-id", () => {
  const told = (program: string, path: string): string[] =>
    findings("value/code-for-id", "outbound", {
      [target]: {
        "!pipe": [
          { "!http": { path: "/meters", params: { email: "${piped_content.0.email}" } } },
          { "!jq": program },
          { "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } } },
        ],
      },
    });
  const visits = "/meters/${piped_content.2.meter_id}/visits";

  test.each([
    ["a number", "{meter_id: .meters[0].number}", visits, [".meters[0].number"]],
    ["as text", "{meter_id: (.meters[0].code | tostring)}", visits, [".meters[0].code | tostring"]],
    ["of one", ".meters[0] | {meter_id: .serial, email: .email}", visits, [".serial"]],
    [
      "in camel case",
      "{meterId: .meters[0].sku}",
      "/meters/${piped_content.2.meterId}/visits",
      [".meters[0].sku"],
    ],
    ["right: its id", "{meter_id: .meters[0].id}", visits, []],
    ["right: no path asks for it", "{meter_id: .meters[0].number}", "/visits", []],
    [
      "right: a path of numbers",
      "{meter_number: .meters[0].number}",
      "/meters/${piped_content.2.meter_number}",
      [],
    ],
    [
      "right: another record's path",
      "{meter_id: .meters[0].number, site_id: .meters[0].site_id}",
      "/sites/${piped_content.2.site_id}",
      [],
    ],
  ])("%s", (_, program, path, expected) => {
    expect(told(program, path)).toEqual(expected);
  });
});

describe("jq/sum-of-nothing", () => {
  const told = (comment: string, program: string): string[] =>
    findings("jq/sum-of-nothing", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { _comment: comment, "!jq": program },
    });

  test.each([
    ["parts is a list, maybe empty.", "{email, cost: ([.parts[].price] | add / 100)}", 1],
    ["lines may be empty.", "{email, cost: (.lines | map(.total) | add / 100)}", 1],
    ["nights may be empty.", "{email, price: ([.nights[] | .price] | (max / 100) | round)}", 0],
    ["parts is a list, maybe empty.", "{email, cost: ([.parts[].price] | (add // 0) / 100)}", 0],
    ["parts is a list, maybe empty.", "{email, cost: ([.parts[].price] | add)}", 0],
    ["parts is a list.", "{email, cost: ([.parts[].price] | add / 100)}", 0],
    ["notes may be empty.", "{email, cost: ([.parts[].price] | add / 100)}", 0],
    [
      "parts is a list, maybe empty.",
      "{email, cost: (if (.parts | length) > 0 then ([.parts[].price] | add / 100) else null end)}",
      0,
    ],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("value/undocumented-word", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("value/undocumented-word", program, { "/data_intake/0/_comment": comment });

  test.each([
    [
      "kind may be repeated and takes private, business or relocation.",
      'select(.kind == "company") | {email}',
      1,
    ],
    ["States: new, planned, on_site, done.", 'select(.state == "finished") | {email}', 1],
    [
      "area, one of stalls, balcony, backstage, where none is stalls.",
      'select(.area == "circle") | {email}',
      1,
    ],
    ["enum VisitState { BOOKED OPEN CLOSED }", 'select(.state == "COMPLETED") | {email}', 1],
    [
      "quality is measured, estimated or corrected.",
      "{email, q: {measured: 1, estimated: 2, adjusted: 3}[.quality]}",
      1,
    ],
    [
      "kind may be repeated and takes private, business or relocation.",
      'select(.kind == "business") | {email}',
      0,
    ],
    ["States: new, planned, on_site, done.", 'select(.state == "done") | {email}', 0],
    ["States: new, planned, on_site, done and more.", 'select(.state == "finished") | {email}', 0],
    ["enum VisitState { BOOKED OPEN CLOSED }", 'select(.state == "CLOSED") | {email}', 0],
    // A claim has other states than its policy.
    [
      "state is offered, active or lapsed.",
      '[.claims[] | select(.state != "withdrawn")] as $c | {email, on: (.state == "active"), open: ([$c[] | select(.state | IN("reported", "reopened"))] | length)}',
      0,
    ],
    [
      "state is offered, active or lapsed.",
      '[.claims[] | select(.state != "withdrawn")] as $c | {email, on: (.state == "active"), open: ([$c[] | select(.state | IN("offered", "reopened"))] | length)}',
      2,
    ],
    // Two types of that name: nothing is said of `state`.
    ["enum VisitState { BOOKED OPEN } enum BillState { DUE PAID }", 'select(.state == "PAID") | {email}', 0],
    [
      "quality is measured, estimated or corrected.",
      "{email, q: {measured: 1, estimated: 2, corrected: 3}[.quality]}",
      0,
    ],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("command/exchanged-cases", () => {
  const cases = [
    { "!http": { method: "POST", path: "/text-messages", body: { content: "Hello" } } },
    { "!http": { method: "POST", path: "/letters", body: { content: "Hello" } } },
  ];
  const told = (jq: string): string[] =>
    findings("command/exchanged-cases", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("channel", {
        sms: "Text message",
        letter: "Letter",
      }),
      [target]: { "!switch": { jq, cases } },
    });

  test.each([
    ['{"letter": 0, "sms": 1}[${custom_data.channel.value}]', 1],
    ['["letter", "text"] | index(.kind)', 1],
    ['["letter", "text"] | index(.kind) // 0', 1],
    ['{"letter": 0, "text": 1}[.kind]', 1],
    ['{"sms": 0, "letter": 1}[${custom_data.channel.value}]', 0],
    ['["text", "letter"] | index(.kind)', 0],
    ['{"text": 0, "letter": 1}[.kind]', 0],
    ['["first", "second"] | index(.kind)', 0],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });
});

describe("a code as the value of an option", () => {
  const told = (value: string, other: string, member: string): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/lists" } },
          { "!jq": `[.lists[] | {display: .title, value: .${other}}]` },
        ],
      },
      "/workflows/0/setup/select/form_fields/1": {
        label: "Plan",
        id: "plan",
        type: "dropdown",
        options: {
          "!pipe": [
            { "!http": { path: "/plans" } },
            { "!jq": `[.plans[] | {display: .title, value: .${value}}]` },
          ],
        },
      },
      [target]: {
        "!http": {
          method: "POST",
          path: "/lists/${custom_data.list.value}/people",
          body: { email: "${piped_content.0.email}", [member]: "${custom_data.plan.value}" },
        },
      },
    });

  test.each([
    ["code", "id", "plan_id", 1],
    ["number", "id", "planId", 1],
    ["id", "id", "plan_id", 0],
    ["code", "id", "plan", 0],
    ["code", "code", "plan_id", 0],
    ["slug", "id", "plan_slug", 0],
  ])(".%s beside .%s, sent as %s", (value, other, member, count) => {
    expect(told(value, other, member)).toHaveLength(count);
  });
});
