import { describe, expect, test } from "vitest";
import { allFindings, findings } from "../support/rule-findings.ts";

/** What pipelines take of answers: the same kind of mistake in other words, and what is right although it looks alike. */

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
    ["lifted", ["[.data.lists.nodes[] | .owner |= .name | {display: .owner, value: .id}]"], []],
    ["lifted whole", [".data.lists |= .nodes | [.data.lists[] | {display: .title, value: .id}]"], []],
    [
      "of what is lifted",
      ["[.data.lists.nodes[] | .owner |= .title | {display: .owner, value: .id}]"],
      [".title"],
    ],
    [
      "set to what is beside",
      ["[.data.lists.nodes[] | .owner = .name | {display: .owner, value: .id}]"],
      [".name"],
    ],
    [
      "errors",
      ['if .errors then error("No.") else [.data.lists.nodes[] | {display: .title, value: .id}] end'],
      [],
    ],
  ])("%s", (_, programs, at) => {
    expect(told(query, ...programs)).toEqual(at);
  });

  test("of whatever a mutation answers", () => {
    const mutation = "mutation { listsOpen { lists { id title } userErrors { message } } }";
    const read = (members: string): string => `[.data // {} | .[] | ${members}]`;
    expect(told(mutation, read(".lists[]? | {display: .title, value: .id}"))).toEqual([]);
    expect(told(mutation, read('.userErrors[]? | {display: .message, value: "none"}'))).toEqual([]);
    // Of a query it would be the items of a list.
    expect(
      told("query { lists { id title } }", '[.data[] | {display: (.name // "?"), value: .id}]'),
    ).toContain(".name");
  });

  test("what a type already tells is told once", () => {
    const options = "/workflows/0/setup/select/form_fields/0/options";
    const found = allFindings("outbound", {
      [options]: {
        "!pipe": [
          { "!http": { method: "POST", path: "/graphql", body: { query } } },
          { "!jq": "[.data // {} | .[] | .labels[]? | {display: .id, value: .id}]" },
        ],
      },
    });
    expect(found.flatMap(({ rule, marked }) => (marked === ".labels" ? [rule] : []))).toEqual([
      "jq/missing-member",
    ]);
  });

  test("is right with an alias, and unknown with a fragment", () => {
    const program = "[.data.lists[] | {display: (.name // .id), value: .id}]";
    expect(told("query { lists { id name: title } }", program)).toEqual([]);
    expect(told("query { lists { id ...parts } }", program)).toEqual([]);
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
