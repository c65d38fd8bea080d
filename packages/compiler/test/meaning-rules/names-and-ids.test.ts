import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What options and maps keep of a record: its name where its id is wanted, and what is right although it looks alike. */

const made = (path: string, program: string): object => ({
  "!pipe": [{ "!http": { path } }, { "!jq": program }],
});

describe("value/name-for-id: in more places", () => {
  const told = (option: string, body: object, more: Readonly<Record<string, unknown>> = {}): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": made("/crews", `[.crews[] | ${option}]`),
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/jobs",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body,
        },
      },
      ...more,
    });
  const list = "${custom_data.list.value}";
  const field = (said: string | undefined, option: string): Readonly<Record<string, unknown>> => ({
    "/workflows/0/setup/select/form_fields/0": {
      ...(said === undefined ? {} : { _comment: said }),
      label: "List",
      id: "list",
      type: "dropdown",
      options: made("/crews", `[.crews[] | ${option}]`),
    },
  });

  test.each<[string, object, string]>([
    ["{display: .name, value: .name}", { "job[crew_id]": list }, ".name"],
    ["{display: .title, value: .title}", { "job[crews][crew_ids][]": list }, ".title"],
    ['{display: "\\(.name) (\\(.city))", value: .name}', { crew_id: list }, ".name"],
    ['{display: (.name + ", " + .city), value: .name}', { crew_id: list }, ".name"],
  ])("%s, %j", (option, body, marked) => {
    expect(told(option, body)).toEqual([marked]);
  });

  test("a number, where the comment speaks of the id", () => {
    const option = "{display: .number, value: .number}";
    const said = "The line's id is what `from` takes; the number is shown.";
    expect(told(option, { from: list }, field(said, option))).toEqual([".number"]);
    expect(told(option, { from: list }, field("The number is shown and sent.", option))).toEqual([]);
    expect(told(option, { from: list }, field(undefined, option))).toEqual([]);
  });

  test.each<[string, object]>([
    ["{display: .name, value: .id}", { "job[crew_id]": list }],
    ["{display: .name, value: .code}", { "job[crew_id]": list }],
    ["{display: .name, value: .name}", { "job[crew]": list }],
    ["{display: .name, value: .name}", { "crew_id[label]": list }],
    ['{display: "\\(.name) (\\(.city))", value: .name}', { crew: list }],
    ['{display: "\\(.name) (\\(.code))", value: .code}', { crew_id: list }],
  ])("right: %s, %j", (option, body) => {
    expect(told(option, body)).toEqual([]);
  });
});

describe("value/name-for-id: what payloads are routed by", () => {
  const told = (option: string, resource: string): string[] =>
    findings("value/name-for-id", "inbound-webhook", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/resource_id": { "!jq": resource },
      "/workflows/0/setup/select/form_fields/0/options": made("/forms", `[.forms[] | ${option}]`),
      "/workflows/0/setup/select/describe_selection/resource_id": {
        "!jq": "${custom_data.form.value} | tostring",
      },
    });

  test.each([
    ["{display: .title, value: .title}", ".form_id"],
    ['{display: "\\(.title) (\\(.owner))", value: .title}', ".data.formId"],
    ['{display: "\\(.name) (\\(.reference))", value: .name}', "(.form_id | tostring)"],
  ])("%s, %s", (option, resource) => {
    expect(told(option, resource)).toHaveLength(1);
  });

  test.each([
    ["{display: .title, value: .id}", ".form_id"],
    ["{display: .title, value: .title}", ".form_title"],
    ["{display: .number, value: .number}", ".form_id"],
    ["{display: .title, value: .slug}", ".form_id"],
  ])("right: %s, %s", (option, resource) => {
    expect(told(option, resource)).toEqual([]);
  });
});

describe("value/routed-by-other-kind: an id that is written as text", () => {
  const told = (option: string, selection: string, resource: string): string[] =>
    findings("value/routed-by-other-kind", "inbound-webhook", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/resource_id": { "!jq": resource },
      "/workflows/0/setup/select/form_fields/0/options": made("/forms", `[.forms[] | ${option}]`),
      "/workflows/0/setup/select/describe_selection/resource_id": { "!jq": selection },
    });
  const byId = "{display: .title, value: (.id | tostring)}";
  const byTitle = "{display: .title, value: .title}";

  test.each([
    [byId, "${custom_data.form.value}", ".form.name"],
    [byId, "${custom_data.form.value} | tostring", ".form.title | tostring"],
    [byId, ".custom_data.form.value", ". | .form.title"],
    [byTitle, "${custom_data.form.value}", "(.form.id | tostring)"],
  ])("%s, %s, %s", (option, selection, resource) => {
    expect(told(option, selection, resource)).toHaveLength(1);
  });

  test.each([
    [byId, "${custom_data.form.value}", ".form.id | tostring"],
    [byId, "${custom_data.form.display}", ".form.title"],
    [byTitle, "${custom_data.form.value}", ".form.title"],
    ["{display: .title, value: (.code | tostring)}", "${custom_data.form.value}", ".form.title"],
  ])("right: %s, %s, %s", (option, selection, resource) => {
    expect(told(option, selection, resource)).toEqual([]);
  });
});

describe("value/compared-kind: what is no name", () => {
  const told = (option: string, program: string): string[] =>
    findings("value/compared-kind", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/0/options": made("/shops", `[.shops[] | ${option}]`),
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
  const source = (condition: string): string => `if ${condition} then {email: .email} else null end`;

  test.each([
    ["{display: .name, value: .name}", ".shop.handle == ${custom_data.form.value}", ".shop.handle"],
    ["{display: .name, value: .title}", ".shop_code == ${custom_data.form.value}", ".shop_code"],
    ["{display: .title, value: .title}", "${custom_data.form.value} != .shop.slug", ".shop.slug"],
  ])("%s, %s", (option, condition, marked) => {
    expect(told(option, source(condition))).toEqual([marked]);
  });

  test.each([
    ["{display: .name, value: .handle}", ".shop.handle == ${custom_data.form.value}"],
    ["{display: .name, value: .name}", ".shop.name == ${custom_data.form.value}"],
    ["{display: .name, value: .number}", ".shop.code == ${custom_data.form.value}"],
    ["{display: .code, value: .name}", ".shop.kind == ${custom_data.form.value}"],
  ])("right: %s, %s", (option, condition) => {
    expect(told(option, source(condition))).toEqual([]);
  });
});

describe("mapping/shown-for-key", () => {
  const told = (option: string, program: string, rule = "mapping/shown-for-key"): string[] =>
    findings(rule, "inbound-webhook", {
      "/workflows/0/setup/map/describe_source/options": made(
        "/fields",
        `[{id: "email", title: "Email"}] + [.fields[] | ${option}]`,
      ),
      "/workflows/0/data_pipeline/source": { "!jq": `{email: .email} + (${program})` },
    });

  test.each([
    ["{id: .name, title: .name}", "[.values[] | {key: .id, value: .text}] | from_entries", ".name"],
    [
      '{id: ("f_" + .label), title: .label}',
      '[.values[] | {key: "f_\\(.ref)", value}] | from_entries',
      '"f_\\(.ref)"',
    ],
    ["{id: .key, title: .name}", "[.custom[] | {key: .name, value}] | from_entries", ".name"],
    ["{id: .id, title: .question}", "[.custom[] | {key: .id, value}] | from_entries", ""],
    ["{id: .slug, title: .title}", "reduce .custom[] as $c ({}; .[$c.title] = $c.value)", "$c.title"],
  ])("%s, %s", (option, program, marked) => {
    const rules = ["mapping/shown-for-key", "mapping/label-for-key"];
    expect(rules.flatMap((rule) => told(option, program, rule))).toEqual(marked === "" ? [] : [marked]);
  });

  test.each([
    ["{id: .key, title: .name}", "[.custom[] | {key: .key, value}] | from_entries"],
    // A field that has a name alone.
    ["{id: .name, title: .name}", "[.custom[] | {key: .key, value}] | from_entries"],
    ["{id: .name, title: .name}", "[.custom[] | {key: .name, value}] | from_entries"],
    ["{id: .id, title: .name}", "[.custom[] | {key: .field_id, value}] | from_entries"],
    ["{id: .name, title: .label}", "[.custom[] | {key: .field, value}] | from_entries"],
    ['{id: ("f_" + .name), title: .name}', "{count: 1} + (.other | map({(.id): .n}) | add)"],
  ])("right: %s, %s", (option, program) => {
    expect(told(option, program)).toEqual([]);
  });

  test("a prefix that only the pipeline has", () => {
    const withKeys = '(.custom // {}) | with_entries(.key |= "extra_" + .)';
    expect(told("{id: .key, title: .name}", withKeys, "mapping/other-prefix")).toHaveLength(1);
    expect(told('{id: "extra_\\(.key)", title: .name}', withKeys, "mapping/other-prefix")).toEqual([]);
    expect(told("{id: .id, title: .name}", withKeys, "mapping/other-prefix")).toEqual([]);
  });
});
