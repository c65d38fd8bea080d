import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about steps of pipelines: the same kind of mistake in other words, and what is right although it looks alike. */

describe("pipeline/record-made", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const make = { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } };
  const change = {
    "!http": {
      method: "PATCH",
      path: "/people/${piped_content.1.people[0].id}",
      body: { name: "${piped_content.0.name}" },
    },
  };
  const decide = { "!switch": { jq: "if (.people | length) > 0 then 0 else 1 end", cases: [change, make] } };
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/record-made", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [lookup, decide, ...steps] },
    });
  const add = (path: string) => ({
    "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } },
  });

  test("in one of several cases", () => {
    const chosen = (path: string) => ({
      "!switch": {
        jq: "if ${custom_data.list.value} == 7 then 0 else 1 end",
        cases: [add(path), { "!jq": "." }],
      },
    });
    expect(told(chosen("/people/${piped_content.1.people[0].id}/lists"))).toEqual([
      "${piped_content.1.people[0].id}",
    ]);
  });

  test("by way of a program", () => {
    const program = {
      "!jq": "{person: ${piped_content.1.people[0] | default}, list: ${custom_data.list.value}}",
    };
    expect(told(program, add("/people/${piped_content.3.person.id}/lists"))).toEqual([
      "${piped_content.1.people[0] | default}",
    ]);
  });

  test("is right where the answer is read, another list, or only those that were found", () => {
    expect(told(add("/people/${piped_content.2.person.id}/lists"))).toEqual([]);
    expect(told(add("/lists/${piped_content.1.lists[0].id}/people"))).toEqual([]);
    const found = {
      "!switch": {
        jq: "if ${piped_content.1.people | default} == [] then 0 else 1 end",
        cases: [{ "!jq": "." }, add("/people/${piped_content.1.people[0].id}/lists")],
      },
    };
    expect(told(found)).toEqual([]);
  });
});

describe("pipeline/other-case", () => {
  const byChoice = (cases: unknown[]) => ({
    "!switch": { jq: "if ${custom_data.list.value} == 1 then 0 else 1 end", cases },
  });
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/other-case", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const send = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail}" } } };

  test("in a branch of a case, with a step between", () => {
    const first = byChoice([
      { "!jq": "{mail: .email}" },
      { "!jq": "if .vip then {vip: .email} else {mail: .email} end" },
    ]);
    const between = byChoice([
      { "!jq": "." },
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } },
          { "!jq": "{mail: .mail}" },
        ],
      },
    ]);
    const later = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.2.mail}" } } };
    expect(told(first, between, later)).toEqual(["{vip: .email}"]);
  });

  test.each([
    [
      "a default",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail | default}" } },
      },
    ],
    [
      "a decision by it",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!switch": { jq: "if .none then 0 else 1 end", cases: [{ "!jq": "." }, send] },
      },
    ],
    ["an answer that isn't known", [{ "!jq": "{mail: .email}" }, { "!http": { path: "/me" } }], send],
  ])("is right with %s", (_, cases, reader) => {
    expect(told(byChoice(cases), reader)).toEqual([]);
  });

  test("is right where a step between ends the run", () => {
    const stop = {
      "!switch": {
        jq: "if .none then 0 else 1 end",
        cases: [{ "!error": "Nobody is there." }, { "!jq": "." }],
      },
    };
    expect(told(byChoice([{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }]), stop, send)).toEqual([]);
  });
});

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
