import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What steps take of the ones before: the same kind of mistake in other words, and what is right although it looks alike. */

describe("pipeline/written-back", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/written-back", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [lookup, ...steps] },
    });
  const put = (path: string, body: unknown) => ({ "!http": { method: "PUT", path, body } });

  test("by way of a program", () => {
    const program = { "!jq": ".people[0] | {id: .id, fields: {name: .name, city: .city}}" };
    expect(told(program, put("/people/${piped_content.2.id}", "${piped_content.2.fields}"))).toEqual([
      "${piped_content.2.fields}",
    ]);
  });

  test.each([
    [
      "what the customer mapped",
      put("/people/${piped_content.1.people[0].id}", { name: "${piped_content.0.email}" }),
    ],
    [
      "a constant",
      put("/people/${piped_content.1.people[0].id}", {
        state: "active",
        name: "${piped_content.1.people[0].name}",
      }),
    ],
    [
      "another record",
      put("/lists/${custom_data.list.value}", { person: "${piped_content.1.people[0].id}" }),
    ],
    [
      "ids only",
      put("/members/${piped_content.1.people[0].id}", { person_id: "${piped_content.1.people[0].id}" }),
    ],
  ])("is right with %s", (_, request) => {
    expect(told(request)).toEqual([]);
  });
});

describe("pipeline/raw-value", () => {
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/raw-value", "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const program = (form: string) => ({ "!jq": `{id: .people[0].id, form: ${form}}` });
  const filled = "(${piped_content.0} | with_entries(select(.value != null)))";
  const put = (body: unknown) => ({
    "!http": { method: "PUT", path: "/people/${piped_content.2.id}", body },
  });

  test("as the whole body, or under the name of what was made", () => {
    expect(told(lookup, program(filled), put("${piped_content.0}"))).toEqual(["${piped_content.0}"]);
    expect(told(lookup, program(filled), put({ form: "${piped_content.0}" }))).toEqual([
      "${piped_content.0}",
    ]);
  });

  test("as a list of pairs in one case only", () => {
    const pairs = program("(${piped_content.0} | to_entries)");
    const cases = (form: string) => ({
      "!switch": {
        jq: "if .id == null then 0 else 1 end",
        cases: [
          { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}", form } } },
          put({ form: "${piped_content.2.form}" }),
        ],
      },
    });
    expect(told(lookup, pairs, cases("${piped_content.0}"))).toEqual(["${piped_content.0}"]);
    expect(told(lookup, pairs, cases("${piped_content.2.form}"))).toEqual([]);
    // New records may get all, and known ones what isn't empty.
    expect(told(lookup, program(filled), cases("${piped_content.0}"))).toEqual([]);
  });

  test("is right where what was made is sent, too", () => {
    const both = put({ all: "${piped_content.0}", form: "${piped_content.2.form}" });
    expect(told(lookup, program(filled), both)).toEqual([]);
  });
});

describe("pipeline/input-of-step", () => {
  const told = (first: string, second: string): string[] =>
    findings("pipeline/input-of-step", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": [{ "!jq": first }, { "!jq": second }] },
    });
  const made = "{email: .person.email} + (reduce .person.own[] as $o ({}; .[$o.key] = $o.value))";

  test("of members that a program collects", () => {
    expect(told(made, ". + {city: ${piped_content.1.person.city}}")).toEqual(["1"]);
    expect(told(made, ". + {city: ${piped_content.0.person.city}}")).toEqual([]);
    expect(told(made, ". + {city: ${piped_content.1.own.city}}")).toEqual([]);
    expect(told(`. + ${made}`, ". + {city: ${piped_content.1.person.city}}")).toEqual([]);
  });
});

describe("unused/step-output: a name that nothing reads", () => {
  const told = (program: string): string[] =>
    findings("unused/step-output", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/people/${piped_content.0.id}" } },
          { "!jq": '.answers | with_entries(.key |= "a_" + .)' },
          { "!jq": program },
        ],
      },
    });

  test.each([
    ". as $answers | ${piped_content.0} | {email}",
    "${piped_content.0} as $event | . as $answers | {email: $event.email}",
    ".all as $answers | {email: ${piped_content.0.email}}",
    ". as $answers | ${piped_content.2} as $other | {email: ${piped_content.0.email}}",
  ])("%s", (program) => {
    expect(told(program)).toEqual(['"!jq"']);
  });

  test.each([
    ". as $answers | ${piped_content.0} | {email} + $answers",
    "${piped_content.2} as $other | {email: ${piped_content.0.email}} + $other",
    // As many outputs as there are answers.
    "[.[] as $each | {email: ${piped_content.0.email}}] | first",
    ". as {$a} | ${piped_content.0} | {email, a: $a}",
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("unused/unread-choice", () => {
  const told = (program: string, list = "x"): string[] =>
    findings("unused/unread-choice", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/people", body: { all: "${piped_content.1}", list } } },
        ],
      },
    });

  test.each([
    "${custom_data.list.value} as $list | {email}",
    ". as $in | ${custom_data.list.value} as $l | {e: $in.email}",
  ])("%s", (program) => {
    expect(told(program)).toEqual(["${custom_data.list.value}"]);
  });

  test.each<[string, string?]>([
    ["${custom_data.list.value} as $list | {email, list: $list}"],
    ["${custom_data.list.value} as $list | {email}", "${custom_data.list.value}"],
    ["(${custom_data.list.value} | tonumber) as $list | {email, l: ${custom_data.list.value}}"],
  ])("right: %s", (program, list) => {
    expect(told(program, list)).toEqual([]);
  });
});

describe("pipeline/written-back: what another request of the record answered", () => {
  const record = "/people/${piped_content.1.people[0].id}";
  const told = (path: string, method: string, person: string): string[] =>
    findings("pipeline/written-back", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!http": { method, path } },
          { "!http": { method: "PATCH", path: record, body: { person } } },
        ],
      },
    });

  test.each([
    [`${record}/restore`, "POST"],
    [record, "GET"],
  ])("%s", (path, method) => {
    expect(told(path, method, "${piped_content.2.person}")).toEqual(["${piped_content.2.person}"]);
  });

  test("is right where something else is sent, or it is of another record", () => {
    expect(told(`${record}/restore`, "POST", "${piped_content.0.person}")).toEqual([]);
    expect(told("/templates/first", "GET", "${piped_content.2.person}")).toEqual([]);
  });
});

describe("unused/step-output: the last step passes over the one before it", () => {
  const source = (...steps: readonly object[]): string[] =>
    findings("unused/step-output", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": steps },
    });
  const filter = { "!jq": "if .order.email == null then null else . end" };
  const unwrap = { "!jq": ".order" };
  const target = (...steps: readonly object[]): string[] =>
    findings("unused/step-output", "outbound", {
      "/workflows/0/setup/map/describe_target/options": { "!pipe": steps },
    });
  const fields = { "!resource": "PlatformContact.fields" };
  const accounts = { "!resource": "PlatformAccount.fields" };
  const grouped = { "!jq": 'map(. + {group: "contact"})' };

  test.each([
    [
      "a power of ten",
      "${piped_content.1} as $b | {email: $b.email, paid: ($b.minor / pow(10; $b.exponent))}",
    ],
    ["the first of several", "${piped_content.1} as $b | {email: $b.email, tag: first($b.tags[])}"],
    ["any of a list", '${piped_content.1} as $b | {email: $b.email, vip: any($b.tags[]; . == "vip")}'],
  ])("in a program with %s", (_, program) => {
    expect(source(unwrap, filter, { "!jq": program })).toEqual(['"!jq"']);
  });

  test("by each case of a switch, and by a pipe", () => {
    const made = { "!jq": "${piped_content.1} | {email}" };
    const chosen = {
      "!switch": { jq: "${piped_content.1.vip} | if . then 0 else 1 end", cases: [made, made] },
    };
    expect(source(unwrap, filter, chosen)).toEqual(['"!jq"']);
    const inner = [{ "!http": { path: "/me" } }, { "!jq": "{email}" }];
    expect(source(unwrap, filter, { "!pipe": inner })).toEqual(['"!jq"']);
  });

  test("by the fields of a resource, which take nothing", () => {
    expect(target(fields, grouped, accounts, { "!jq": "${piped_content.1} + ." })).toEqual(['"!jq"']);
    expect(target(fields, accounts, { "!jq": "map({id, title})" })).toEqual(['"!resource"']);
  });

  test.each([
    ["a call that takes it", "${piped_content.1} as $b | {email: $b.email, paid: pow(10; .exponent)}"],
    ["the first of what comes in", "${piped_content.1} as $b | {email: $b.email, tag: first(.tags[])}"],
    ["a call without arguments", "${piped_content.1} as $b | {email: $b.email, size: length}"],
  ])("%s is right", (_, program) => {
    expect(source(unwrap, filter, { "!jq": program })).toEqual([]);
  });

  test("one case, or one step of a pipe, takes it", () => {
    const made = { "!jq": "${piped_content.1} | {email}" };
    const passed = { "!jq": "{email}" };
    const chosen = {
      "!switch": { jq: "${piped_content.1.vip} | if . then 0 else 1 end", cases: [made, passed] },
    };
    expect(source(unwrap, filter, chosen)).toEqual([]);
    const inner = [{ "!http": { method: "POST", path: "/me" } }, { "!jq": "${piped_content.0} | {email}" }];
    expect(source(unwrap, filter, { "!pipe": inner })).toEqual([]);
    expect(target(fields, grouped, accounts, { "!jq": "${piped_content.2} + ." })).toEqual([]);
  });
});
