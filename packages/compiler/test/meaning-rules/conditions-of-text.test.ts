import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Conditions that are texts or compare a value with itself, ids and wholes of another step, and what is right although it looks alike. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";
const kinds = {
  "/workflows/0/setup/select/form_fields/1": {
    label: "Kinds",
    id: "kinds",
    type: "multiselect",
    options: [
      { display: "Labour", value: "labour" },
      { display: "Parts", value: "parts" },
    ],
  },
};
const inTarget = (rule: string, steps: readonly unknown[], changes: Record<string, unknown> = {}): string[] =>
  findings(rule, "outbound", { ...changes, [target]: { "!pipe": steps } });
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });

describe("jq/text-as-condition", () => {
  const told = (program: string, comment?: string): string[] =>
    inSource("jq/text-as-condition", program, {
      ...kinds,
      ...(comment === undefined ? {} : { "/workflows/0/data_pipeline/_comment": comment }),
    });
  const words = 'membership: "visitor", "attender" or "member"';

  test.each([
    ["if .membership then {email} else null end", words],
    [". as $p | if $p.membership and .email != null then {email} else null end", words],
    ["if .person.state then {email} else null end", "state is open, won or lost"],
    ["if any(${custom_data.kinds.value}[]; .) then {email} else null end", undefined],
    ["${custom_data.kinds.value} as $k | if any($k[]; .) then {email} else null end", undefined],
  ])("%s", (program, comment) => {
    expect(told(program, comment)).toHaveLength(1);
  });

  test.each([
    ['if .membership == "member" then {email} else null end', words],
    ["if .membership then {email} else null end", `${words}, null for guests`],
    ["if .membership then {email} else null end", `${words}, missing before the first visit`],
    ["if .consent then {email} else null end", words],
    ["if any(.flags[]; .) then {email} else null end", undefined],
    ['if any(${custom_data.kinds.value}[]; . == "parts") then {email} else null end', undefined],
  ])("right: %s (%s)", (program, comment) => {
    expect(told(program, comment)).toEqual([]);
  });
});

describe("jq/constant-operand", () => {
  const told = (condition: string): string[] =>
    inSource("jq/constant-operand", `if ${condition} then {email: .email} else null end`);

  test.each([
    '.state == "paid" or "${custom_data.form.value}"',
    '.state == "paid" or ("${custom_data.form.value}")',
    '"${piped_content.0.state}" or .state == "paid"',
    '.state == "paid" and "\\(.plan)"',
  ])("%s", (condition) => {
    expect(told(condition)).toHaveLength(1);
  });

  test.each([
    '.state == "paid" or .state == "${custom_data.form.value}"',
    '.state == "paid" or .is_open',
    '.state == "paid" or ("${custom_data.form.value}" == "all")',
  ])("right: %s", (condition) => {
    expect(told(condition)).toEqual([]);
  });
});

describe("jq/compared-with-itself", () => {
  const told = (condition: string): string[] =>
    findings("jq/compared-with-itself", "inbound-webhook", {
      ...kinds,
      [source]: {
        "!pipe": [
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [{ "!jq": "{email}" }, { "!jq": "null" }],
            },
          },
        ],
      },
    });

  test.each([
    '.status == "${piped_content.0.status}"',
    ".status == ${piped_content.0.status}",
    "(.owner_id | tostring) == ${piped_content.0.owner_id}",
    "(.kind as $kind | any(${custom_data.kinds.value}[]; $kind == ${piped_content.0.kind}))",
    ".email != null and ${piped_content.0.form.id} != .form.id",
  ])("%s", (condition) => {
    expect(told(condition)).toHaveLength(1);
  });

  test.each([
    '.status == "${custom_data.form.value}"',
    ".status == ${piped_content.0.last_status}",
    "(.email | ascii_downcase) == ${piped_content.0.email}",
    "any(.items[]; .id == ${piped_content.0.id})",
    "(.items[0] | .status == ${piped_content.0.status})",
    ".status == ${piped_content.0.status | default:open}",
  ])("right: %s", (condition) => {
    expect(told(condition)).toEqual([]);
  });
});

describe("pipeline/second-of-one", () => {
  const search = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const told = (jq: string, path: string, otherPath = "/people"): string[] =>
    inTarget("pipeline/second-of-one", [
      search,
      { "!switch": { jq, cases: [post(otherPath, { a: 1 }), post(path, { a: 1 })] } },
    ]);
  const none = "if (.people | length) == 0 then 0 else 1 end";

  test.each([
    [none, "/people/${piped_content.1.people[1].id}"],
    [none, "/people/${piped_content.1.people.1.id}"],
    ["if .people | length > 0 then 1 else 0 end", "/people/${piped_content.1.people[1].id}"],
    ["if (.people | length) == 1 then 1 else 0 end", "/people/${piped_content.1.people[1].id}"],
    ["if .people != [] then 1 else 0 end", "/people/${piped_content.1.people[1].id}"],
  ])("%s %s", (jq, path) => {
    expect(told(jq, path)).toHaveLength(1);
  });

  test.each([
    [none, "/people/${piped_content.1.people[0].id}"],
    [none, "/people/${piped_content.1.people[10].id}"],
    [none, "/people/${piped_content.1.people[0].id}/with/${piped_content.1.people[1].id}"],
    [none, "/people/${piped_content.1.others[1].id}"],
    ["if (.people | length) > 1 then 1 else 0 end", "/people/${piped_content.1.people[1].id}"],
    ["if (.people | length) == 1 then 0 else 1 end", "/people/${piped_content.1.people[1].id}"],
  ])("right: %s %s", (jq, path) => {
    expect(told(jq, path)).toEqual([]);
  });
});

describe("unused/unsent-choice", () => {
  const told = (...last: readonly unknown[]): string[] =>
    inTarget("unused/unsent-choice", [post("/people", { email: "${piped_content.0.email}" }), ...last]);
  const made = { "!jq": "{person: .id, list_id: ${custom_data.list.value}}" };

  test("also before a log entry, and with a variable", () => {
    expect(told(made)).toHaveLength(1);
    expect(told(made, { "!print_c": "Added ${piped_content.1.id}" })).toHaveLength(1);
    expect(told({ "!jq": "${custom_data.list.value} as $l | {person: .id, l: $l}" })).toHaveLength(1);
  });

  test("unless it is sent, logged, read elsewhere, or no choice", () => {
    expect(told(made, post("/entries", "${piped_content.2}"))).toEqual([]);
    expect(told(made, { "!print_c": "Added to ${piped_content.2.list_id}" })).toEqual([]);
    expect(told(post("/lists/${custom_data.list.value}/people", { id: 1 }), made)).toEqual([]);
    expect(told({ "!jq": "{person: .id}" })).toEqual([]);
    expect(told({ "!jq": 'if .id == null then error("none") else ${custom_data.list.value} end' })).toEqual(
      [],
    );
  });
});

describe("pipeline/whole-beside-parts", () => {
  const told = (body: unknown, program = "{wanted_on: (now | todate)}"): string[] =>
    inTarget("pipeline/whole-beside-parts", [{ "!jq": program }, post("/releases", body)]);
  const date = "${piped_content.1.wanted_on}";

  test("where all parts are sent beside it", () => {
    expect(told({ wanted_on: date, consignee: "${piped_content.1}" })).toHaveLength(1);
    expect(told({ consignee: "${piped_content.1}", note: "", on: date })).toHaveLength(1);
    expect(told({ wanted_on: date, consignee: "${piped_content.0}" })).toEqual([]);
    expect(told({ wanted_on: date, raw: "${piped_content.1}" })).toEqual([]);
    const both = "{wanted_on: (now | todate), email: .email}";
    expect(told({ wanted_on: date, consignee: "${piped_content.1}" }, both)).toEqual([]);
  });
});

describe("pipeline/unread-case", () => {
  const told = (found: string, next = "{person_id: .data.id}"): string[] =>
    inTarget("pipeline/unread-case", [
      { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
      {
        "!switch": {
          jq: "if (.data | length) == 0 then 0 else 1 end",
          cases: [post("/people", {}), { "!jq": found }],
        },
      },
      { "!jq": next },
      post("/lists/${custom_data.list.value}", "${piped_content.3}"),
    ]);

  test.each([".data[0]", "{person: .data[0]}", "{found: .data[0], known: true}"])("%s", (found) => {
    expect(told(found)).toHaveLength(1);
  });

  test.each([
    ["{data: .data[0]}", undefined],
    ["{data: .data[0], known: true}", undefined],
    [".data[0]", "{person_id: .id}"],
    [".data[0]", "{person_id: (.data.id // .id)}"],
    [".", undefined],
    ["{person: .data[0]}", "."],
    ["{person: .data[0]}", "{person_id: (.person.id // .data.id)}"],
  ])("right: %s %s", (found, next) => {
    expect(told(found, next)).toEqual([]);
  });
});

describe("value/role-beside", () => {
  const made = { "!jq": "{member_id: .id, payer_id: (.payer_id // .id)}" };
  const told = (...steps: readonly unknown[]): string[] => inTarget("value/role-beside", [made, ...steps]);

  test("of a step that makes both, and of an answer that is read for both", () => {
    expect(told(post("/credits", { payer_id: "${piped_content.1.member_id}" }))).toHaveLength(1);
    const answers = (...bodies: readonly unknown[]) =>
      told(post("/pupils", {}), ...bodies.map((body) => post("/bills", body)));
    const [payer, pupil] = ["${piped_content.2.payer.id}", "${piped_content.2.pupil.id}"];
    expect(answers({ payer_id: payer }, { payer_id: pupil })).toHaveLength(1);
    expect(answers({ payer_id: pupil })).toEqual([]);
    expect(answers({ payer_id: pupil, pupil_id: payer }, { payer_id: payer })).toEqual([]);
    expect(answers({ payer_id: payer }, { pupil_id: pupil })).toEqual([]);
    expect(told(post("/credits", { payer_id: "${piped_content.1.payer_id}" }))).toEqual([]);
    expect(told(post("/credits", { client_ref: "${piped_content.1.member_id}" }))).toEqual([]);
  });
});

describe("expansion/display-for-id", () => {
  const told = (body: unknown, steps: readonly unknown[] = []): string[] =>
    findings("expansion/display-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.lists[] | {display: .name, value: .code}]" }],
      },
      [target]: { "!pipe": [...steps, post("/moves", body)] },
    });
  const made = (program: string) => told("${piped_content.1}", [{ "!jq": program }]);

  test("a member that says more of the field's name, in programs too", () => {
    for (const name of ["list", "target_list", "targetList", "from-list"])
      expect(told({ [name]: "${custom_data.list.display}" })).toEqual(["display"]);
    expect(made("{email: .email, list: ${custom_data.list.display}}")).toEqual(["display"]);
    expect(made('{email: .email, bind: "Lists(${custom_data.list.display})"}')).toEqual(["display"]);
  });

  test("unless it is to be read, or named otherwise", () => {
    for (const name of ["list_name", "listing", "list_title", "headline"])
      expect(told({ [name]: "${custom_data.list.display}" })).toEqual([]);
    expect(told({ target_list: "${custom_data.list.value}" })).toEqual([]);
    expect(made("{email: .email, list_name: ${custom_data.list.display}}")).toEqual([]);
    expect(made('{email: .email, note: "Added (${custom_data.list.display})"}')).toEqual([]);
  });
});

describe("command/exchanged-cases", () => {
  const told = (table: string, paths: readonly string[]): string[] =>
    findings("command/exchanged-cases", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Purpose",
        id: "purpose",
        type: "dropdown",
        options: [
          { display: "Home use (duty is paid)", value: "home_use" },
          { display: "Export", value: "export" },
          { display: "To another bond", value: "transfer" },
        ],
      },
      [target]: {
        "!switch": {
          jq: `${table}["${"${custom_data.purpose.value}"}"]`,
          cases: paths.map((path) => post(path, {})),
        },
      },
    });
  const exchanged = "{home_use: 0, export: 2, transfer: 1}";

  test("one of the two says what it is about, and a third option leads to its own", () => {
    expect(told(exchanged, ["/duty-papers", "/export-papers", "/movements"])).toHaveLength(1);
    expect(
      told("{home_use: 0, export: 1, transfer: 2}", ["/duty-papers", "/export-papers", "/movements"]),
    ).toEqual([]);
    expect(told(exchanged, ["/papers", "/export-papers", "/movements"])).toEqual([]);
    expect(told(exchanged, ["/duty-papers", "/papers", "/movements"])).toEqual([]);
    expect(told(exchanged, ["/duty-papers", "/export-transfers", "/movements"])).toEqual([]);
  });
});

test("value/record-at-hand: a client's id, where the document has clients", () => {
  const told = (id: string, list = "clients"): string[] =>
    inTarget("value/record-at-hand", [
      post(`/${list}`, {}),
      { "!jq": "{client_id: .client.id}" },
      post("/parties", { client_id: id }),
    ]);
  expect(told("${custom_data.list.value}")).toHaveLength(1);
  expect(told("${piped_content.2.client_id}")).toEqual([]);
  expect(told("${custom_data.list.value}", "people")).toEqual([]);
});
