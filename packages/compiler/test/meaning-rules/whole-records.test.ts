import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Whole records, lists and bodies in the place of a part, and the right ones that look alike. */

const target = (rule: string, steps: readonly object[]): string[] =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("http/record-in-path", () => {
  const post = { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } };
  const list = { "!http": { path: "/lists/${custom_data.list.value}" } };
  const note = { "!http": { method: "POST", path: "/people/${piped_content.2.person}/notes", body: {} } };

  test.each([
    ["{person: .data}", ".data.title", 1],
    [". as $answer | {person: $answer.data}", ".data.title", 1],
    ["{person: .data.id}", ".data.title", 0],
    // This API gives the id as it is.
    ["{person: .data}", ".title", 0],
    ["{person: .data}", ".data | ascii_downcase", 0],
  ])("%s, %s", (made, read, count) => {
    expect(target("http/record-in-path", [post, { "!jq": made }, note, list, { "!jq": read }])).toHaveLength(
      count,
    );
  });
});

describe("jq/record-as-id of a GraphQL answer", () => {
  const ask = (query: string): object => ({
    "!http": {
      method: "POST",
      path: "/graphql",
      body: { query, variables: { email: "${piped_content.0.email}" } },
    },
  });
  const send = {
    "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body: "${piped_content.2}" },
  };
  test.each([
    ["query ($email: String!) { patient(email: $email) { id } }", "{patientId: .data.patient}", 1],
    [
      "query ($email: String!) { patient(email: $email) { id } }",
      ".data as $d | {patient_id: $d.patient}",
      1,
    ],
    ["query ($email: String!) { patient(email: $email) { id } }", "{patientId: .data.patient.id}", 0],
    ["query ($email: String!) { patient(email: $email) { id } }", "{patient: .data.patient}", 0],
    ["query ($email: String!) { patientId(email: $email) }", "{patientId: .data.patientId}", 0],
  ])("%s %s", (query, made, count) => {
    expect(target("jq/record-as-id", [ask(query), { "!jq": made }, send])).toHaveLength(count);
  });
});

describe("pipeline/unbuilt-body", () => {
  const write = (built: string, body: string): string[] =>
    target("pipeline/unbuilt-body", [
      { "!http": { path: "/people", params: { mail: "${piped_content.0.email}" } } },
      { "!jq": built },
      {
        "!switch": {
          jq: "if .id then 0 else 1 end",
          cases: [
            { "!http": { method: "PATCH", path: "/people/${piped_content.2.id}", body } },
            { "!http": { method: "POST", path: "/people", body: "${piped_content.2.payload}" } },
          ],
        },
      },
    ]);
  const nested =
    "${piped_content.0} as $c | {id: .people[0].id, payload: {data: {mails: [$c.email], values: [$c | del(.email) | to_entries[]]}}}";
  test.each([
    [nested, "${piped_content.0}", 1],
    [nested, "${piped_content.2.payload}", 0],
    // It has the record's own members, and more.
    [
      '${piped_content.0} as $c | {id: .people[0].id, payload: ($c + {source: "app"})}',
      "${piped_content.0}",
      0,
    ],
  ])("%s with %s", (built, body, count) => {
    expect(write(built, body)).toHaveLength(count);
  });
});

describe("intake/update-without-url through a step", () => {
  const body = '{url: ${webhook.url}, form: (${custom_data.form.value} | tostring), events: ["sent"]}';
  const step = (program: string, method: string, path: string): object[] => [
    { "!jq": program },
    { "!http": { method, path, body: "${piped_content.1}" } },
  ];
  const told = (program: string, method: string): string[] =>
    findings("intake/update-without-url", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          ...step(body, "POST", "/hooks"),
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": { "!pipe": step(program, method, "/hooks/${data.workflow.hook_id}") },
    });
  const without = '{form: (${custom_data.form.value} | tostring), events: ["sent"]}';
  test.each([
    [without, "PUT", 1],
    [without, "PATCH", 1],
    [body, "PUT", 0],
    ["{form: (${custom_data.form.value} | tostring)}", "PATCH", 0],
    // What comes in has the address.
    [". as $roots | {form: ${custom_data.form.value}, url: $roots.webhook.url}", "PUT", 0],
    [". + {form: ${custom_data.form.value}}", "PUT", 0],
  ])("%s by %s", (program, method, count) => {
    expect(told(program, method)).toHaveLength(count);
  });
});

describe("jq/never-null of a list", () => {
  test.each([
    ["(.orders | map(.id)) as $ids | if $ids == null then null else {email} end", 1],
    ["(.orders | sort_by(.at)) as $all | if $all != null then {email} else null end", 1],
    ["(.orders | map(.id)) as $ids | if $ids == [] then null else {email} end", 0],
    ["(.orders | map(.id) | first) as $id | if $id == null then null else {email} end", 0],
    ["(.orders | max_by(.at)) as $last | if $last == null then null else {email} end", 0],
    ["def map(f): null; (.orders | map(.id)) as $ids | if $ids == null then null else {email} end", 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/never-null", program)).toHaveLength(count);
  });
});

describe("value/other-role by the title", () => {
  const titled = (title: string, value: string): string[] =>
    inSource("value/other-role", `{email: .email, coach: ${value}}`, {
      "/workflows/0/setup/map/describe_source/options": [
        { id: "email", title: "Email" },
        { id: "coach", title },
      ],
    });
  test.each([
    ["Coach's name", ".coach.email", 1],
    ["Coach: name (as shown)", ".coach.phone", 1],
    ["Coach's e-mail", ".coach.full_name", 1],
    ["Coach's phone number", ".coach.email", 1],
    ["Coach's name", ".coach.full_name", 0],
    ["Coach", ".coach.email", 0],
    // Some people sign in with their address.
    ["Coach's user name", ".coach.email", 0],
    ["Name of the coach's address", ".coach.email", 0],
    ["Coach's name", ".coach.id", 0],
  ])("%s %s", (title, value, count) => {
    expect(titled(title, value)).toHaveLength(count);
  });
});
