import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** People in one record, texts and booleans, and what requests and answers carry, in other words. */

const target = "/workflows/0/data_pipeline/target";
const source = "/workflows/0/data_pipeline/source";
const verification = "/data_intake/0/verification";

describe("value/mixed-people", () => {
  const rest = "first_name: .patient.first_name, last_name: .patient.last_name";
  const offered = (title: string): Record<string, unknown> => ({
    "/workflows/0/setup/map/describe_source/options": [
      { title, id: "email" },
      { title: "First name", id: "first_name" },
    ],
  });

  test.each([
    [`{email: .doctor.email, ${rest}}`, "Email", [".doctor.email"]],
    [`{email: (.prescriber.email // ""), ${rest}}`, "Email", ['(.prescriber.email // "")']],
    ["{email: .invited_by.email, first_name: .first_name, phone: .phone}", "Email", [".invited_by.email"]],
    [
      "{email, phone: .ReportedBy.mobile, first_name: .Guest.first, last_name: .Guest.last}",
      "Email",
      [".ReportedBy.mobile"],
    ],
    ["{guest_email: .attendant.email, room: .guest.room}", "Email", [".attendant.email"]],
    [`{email: .patient.email, ${rest}}`, "Email", []],
    // The title says whose it is.
    [`{email: .doctor.email, ${rest}}`, "Email of the doctor", []],
    // They may be the same person.
    ["{email: .customer.email, first_name: .buyer.first_name, last_name: .buyer.last_name}", "Email", []],
    // Somebody by whom the one can be reached.
    [`{email: .patient.guardian.email, ${rest}}`, "Email", []],
    ["{email: .contact.email, first_name: .patient.first_name, last_name: .patient.last_name}", "Email", []],
    ["{attendant_email: .attendant.email, room: .guest.room}", "Email", []],
    ["{guest_email: .email, room: .guest.room}", "Email", []],
  ])("%s: %s", (program, title, expected) => {
    expect(inSource("value/mixed-people", program, offered(title))).toEqual(expected);
  });
});

describe("jq/boolean-as-text", () => {
  const told = (comment: string, program: string): string[] =>
    findings("jq/boolean-as-text", "inbound-webhook", { [source]: { _comment: comment, "!jq": program } });

  test.each([
    ["child: false", 'if .child == "true" then null else {email} end', 1],
    ["scanned is a boolean.", '{email, in: (.scanned != "false")}', 1],
    ["open (true or false)", '.open as $open | select($open == "true") | {email}', 1],
    ['child: "false"', 'if .child == "true" then null else {email} end', 0],
    ["child: false", "if .child == true then null else {email} end", 0],
    ["adult: false", 'if .child == "true" then null else {email} end', 0],
    ["child is a word.", 'if .child == "true" then null else {email} end', 0],
  ])("%s: %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("value/unlisted-key", () => {
  test.each([
    ['{email, kind: {dep: 1, stay: 2}[.kind], gone: (.kind == "departure")}', 1],
    ['{DEP: "D", STAY: "S"} as $kinds | {email, kind: $kinds[.kind], gone: (.kind != "DEPARTURE")}', 1],
    ['{email, kind: {dep: 1, stay: 2}[.kind], gone: (.kind == "dep")}', 0],
    // Another member, another word, and one that is written twice.
    ['{email, kind: {dep: 1, stay: 2}[.kind], gone: (.state == "departure")}', 0],
    ['{email, kind: {dep: 1, stay: 2}[.kind], gone: (.kind == "cancelled")}', 0],
    ['{email, kind: {dep: 1, stay: 2}[.kind], gone: (.kind == "departure"), tag: "departure"}', 0],
  ])("%s", (program, count) => {
    expect(inSource("value/unlisted-key", program)).toHaveLength(count);
  });
});

describe("pipeline/superseded-body", () => {
  const told = (completes: string, first: string, second: string): string[] =>
    findings("pipeline/superseded-body", "outbound", {
      [target]: {
        "!pipe": [
          { "!jq": "{email: .email}" },
          { "!http": { path: "/people", params: { email: "${piped_content.1.email}" } } },
          { "!jq": completes },
          {
            "!switch": {
              jq: "if (${piped_content.2.people} | length) > 0 then 0 else 1 end",
              cases: [
                {
                  "!http": { method: "PATCH", path: "/people/${piped_content.2.people[0].id}", body: first },
                },
                { "!http": { method: "POST", path: "/people", body: second } },
              ],
            },
          },
        ],
      },
    });
  const adds = "${piped_content.1} + {list: ${custom_data.list.value}}";

  test.each([
    [adds, "${piped_content.1}", "${piped_content.3}", 1],
    [adds, "${piped_content.3}", "${piped_content.1}", 1],
    [adds, "${piped_content.3}", "${piped_content.3}", 0],
    // Nobody sends what is made, or it is something else.
    [adds, "${piped_content.1}", "${piped_content.1}", 0],
    ["{list: ${custom_data.list.value}}", "${piped_content.1}", "${piped_content.3}", 0],
  ])("%s, %s, %s", (completes, first, second, count) => {
    expect(told(completes, first, second)).toHaveLength(count);
  });
});

describe("command/object-as-text", () => {
  const told = (type: string, body: unknown): string[] =>
    findings("command/object-as-text", "inbound-webhook", {
      [verification]: { "!respond": { process_payload: true, headers: { "Content-Type": type }, body } },
    });

  test.each([
    ["text/plain", { state: "received" }, 1],
    ["text/plain; charset=utf-8", ["received"], 1],
    ["text/plain", "received", 0],
    ["application/json", { state: "received" }, 0],
  ])("%s", (type, body, count) => {
    expect(told(type, body)).toHaveLength(count);
  });
});

describe("intake/absent-parameter", () => {
  const told = (jq: string): string[] =>
    findings("intake/absent-parameter", "inbound-webhook", {
      [verification]: {
        "!switch": {
          jq,
          cases: [
            { "!respond": { process_payload: false, code: 200 } },
            { "!respond": { process_payload: true } },
          ],
        },
      },
    });

  test.each([
    ['if .query.challenge != "" then 0 else 1 end', 1],
    ['if .headers["x-ping"] == "" then 1 else 0 end', 1],
    ['if "" != .query_params.challenge then 0 else 1 end', 1],
    ['if (.query.challenge // "") != "" then 0 else 1 end', 0],
    ["if .query.challenge != null then 0 else 1 end", 0],
    ['if .query.challenge != null and .query.challenge != "" then 0 else 1 end', 0],
    ['if .body.challenge != "" then 0 else 1 end', 0],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });
});

describe("variables of GraphQL that are one object", () => {
  const told = (program: string): string[] =>
    findings("http/graphql-variable-type", "outbound", {
      [target]: {
        "!pipe": [
          { "!jq": program },
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: {
                query:
                  "mutation($list: ID!, $seats: Int!, $input: PersonInput!) { invite(list: $list, seats: $seats, input: $input) { id } }",
                variables: "${piped_content.1}",
              },
            },
          },
        ],
      },
    });
  const list = "${custom_data.list.value}";

  test.each([
    [`{list: ${list}, seats: "2", input: {email}}`, 1],
    [`{list: ${list}, seats: (2 | tostring), input: {email}}`, 1],
    [`{list: {id: ${list}}, seats: 2, input: {email}}`, 1],
    [`{list: ${list}, seats: 2, input: {email}}`, 0],
    [`{list: 7, seats: (${list} | tonumber), input: {email}}`, 0],
    ["{list: .list, seats: .seats, input: {email}}", 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});

describe("an account that one of several workflows reads elsewhere", () => {
  const workflow = (account: string, index: number): object => ({
    name: `acme-${index}`,
    label: `Acme - ${index}`,
    type: "automations",
    auth: "acme",
    setup: {
      connect: {
        label: "Connect",
        describe_connection: {
          "!pipe": [
            { "!http": { path: "/me" } },
            { "!jq": `{account_id: ${account}, description: .data.name}` },
          ],
        },
      },
    },
    data_pipeline: {
      source: { "!resource": "PlatformContact" },
      target: { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } },
    },
  });
  const told = (...accounts: string[]): string[] =>
    findings("setup/other-account", "inbound-webhook", {
      "/workflows/0/setup/connect/describe_connection": {
        "!pipe": [
          { "!http": { path: "/me" } },
          { "!jq": `{account_id: ${accounts[0]}, description: .data.name}` },
        ],
      },
      ...Object.fromEntries(
        accounts.slice(1).map((account, index) => [`/workflows/${index + 1}`, workflow(account, index)]),
      ),
    });
  const church = "(.data.organization.id | tostring)";

  test.each([
    [["(.data.id | tostring)", church, church], ["(.data.id | tostring)"]],
    [[church, church, ".data.id"], [".data.id"]],
    [[church, church, church], []],
    [["(.data.id | tostring)", church], []],
    [["(.data.id | tostring)", church, ".data.team.id"], []],
  ])("%s", (accounts, expected) => {
    expect(told(...accounts)).toEqual(expected);
  });
});
