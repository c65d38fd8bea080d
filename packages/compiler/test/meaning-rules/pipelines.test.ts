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

describe("an object where one value belongs", () => {
  const pipe = (...steps: readonly object[]): object => ({ "!pipe": steps });
  const ticket = { "!http": { path: "/tickets/${piped_content.0.ticket_id}" } };
  const user = (member: string): object => ({ "!http": { path: `/users/\${piped_content.1.${member}}` } });
  const rules = ["expansion/object-by-use", "expansion/object-in-text"];
  const inSource = (source: object): string[] =>
    rules.flatMap((rule) =>
      findings(rule, "inbound-webhook", { "/workflows/0/data_pipeline/source": source }),
    );

  test.each([
    pipe(ticket, user("ticket"), {
      "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: (${piped_content.1.ticket} | .subject)}" }),
    pipe(ticket, user("ticket"), {
      "!jq": "${piped_content.1} as $a | {email: .email, s: $a.ticket.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: ${piped_content.1}.ticket.subject}" }),
    pipe(
      ticket,
      { "!http": { path: "/u", params: { id: "${piped_content.1.data.user}" } } },
      { "!jq": "${piped_content.1.data} as {$user} | {email: $user.email}" },
    ),
    pipe(ticket, user("ticket"), {
      "!switch": {
        jq: "if ${piped_content.1.ticket}.open then 0 else 1 end",
        cases: [{ "!jq": "{email}" }, { "!jq": "null" }],
      },
    }),
    pipe(ticket, user("ticket"), {
      "!switch": {
        jq: "0",
        cases: [{ "!jq": "${piped_content.1.ticket} as $t | {email: $t.mail}" }, { "!jq": "null" }],
      },
    }),
    pipe(
      ticket,
      { "!jq": ". as $a | {id: $a.ticket.user_id}" },
      { "!http": { path: "/users/${piped_content.1.ticket}" } },
    ),
  ])("%j", (source) => {
    expect(inSource(source)).toHaveLength(1);
  });

  test.each([
    pipe(ticket, user("ticket.id"), {
      "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: ${piped_content.2.ticket.subject}}" }),
    pipe(ticket, user("ticket"), { "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t}" }),
  ])("right: %j", (source) => {
    expect(inSource(source)).toEqual([]);
  });

  const inVariable = (value: string, type: string, before: readonly object[]): string[] => {
    const query = `mutation M($e: ${type}, $l: ID) { invite(e: $e, l: $l) { id } }`;
    const variables = { e: value, l: "${custom_data.list.value}" };
    const request = { "!http": { method: "POST", path: "/graphql", body: { query, variables } } };
    const changes = { "/workflows/0/data_pipeline/target": pipe(...before, request) };
    return rules.flatMap((rule) => findings(rule, "outbound", changes));
  };

  test.each<[string, string, (readonly object[])?]>([
    ["${piped_content.0}", "String!"],
    ["${piped_content.0}", "ID!"],
    ["${piped_content.1}", "String", [{ "!jq": "{a: .email}" }]],
    ["${piped_content.1.ids}", "Int!", [{ "!jq": "{ids: [1,2]}" }]],
    ["${piped_content.1}", "ID", [{ "!http": { path: "/x" } }, { "!jq": "{id: .id}" }, { "!jq": ".id" }]],
    ["${piped_content.1.user}", "ID!", [{ "!http": { path: "/x" } }, { "!jq": "{id: .user.id}" }]],
  ])("%s as a variable of type %s", (value, type, before = []) => {
    expect(inVariable(value, type, before)).toHaveLength(1);
  });

  test.each<[string, string, (readonly object[])?]>([
    ["${piped_content.0.email}", "String!"],
    ["${piped_content.0}", "ContactInput!"],
    ["${piped_content.0}", "JSON"],
    ["${piped_content.1.ids}", "[Int!]!", [{ "!jq": "{ids: [1,2]}" }]],
    ["${piped_content.1.a}", "String", [{ "!jq": "{a: .email}" }]],
  ])("right: %s as a variable of type %s", (value, type, before = []) => {
    expect(inVariable(value, type, before)).toEqual([]);
  });
});

describe("mapping/other-prefix: names without one", () => {
  const offered = '[{id: "email", title: "Email"}] + [.questions[] | {id: "q_\\(.id)", title: .text}]';
  const told = (program: string): string[] =>
    findings("mapping/other-prefix", "inbound-webhook", {
      "/workflows/0/setup/map/describe_source/options": {
        "!pipe": [{ "!http": { path: "/questions" } }, { "!jq": offered }],
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    "{email} + (.answers | map({key: .questionId, value: .text}) | from_entries)",
    '{email} + (.answers | map({key: "\\(.question_id)", value: .text}) | from_entries)',
    "{email} + (.answers | map({(.questionId | tostring): .text}) | add // {})",
    '{email} + ([.answers[] | {("\\(.id)"): .text}] | add // {})',
    "{email} + ([.answers[] | {name: .id, value: .text}] | from_entries)",
    'reduce .answers[] as $a ({email: .email}; .["\\($a.questionId)"] = $a.text)',
    "{email} + (reduce .answers[] as $a ({}; . + {($a.question_id): $a.text}))",
    "{email: .email} + ([.answers[] | {key: (.question.id | tostring), value: .text}] | from_entries)",
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    '{email} + (.answers | map({key: "q_\\(.questionId)", value: .text}) | from_entries)',
    "{email} + (.answers | map({key: .key, value: .text}) | from_entries)",
    '{email} + (.answers | map({key: ("q_" + .id), value: .text}) | from_entries) + (.x | map({key: .id, value: .t}) | from_entries)',
    '(.labels | map({key: .id, value: .t}) | from_entries) as $l | {email, x: $l["a"]}',
    '{email} + (.answers | map({key: .questionId, value: .text}) | from_entries | with_entries(.key |= "q_" + .))',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});
