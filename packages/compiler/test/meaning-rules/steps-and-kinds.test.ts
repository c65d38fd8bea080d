import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What steps add, clean and read, and the kinds that comments show: in other words, and what is right although it looks alike. */

const target = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("a field that is added before the object is built anew", () => {
  const optional = {
    "/workflows/0/setup/select/form_fields/1": {
      label: "Courier",
      id: "courier",
      type: "dropdown",
      required: false,
      options: [{ display: "Overnight", value: "overnight" }],
    },
  };
  const chosen = "${custom_data.courier.value | default}";
  const order = { "!jq": "{cafe_id: .id, list: ${custom_data.list.value}}" };
  const find = { "!http": { path: "/cafes", params: { email: "${piped_content.0.email}" } } };
  const add = (program: string, ...then: readonly unknown[]): string[] =>
    target(
      "unused/field-without-effect",
      [
        find,
        { "!jq": program },
        ...then,
        { "!http": { method: "POST", path: "/orders", body: `\${piped_content.${2 + then.length}}` } },
      ],
      optional,
    );

  test.each([
    `if ${chosen} == "" then . else . + {courier: ${chosen}} end`,
    `. + (if ${chosen} == "" then {} else {courier: ${chosen}} end)`,
    `${chosen} as $c | . + {courier: $c}`,
    `.courier = ${chosen}`,
    `if ${chosen} != "" then .courier = ${chosen} else . end`,
    `. * {courier: ${chosen}}`,
    `. + {"courier": ${chosen}}`,
  ])("%s", (program) => {
    expect(add(program, order)).toHaveLength(1);
  });

  test.each([
    [`. + {courier: ${chosen}}`, [{ "!jq": "{cafe_id: .id, courier: .courier}" }]],
    [
      `. + {courier: ${chosen}}`,
      [{ "!jq": '{cafe_id: .id} + (if .courier == "" then {} else {courier} end)' }],
    ],
    [`. + {courier: ${chosen}}`, [{ "!jq": ". + {list: ${custom_data.list.value}}" }]],
    [`. + {courier: ${chosen}}`, [{ "!jq": "{cafe_id: .id, way: ${piped_content.2.courier}}" }]],
    [`. + {courier: ${chosen}}`, [{ "!jq": "del(.name)" }]],
    [`. + {courier: ${chosen}}`, []],
  ])("it is taken: %s", (program, then) => {
    expect(add(program, ...then)).toEqual([]);
  });
});

describe("what a step has cleaned", () => {
  const cleaned = '. + {email: (.email // "" | ascii_downcase)}';
  const guard = {
    "!switch": {
      jq: 'if .email == "" then 0 else 1 end',
      cases: [{ "!error": "No email." }, { "!jq": "." }],
    },
  };
  const post = (body: unknown): unknown => ({ "!http": { method: "POST", path: "/people", body } });
  const told = (...steps: readonly unknown[]): string[] => target("pipeline/superseded-body", steps);

  test.each([
    cleaned,
    '. + {email: (.email | ascii_downcase)} + (if .phone == null then {} else {phone: (.phone | gsub("[^0-9]"; ""))} end)',
    ".email |= ascii_downcase",
    '.email = (.email | ascii_downcase) | .phone |= (. // "")',
  ])("nothing sends it: %s", (program) => {
    expect(told({ "!jq": program }, guard, post({ person: "${piped_content.0}" }))).toEqual([
      "piped_content.0",
    ]);
    expect(told({ "!jq": program }, guard, post("${piped_content.0}"))).toEqual(["piped_content.0"]);
    expect(
      told({ "!jq": program }, { "!print_c": "go" }, post({ data: { attributes: "${piped_content.0}" } })),
    ).toHaveLength(1);
  });

  test.each([
    ["it is sent", [guard, post("${piped_content.1}")]],
    ["it is sent behind the guard", [guard, post({ person: "${piped_content.2}" })]],
    ["another step takes it", [{ "!jq": "{person: .}" }, post("${piped_content.0}")]],
    [
      "a search takes it",
      [
        { "!http": { path: "/people", params: { email: "${piped_content.1.email}" } } },
        post("${piped_content.0}"),
      ],
    ],
    [
      "a case makes something of it",
      [{ "!switch": { jq: "0", cases: [{ "!jq": "{n: .name}" }] } }, post("${piped_content.0}")],
    ],
  ])("%s", (_, steps) => {
    expect(told({ "!jq": cleaned }, ...steps)).toEqual([]);
  });

  test("what is added for the request alone isn't the object's", () => {
    expect(told({ "!jq": '. + {slug: "x"}' }, guard, post("${piped_content.0}"))).toEqual([]);
    expect(told({ "!jq": ". + {email: .email}" }, guard, post("${piped_content.0}"))).toEqual([]);
  });
});

describe("the kind that a comment shows", () => {
  const shown = (program: string, comment: string): string[] =>
    inSource("jq/documented-kind", program, { "/data_intake/0/_comment": comment });
  const record =
    '{id: "912", number: 4711, price: "12.50", tags: ["a"], paid: 12.5 | null, owner: {age: 41}}';

  test.each([
    ['{ref: ("CB-" + .number)}', '"CB-" + .number'],
    ['. as $i | {ref: ("CB-" + $i.number)}', '"CB-" + $i.number'],
    ['{ref: ("CB-" + .["number"])}', '"CB-" + .["number"]'],
    ["{ref: (.number | ascii_upcase)}", "ascii_upcase"],
    ['{ref: (.number | split("-") | first)}', "split"],
    ['if .id == "1" then null else {ref: ("Age " + .owner.age)} end', '"Age " + .owner.age'],
    ['{ref: ("paid " + .paid)}', '"paid " + .paid'],
    ["{total: (.price + 3)}", ".price + 3"],
    ["{total: (.price | floor)}", "floor"],
    ["{total: (.price - 1)}", ".price - 1"],
  ])("%s", (program, marked) => {
    expect(shown(program, record)).toEqual([marked]);
  });

  test.each([
    '{ref: ("CB-" + (.number | tostring))}',
    '{ref: "CB-\\(.number)"}',
    "{total: ((.price | tonumber) + 3)}",
    '{total: (.price + " euros")}',
    "{total: (.number + 1)}",
    '{ref: (if (.number | type) == "string" then .number | ascii_upcase else "" end)}',
    '{ref: (try ("CB-" + .number) catch "")}',
    '{ref: ("CB-" + (.order.number // ""))}',
  ])("right: %s", (program) => {
    expect(
      shown(program, program.includes("order") ? `${record} An order: {number: "A-1"}` : record),
    ).toEqual([]);
  });

  test("a comment that names the kind shows no text", () => {
    expect(shown("{total: (.price + 3)}", '{id: "string", price: "number"}')).toEqual([]);
  });
});

describe("a member that may be null, whatever the state of its record", () => {
  const shown = (program: string, comment: string): string[] =>
    inSource("jq/documented-null", program, { "/data_intake/0/_comment": comment });
  const clean = '(.phone | gsub(" "; ""))';
  const row = '{id, email, phone: "040 77" | null, standing: "full"}';

  test.each([
    [`if .standing == "full" then {phone: ${clean}} else null end`, row],
    [`if .standing == "guest" or .standing == "left" then null else {phone: ${clean}} end`, row],
    [`if (.standing | IN("full", "trial")) then {phone: ${clean}} else null end`, "phone may be null."],
    [`if .standing == "full" then {phone: (.phone | test("^49"))} else null end`, row],
    [
      'if .standing == "full" then {name: (.first_name + " " + (.last_name | ascii_upcase))} else null end',
      '{id, first_name, last_name: "Doe" | null}',
    ],
  ])("%s", (program, comment) => {
    expect(shown(program, comment)).toHaveLength(1);
  });

  test.each([
    [`if .phone then {phone: ${clean}} else null end`, row],
    [`if .has_phone then {phone: ${clean}} else null end`, row],
    [`if .channel == "sms" then {phone: ${clean}} else null end`, row],
    [`if .standing == "full" then {phone: ${clean}} else null end`, "phone is null for guests."],
    [
      `if .standing == "full" then {phone: ${clean}} else null end`,
      `${row} Full members always have a phone.`,
    ],
    [`(.phone != null) as $known | if $known then {phone: ${clean}} else null end`, row],
    [
      'if .state == "ended" then {ended: (.ended_at | fromdate)} else null end',
      '{id, state, ended_at: "2026-01-01T00:00:00Z" | null}',
    ],
  ])("right: %s", (program, comment) => {
    expect(shown(program, comment)).toEqual([]);
  });
});
