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

describe("pipeline/made-without-choice", () => {
  const told = (built: string, made: string, changed: string, method = "POST"): string[] =>
    findings("pipeline/made-without-choice", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": built },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method, path: "/people", body: { person: made } } },
                {
                  "!http": {
                    method: "PATCH",
                    path: "/people/${piped_content.2.id}",
                    body: { person: changed },
                  },
                },
              ],
            },
          },
        ],
      },
    });
  const id = "id: (.people[0].id // null)";
  const whole = `{${id}, person: (\${piped_content.0} + {list: \${custom_data.list.value}})}`;
  const [raw, sent] = ["${piped_content.0}", "${piped_content.2.person}"];

  test.each([
    ["added", whole, raw, sent, true],
    [
      "without what is empty",
      `{${id}, person: ((\${piped_content.0} | with_entries(select(.value != null))) + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    [
      "with a variable",
      `\${piped_content.0} as $c | {${id}, person: ($c + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    [
      "by names",
      `\${piped_content.0} as $c | {${id}, person: {email: $c.email, list: \${custom_data.list.value}}}`,
      raw,
      sent,
      true,
    ],
    [
      "in two objects",
      `{${id}} + {person: (\${piped_content.0} + {list: \${custom_data.list.value}})}`,
      raw,
      sent,
      true,
    ],
    ["both built", whole, sent, sent, false],
    ["only a change lacks it", whole, sent, raw, false],
    ["nothing is chosen", `{${id}, person: (\${piped_content.0} + {source: "app"})}`, raw, sent, false],
  ])("%s", (_, built, made, changed, isTold) => {
    expect(told(built, made, changed)).toEqual(isTold ? [raw] : []);
  });
});

describe("http/first-page-only", () => {
  const told = (first: object, second: object): string[] =>
    findings("http/first-page-only", "outbound", {
      "/api/pagination": {
        style: { type: "page", page_number: { param: "page" } },
        parser: { total_pages: { "!jq": ".pages" } },
      },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": first }, { "!jq": "[.lists[] | {display: .name, value: .id}]" }],
      },
      "/workflows/0/setup/map/describe_target/options": {
        "!pipe": [{ "!http": second }, { "!jq": "[.lists[] | {title: .name, id: .id}]" }],
      },
    });

  test.each([
    ["left out", { path: "/lists" }, { path: "/lists", pagination: true }, 1],
    ["switched off", { path: "/lists", pagination: false }, { path: "/lists", pagination: true }, 1],
    ["with a method", { method: "GET", path: "/lists" }, { path: "/lists", pagination: true }, 1],
    ["with a slash less", { path: "lists" }, { path: "/lists", pagination: true }, 1],
    ["the other one", { path: "/lists", pagination: true }, { path: "/lists" }, 1],
    [
      "with params in another order",
      { path: "/lists", params: { a: 1, b: "x" } },
      { path: "/lists", params: { b: "x", a: 1 }, pagination: true },
      1,
    ],
    ["both", { path: "/lists", pagination: true }, { path: "/lists", pagination: true }, 0],
    ["neither", { path: "/lists" }, { path: "/lists" }, 0],
    ["another list", { path: "/plans" }, { path: "/lists", pagination: true }, 0],
    ["other params", { path: "/lists", params: { kind: "new" } }, { path: "/lists", pagination: true }, 0],
    ["a large page", { path: "/lists", params: { limit: 1000 } }, { path: "/lists", pagination: true }, 0],
  ])("%s", (_, first, second, count) => {
    expect(told(first, second)).toHaveLength(count);
  });
});

describe("http/graphql-unselected", () => {
  const told = (query: string, ...programs: string[]): string[] =>
    findings("http/graphql-unselected", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { method: "POST", path: "/graphql", body: { query } } },
          ...programs.map((program) => ({ "!jq": program })),
        ],
      },
    });
  const query = "query { lists(first: 50) { nodes { id title owner { name } } pageInfo { endCursor } } }";

  test.each([
    ["before an alternative", ['.data.lists.nodes | map({display: (.name // "?"), value: .id})'], [".name"]],
    ["of each", ["[.data.lists.nodes[] | {display: .name, value: .id}]"], [".name"]],
    ["in a condition", ["[.data.lists.nodes[] | select(.open) | {display: .title, value: .id}]"], [".open"]],
    ["with `?`", ["[.data.lists.nodes[] | {display: .owner.title?, value: .id}]"], [".title"]],
    ["in a later step", [".data", "[.lists.nodes[] | {display: .title, value: .key}]"], [".key"]],
    ["bound", [".data.lists as $l | [$l.nodes[] | {display: .label, value: .id}]"], [".label"]],
    ["selected", ["[.data.lists.nodes[] | {display: (.title // .owner.name), value: .id}]"], []],
    [
      "errors",
      ['if .errors then error("No.") else [.data.lists.nodes[] | {display: .title, value: .id}] end'],
      [],
    ],
  ])("%s", (_, programs, at) => {
    expect(told(query, ...programs)).toEqual(at);
  });

  test("is right with an alias, and unknown with a fragment", () => {
    const program = "[.data.lists[] | {display: (.name // .id), value: .id}]";
    expect(told("query { lists { id name: title } }", program)).toEqual([]);
    expect(told("query { lists { id ...parts } }", program)).toEqual([]);
  });
});
describe("pipeline/unbuilt-body", () => {
  const told = (built: string, made: unknown, changed: unknown, path = "/people"): string[] =>
    findings("pipeline/unbuilt-body", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": built },
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .people[0].id}" },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path: "/people", body: made } },
                { "!http": { method: "PATCH", path: `${path}/\${piped_content.3.id}`, body: changed } },
              ],
            },
          },
        ],
      },
    });
  const wraps = "{person: {mail: .email, full: .name}}";

  test.each([
    ["wrapped", wraps, "${piped_content.1}", "${piped_content.0}", ["${piped_content.0}"]],
    [
      "renamed",
      "{mail: .email, full: .name}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "in a member",
      "{mail: .email}",
      { person: "${piped_content.1}" },
      { person: "${piped_content.0}" },
      ["${piped_content.0}"],
    ],
    ["the other way round", wraps, "${piped_content.0}", "${piped_content.1}", ["${piped_content.0}"]],
    [
      "with more",
      "{mail: .email} + (if .name != null then {full: .name} else {} end)",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "by the expansion",
      "${piped_content.0} as $c | {person: {mail: $c.email, full: $c.name}}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    ["both built", wraps, "${piped_content.1}", "${piped_content.1}", []],
    ["only more is added", ". + {owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    ["names stay", "{email, name, owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    [
      "without what is empty",
      "with_entries(select(.value != null))",
      "${piped_content.1}",
      "${piped_content.0}",
      [],
    ],
  ])("%s", (_, built, made, changed, at) => {
    expect(told(built, made, changed)).toEqual(
      at.map((text) => (typeof made === "string" ? `${text}` : text)),
    );
  });

  test("records of another kind may have another form", () => {
    expect(told(wraps, "${piped_content.1}", "${piped_content.0}", "/notes")).toEqual([]);
  });
});

describe("errors in an answer are nothing that a lookup finds", () => {
  const asked = (query: string, variables: object) => ({
    "!http": { method: "POST", path: "/graphql", body: { query, variables } },
  });
  const told = (id: string): string[] =>
    findings("pipeline/earlier-step", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          asked("query($email: String!) { people(email: $email) { id } }", {
            email: "${piped_content.0.email}",
          }),
          {
            "!jq":
              'if (.errors // []) != [] then error("no answer: \\(.errors[0].message)") else {id: .data.people[0].id} end',
          },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                asked(
                  "mutation($email: String!) { saved: make(email: $email) { person { id } userErrors { message } } }",
                  {
                    email: "${piped_content.0.email}",
                  },
                ),
                asked(
                  "mutation($id: ID!) { saved: change(id: $id) { person { id } userErrors { message } } }",
                  {
                    id: "${piped_content.2.id}",
                  },
                ),
              ],
            },
          },
          {
            "!jq":
              "((.errors // []) + (.data.saved.userErrors // [])) as $all | if $all == [] then {person_id: .data.saved.person.id, id: .data.saved.person.id} else error($all[0].message) end",
          },
          asked("mutation($list: ID!, $person: ID!) { add(list: $list, person: $person) { id } }", {
            list: "${custom_data.list.value}",
            person: id,
          }),
        ],
      },
    });

  test("the id behind the switch is there", () => {
    expect(told("${piped_content.4.person_id}")).toEqual([]);
    expect(told("${piped_content.4.id}")).toEqual([]);
  });

  test("that of the lookup isn't", () => {
    expect(told("${piped_content.2.id}")).toEqual(["${piped_content.2.id}"]);
  });
});

describe("command/reversed-verdict", () => {
  const query = "mutation Invite($email: String!) { invite(email: $email) { id } }";
  const invite = {
    "!http": {
      method: "POST",
      path: "/graphql",
      body: { query, variables: { email: "${piped_content.0.email}" } },
    },
  };
  const told = (...steps: readonly object[]): string[] =>
    findings("command/reversed-verdict", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [invite, ...steps] },
    });
  const refused = { "!error": "It was refused." };
  const goOn = { "!jq": ".data" };
  const decide = (jq: string, ...cases: readonly object[]): object => ({ "!switch": { jq, cases } });

  test.each<{ steps: readonly object[] }>([
    { steps: [decide("if (.errors // [] | length) > 0 then 1 else 0 end", refused, goOn)] },
    { steps: [decide("if (.errors // []) == [] then 0 else 1 end", refused, goOn)] },
    { steps: [decide("if .errors == null then 0 else 1 end", refused, goOn)] },
    { steps: [decide("if .errors | not then 0 else 1 end", refused, goOn)] },
    { steps: [decide("if .data.invite.userErrors == [] then 1 else 0 end", goOn, refused)] },
    {
      steps: [
        decide(
          "((.errors // []) + (.data.invite.userErrors // [])) as $e | if $e == [] then 0 else 1 end",
          refused,
          goOn,
        ),
      ],
    },
    {
      steps: [
        decide("if ${piped_content.1.errors | default} then 0 else 1 end", goOn, refused),
        decide("if .ok then 0 else 1 end", refused, goOn),
      ],
    },
    { steps: [decide("if .success == true then 1 else 0 end", goOn, refused)] },
    {
      steps: [
        decide("if .errors then 0 else 1 end", goOn, { "!pipe": [{ "!print_c": "Refused." }, refused] }),
      ],
    },
    { steps: [{ "!jq": 'if (.errors // []) == [] then error("refused") else .data end' }] },
    { steps: [{ "!jq": 'if .errors then .data else error("refused: \\(.errors[0].message)") end' }] },
    { steps: [{ "!jq": 'if .ok then error("refused") else .data end' }] },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toHaveLength(1);
  });

  test.each<{ steps: readonly object[] }>([
    { steps: [decide("if (.errors // [] | length) > 0 then 0 else 1 end", refused, goOn)] },
    { steps: [decide("if .success then 1 else 0 end", refused, goOn)] },
    { steps: [{ "!jq": 'if (.errors // []) == [] then .data else error("refused") end' }] },
    // What isn't there is another question.
    { steps: [decide("if .data.invite == null then 0 else 1 end", refused, goOn)] },
    // Which problem it is decides.
    { steps: [decide('if .errors[0].code == "TAKEN" then 1 else 0 end', refused, goOn)] },
    { steps: [decide("if .errors then 0 else 1 end", { "!print_c": "Refused." }, goOn)] },
    // An address that is free is what is wanted.
    {
      steps: [
        { "!http": { path: "/taken", params: { email: "${piped_content.0.email}" } } },
        decide("if .ok then 0 else 1 end", refused, goOn),
      ],
    },
  ])("right: %j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("http/unchecked-errors", () => {
  const ask = (query: string): object => ({
    "!http": {
      method: "POST",
      path: "/graphql",
      body: { query, variables: { email: "${piped_content.0.email}" } },
    },
  });
  const lookup = ask("query A($email: String!) { person(email: $email) { id } }");
  const make = ask("mutation B($email: String!) { add(email: $email) { id } }");
  const change = ask("mutation C($email: String!) { set(email: $email) { id } }");
  const told = (...steps: readonly object[]): string[] =>
    findings("http/unchecked-errors", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const check = { "!jq": 'if (.errors // []) == [] then .data else error("refused") end' };
  const log = { "!print_c": "Done." };
  const stop = {
    "!switch": { jq: "if .errors then 0 else 1 end", cases: [{ "!error": "No." }, { "!jq": ".data" }] },
  };

  test.each<{ steps: readonly object[]; marked: string }>([
    { steps: [lookup, check, make, check, change, { "!jq": ".data" }, log], marked: ".data" },
    {
      steps: [lookup, { "!jq": "{id: .data.person.id}" }, make, stop, change, stop],
      marked: "{id: .data.person.id}",
    },
    {
      steps: [lookup, { "!jq": ".data.person.id as $id | {id: $id}" }, make, check, change, check],
      marked: ".data.person.id as $id | {id: $id}",
    },
    {
      steps: [
        lookup,
        check,
        { "!switch": { jq: "if .person == null then 0 else 1 end", cases: [make, change] } },
        { "!jq": "{id: (.data.add.id, .data.set.id)}" },
        lookup,
        check,
      ],
      marked: "{id: (.data.add.id, .data.set.id)}",
    },
  ])("%j", ({ steps, marked }) => {
    expect(told(...steps)).toEqual([`"${marked}"`]);
  });

  test.each<{ steps: readonly object[] }>([
    { steps: [lookup, check, make, check, change, check] },
    // One that holds for itself.
    { steps: [lookup, { "!jq": "{id: .data.person.id}" }, make, check] },
    // Two without it: a habit.
    { steps: [lookup, { "!jq": ".data" }, make, check, change, check, lookup, { "!jq": ".data" }] },
    // It fails where there is none, or asks for what is missing.
    { steps: [lookup, { "!jq": "[.data.people[].id]" }, make, check, change, check] },
    { steps: [lookup, { "!jq": '.data.person // error("none")' }, make, check, change, check] },
    { steps: [lookup, { "!jq": "{isNew: (.data.person == null)}" }, make, check, change, check] },
    // Later.
    {
      steps: [
        lookup,
        { "!jq": "{id: .data.person.id}" },
        {
          "!switch": {
            jq: "if ${piped_content.1.errors | default} then 0 else 1 end",
            cases: [{ "!error": "No." }, log],
          },
        },
        make,
        check,
        change,
        check,
      ],
    },
  ])("right: %j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("pipeline/made-without-choice: parts of records, deeper bodies and GraphQL", () => {
  const told = (...steps: readonly object[]): string[] =>
    findings("pipeline/made-without-choice", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const lookup = { "!http": { path: "/leads", params: { email: "${piped_content.0.person.email}" } } };
  const choose = (make: object, change: object): object => ({
    "!switch": { jq: "if ${piped_content.1.leads} == [] then 0 else 1 end", cases: [make, change] },
  });
  const http = (method: string, path: string, body: object | string): object => ({
    "!http": { method, path, body },
  });
  const id = "/leads/${piped_content.1.leads[0].id}";
  const part = { "!jq": "${piped_content.0.person} + {list_id: ${custom_data.list.value}}" };
  const bound = { "!jq": "${piped_content.0.person} as $p | $p + {list_id: ${custom_data.list.value}}" };
  const below = { "!jq": "{lead: (${piped_content.0.person} + {list_id: ${custom_data.list.value}})}" };
  const graphql = (query: string, input: string): object =>
    http("POST", "/graphql", { query, variables: { input } });
  const create = "mutation M($input: LeadInput!) { saved: createLead(input: $input) { id } }";
  const update = "mutation M($input: LeadInput!) { saved: updateLead(input: $input) { id } }";
  const plain = "${piped_content.0.person}";
  const made = "${piped_content.2}";

  test.each<{ steps: readonly object[] }>([
    {
      steps: [
        lookup,
        part,
        choose(http("POST", "/leads", { lead: plain }), http("PATCH", id, { lead: made })),
      ],
    },
    { steps: [lookup, bound, choose(http("POST", "/leads", plain), http("PUT", id, made))] },
    {
      steps: [
        lookup,
        below,
        choose(
          http("POST", "/leads", { lead: plain }),
          http("PATCH", id, { lead: "${piped_content.2.lead}" }),
        ),
      ],
    },
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { data: { type: "leads", attributes: plain } }),
          http("PATCH", id, { data: { type: "leads", attributes: made } }),
        ),
      ],
    },
    { steps: [lookup, part, choose(graphql(create, plain), graphql(update, made))] },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toEqual([plain]);
  });

  test.each<{ steps: readonly object[] }>([
    // What is there keeps what was chosen when it was made.
    {
      steps: [
        lookup,
        part,
        choose(http("POST", "/leads", { lead: made }), http("PATCH", id, { lead: plain })),
      ],
    },
    { steps: [lookup, part, choose(graphql(create, made), graphql(update, plain))] },
    // The choice is sent beside it.
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { lead: plain, list: "${custom_data.list.value}" }),
          http("PATCH", id, { lead: made }),
        ),
      ],
    },
    // Another part.
    {
      steps: [
        lookup,
        part,
        choose(
          http("POST", "/leads", { lead: "${piped_content.0.lead}" }),
          http("PATCH", id, { lead: made }),
        ),
      ],
    },
  ])("right: %j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("pipeline/already-set", () => {
  const lookup = { "!http": { path: "/bookings", params: { email: "${piped_content.0.email}" } } };
  const change = (method: string, body: object, below = ""): object => ({
    "!http": { method, path: `/bookings/\${piped_content.2.id}${below}`, body },
  });
  const told = (choose: string, ...cases: readonly object[]): string[] =>
    findings("pipeline/already-set", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          lookup,
          { "!jq": choose },
          {
            "!switch": { jq: "if .id == null then 0 else 1 end", cases: [{ "!print_c": "None." }, ...cases] },
          },
        ],
      },
    });
  const cancelled = '.status == "cancelled"';

  test.each<[string, string, object]>([
    [
      `{id: ([.b[] | select(${cancelled}) | .id] | first)}`,
      cancelled,
      change("PATCH", { status: "cancelled" }),
    ],
    [
      `{id: (first(.b[] | select(${cancelled})) | .id)}`,
      cancelled,
      change("PATCH", { data: { attributes: { status: "cancelled", why: "x y" } } }),
    ],
    [
      `(.b | map(select(.email == "a" and ${cancelled}))) as $all | {id: $all[0].id}`,
      cancelled,
      change("PUT", { status: "Cancelled" }),
    ],
    ["{id: ([.b[] | select(.is_active) | .id] | first)}", ".is_active", change("PATCH", { isActive: true })],
    [
      "{id: ([.b[] | select(.active == false) | .id] | first)}",
      ".active == false",
      change("PATCH", { active: false }),
    ],
    [`{id: ([.b[] | select(${cancelled}) | .id] | first)}`, cancelled, change("POST", {}, "/cancel")],
    ["{id: ([.b[] | select(.archived) | .id] | first)}", ".archived", change("POST", {}, "/archive")],
  ])("%s", (choose, marked, request) => {
    expect(told(choose, request)).toEqual([marked]);
  });

  test.each<[string, object]>([
    [
      '{id: ([.b[] | select(.status != "cancelled") | .id] | first)}',
      change("PATCH", { status: "cancelled" }),
    ],
    ["{id: ([.b[] | select(.archived | not) | .id] | first)}", change("POST", {}, "/archive")],
    ['{id: ([.b[] | select(.status == "open") | .id] | first)}', change("PATCH", { status: "cancelled" })],
    // Another member, of another record.
    ['{id: ([.b[] | select(.status == "open") | .id] | first)}', change("PATCH", { note: { kind: "open" } })],
    // What else is sent is what the change is for.
    [
      '{id: ([.b[] | select(.status == "open") | .id] | first)}',
      change("PATCH", { status: "open", amount: "${piped_content.0.amount}" }),
    ],
    // All of the record is sent.
    [
      '{id: ([.b[] | select(.status == "open") | .id] | first)}',
      change("PUT", { status: "open", a: 1, b: 2, c: 3 }),
    ],
    [
      '{old: ([.b[] | select(.status == "cancelled")] | length), id: .b[0].id}',
      change("PATCH", { status: "cancelled" }),
    ],
  ])("right: %s", (choose, request) => {
    expect(told(choose, request)).toEqual([]);
  });

  test("is right where a new record gets the same", () => {
    const choose = '{id: ([.b[] | select(.status == "open") | .id] | first)}';
    const make = { "!http": { method: "POST", path: "/bookings", body: { status: "open", note: "n" } } };
    expect(told(choose, change("PATCH", { status: "open", note: "n" }), make)).toEqual([]);
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

describe("http/deletes-list", () => {
  const list = "/lists/${custom_data.list.value}/members";
  const told = (path: string, more: object = {}, get = list): number =>
    findings("http/deletes-list", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: get, params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .members[0].id}" },
          {
            "!switch": {
              jq: "if .id then 0 else 1 end",
              cases: [{ "!http": { method: "DELETE", path, ...more } }, { "!jq": "null" }],
            },
          },
        ],
      },
    }).length;
  test("a list that is read", () => {
    expect(told(list)).toBe(1);
    expect(told(`${list}/`)).toBe(1);
    expect(told("lists/$<custom_data.list.value>/members")).toBe(1);
    expect(told("/guests", {}, "/guests?state=open")).toBe(1);
  });
  test("what names an item, or is no list", () => {
    expect(told(`${list}/\${piped_content.2.id}`)).toBe(0);
    expect(told(list, { params: { email: "${piped_content.0.email}" } })).toBe(0);
    expect(told(list, { body: { ids: ["${piped_content.2.id}"] } })).toBe(0);
    expect(told(`${list}?email=\${piped_content.0.email}`)).toBe(0);
    // All of one record's.
    expect(told("/people/${piped_content.2.id}/tags", {}, "/people/${piped_content.0.id}/tags")).toBe(0);
    expect(told("/people/${piped_content.0.id}/tags", {}, "/people/${piped_content.0.id}/tags")).toBe(0);
    expect(told("/hold", {}, "/hold")).toBe(0);
    // Nothing says that it is a list.
    expect(told("/locks")).toBe(0);
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
