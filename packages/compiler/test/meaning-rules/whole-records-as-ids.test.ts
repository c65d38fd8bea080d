import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Whole records under the names of ids, however they come there, and the ids that look alike. */

const target = (rule: string, steps: readonly object[]): string[] =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });

const send = (body: unknown): object => ({ "!http": { method: "POST", path: "/visits", body } });
const search = (path: string, by = "email"): object => ({
  "!http": { path, params: { [by]: "${piped_content.0.email}" } },
});

describe("jq/record-as-id in an expansion", () => {
  test.each([
    ["${piped_content.1.people[0]}", 1],
    ["${piped_content.1.people.0}", 1],
    ["${piped_content.1.people[0].id}", 0],
    ["${piped_content.1.person_id}", 0],
  ])("%s", (value, count) => {
    const steps = [search("/people"), send({ person_id: value, list: "${custom_data.list.value}" })];
    expect(target("jq/record-as-id", steps)).toHaveLength(count);
  });

  test.each([
    [".people[0] // null", 1],
    [".people | last", 1],
    [".people[0].id // null", 0],
    // A comment says that it is one of ids.
    [".people[0] // null", 0, "Answers with the ids only: {people: [12, 13]}"],
  ])("through a step: %s", (read, count, comment?: string) => {
    const found = {
      ...(comment === undefined ? {} : { _comment: comment }),
      "!jq": `{found: (${read}), list: \${custom_data.list.value}}`,
    };
    const steps = [search("/people"), found, { ...send({ data: { id: "${piped_content.2.found}" } }) }];
    expect(target("jq/record-as-id", steps)).toHaveLength(count);
  });
});

describe("jq/record-as-id of an answer that is a list", () => {
  test.each([
    ["/people", ".body[0]", 1],
    ["/people", ".body[0] // null", 1],
    ["/people", ".body[0].id", 0],
    // A single one may be anything, and so may what isn't asked for by its name.
    ["/people/next", ".body[0]", 0],
    ["/people/ids", ".body[0]", 0],
    ["/people", ".body[0]", 0, "GET /people answers with the ids only."],
  ])("%s: %s", (path, read, count, comment?: string) => {
    const found = {
      ...(comment === undefined ? {} : { _comment: comment }),
      "!jq": `{person_id: (${read}), list: \${custom_data.list.value}}`,
    };
    expect(target("jq/record-as-id", [search(path), found, send("${piped_content.2}")])).toHaveLength(count);
  });
});

describe("jq/record-as-id from one of several cases", () => {
  const found = (known: object): object => ({
    "!switch": {
      jq: "if (.items | length) > 0 then 0 else 1 end",
      cases: [known, { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } }],
    },
  });
  test.each([
    [{ "!jq": ".items[0]" }, "{person_id: ., list: ${custom_data.list.value}}", 1],
    [{ "!jq": ".items[0]" }, "{person_id: ${piped_content.2}, list: ${custom_data.list.value}}", 1],
    [{ "!jq": "{data: .items[0]}" }, "{person_id: .data, list: ${custom_data.list.value}}", 1],
    [{ "!jq": "{data: .items[0]}" }, "{person_id: .data.id, list: ${custom_data.list.value}}", 0],
    [{ "!jq": "{data: .items[0].id}" }, "{person_id: .data, list: ${custom_data.list.value}}", 0],
    [{ "!jq": ".items[0].id" }, "{person_id: ., list: ${custom_data.list.value}}", 0],
  ])("%j, %s", (known, made, count) => {
    const steps = [search("/people"), found(known), { "!jq": made }, send("${piped_content.3}")];
    expect(target("jq/record-as-id", steps)).toHaveLength(count);
  });
});

describe("jq/record-as-id of a search below another record", () => {
  test.each([
    ["/offices/${custom_data.list.value}/people", "email", "{person_id: .people[0]}", 1],
    ["/offices/${custom_data.list.value}/people", "work_email", "{person_id: .data[0]}", 1],
    ["/offices/${custom_data.list.value}/meters", "serial", "{meter_id: (.meters | first)}", 1],
    ["/offices/${custom_data.list.value}/people", "email", "{person_id: .people[0].id}", 0],
    // Tags may be words, and so may what nothing of a record is asked for.
    ["/offices/${custom_data.list.value}/tags", "kind", "{tag_id: .tags[0]}", 0],
    ["/offices/${custom_data.list.value}/people", "limit", "{person_id: .people[0]}", 0],
  ])("%s by %s: %s", (path, by, made, count) => {
    const steps = [search(path, by), { "!jq": made }, send("${piped_content.2}")];
    expect(target("jq/record-as-id", steps)).toHaveLength(count);
  });
});

describe("jq/record-as-id of what a write answers with", () => {
  const write = (method: string, path: string, body: unknown): object => ({
    "!http": { method, path, body },
  });
  test.each([
    ["PATCH", "/singers/${piped_content.0.email}", "${piped_content.0}", ".singer", 1],
    ["POST", "/singers", { singer: "${piped_content.0}" }, ".singer", 1],
    ["PUT", "/singers/${piped_content.0.email}", "${piped_content.0}", ".singer // null", 1],
    // Who makes one may answer with the id under that name.
    ["POST", "/singers", "${piped_content.0}", ".singer", 0],
    ["POST", "/singers", { singer: "${piped_content.0}" }, ".singer.id", 0],
    ["PATCH", "/singers/${piped_content.0.email}", "${piped_content.0}", ".choir", 0],
    ["PUT", "/singers/${piped_content.0.email}", "${piped_content.0}", ".data", 1],
    ["PUT", "/singers/${piped_content.0.email}", "${piped_content.0}", ".data.id", 0],
    ["PUT", "/singers/${piped_content.0.email}", "${piped_content.0}", ".result", 0],
    ["POST", "/singers", "${piped_content.0}", ".data", 0],
  ])("%s %s %j, %s", (method, path, body, read, count) => {
    const made = { "!jq": `{singer_id: (${read}), list: \${custom_data.list.value}}` };
    expect(
      target("jq/record-as-id", [write(method, path, body), made, send("${piped_content.2}")]),
    ).toHaveLength(count);
  });
});

describe("jq/object-as-id of an option", () => {
  test.each([
    ["[.wagons[] | {display: .number, value: .}]", 1],
    ['[.wagons[] | {display: "\\(.number) (\\(.keeper))", value: .}]', 1],
    ["[.wagons[] | {display: .type.name, value: .type}]", 1],
    ["[.wagons[] | {display: .number, value: .id}]", 0],
    ["[.wagons[] | {display: ., value: .}]", 0],
    ['[.wagons[] | {display: "Wagon \\(.)", value: .}]', 0],
  ])("%s", (program, count) => {
    expect(
      findings("jq/object-as-id", "outbound", {
        "/workflows/0/setup/select/form_fields/0/options": {
          "!pipe": [{ "!http": { path: "/wagons" } }, { "!jq": program }],
        },
      }),
    ).toHaveLength(count);
  });
});

describe("response/one-of-list through a step", () => {
  const made = (known: string): object => ({
    "!switch": {
      jq: ".people | length",
      cases: [{ "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } }, { "!jq": known }],
    },
  });
  test.each([
    ["{person: .people}", "{ref: .person.id}", 1],
    ["{person: .people}", "{ref: ${piped_content.2.person.id}}", 1],
    [". as $all | {person: $all.people}", "{ref: .person.ref}", 1],
    ["{person: .people[0]}", "{ref: .person.id}", 0],
    ["{person: .people}", "{ref: .person[0].id}", 0],
    ["{person: .people}", "{ref: (.person | length)}", 0],
  ])("%s, %s", (known, read, count) => {
    const steps = [search("/people"), made(known), { "!jq": read }, send("${piped_content.3}")];
    expect(target("response/one-of-list", steps)).toHaveLength(count);
  });
});
