import { readFileSync } from "node:fs";
import { breakingChanges, compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { setAt } from "../rule-examples.ts";

/** D40: whether `resource_id` and `account_id` still give the same, of programs written in another way. */

const template = readFileSync(
  new URL("../../../cli/templates/inbound-webhook.app.json", import.meta.url),
  "utf8",
);

const resource = "/workflows/0/setup/select/describe_selection/resource_id/!jq";
const whole = "/workflows/0/setup/select/describe_selection/resource_id";
const steps = "/workflows/0/setup/connect/describe_connection";
const connection = "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq";

function changes(at: string, before: unknown, after: unknown): string[] {
  const model = (program: unknown) => compile(setAt(template, at, JSON.stringify(program))).model;
  return breakingChanges(model(before), model(after)).map(({ finding }) => finding.rule.id);
}

describe("the same", () => {
  test.each([
    [resource, ".custom_data.form.value", "${custom_data.form.value}"],
    [resource, ".custom_data.form.value", '.["custom_data"] | .form."value"'],
    [resource, ".custom_data.form.value", ". as $all | $all.custom_data as $data | $data | .form.value"],
    [resource, "${custom_data.form.value} | tostring", "( .custom_data.form.value ) | tostring # as text"],
    [resource, '"${custom_data.form.value}/x"', '"\\(.custom_data.form.value)/x"'],
    [resource, "[.custom_data.form.value, 1] | first", ".custom_data.form as $f | [$f.value, 1] | first"],
    [
      resource,
      "def id: .value; .custom_data.form | id",
      ".custom_data | .form | . as $f | def id: .value; $f | id",
    ],
    [connection, "{account_id: .id, description: .name}", "{description: .title, account_id: .id}"],
    [
      connection,
      "{account_id: .id, description: .name}",
      ". as $me | {account_id: $me.id, description: $me.name}",
    ],
    [connection, "{account_id: .account_id, description: .name}", "{account_id, description: .name}"],
  ])("%s: %s and %s", (at, before, after) => {
    expect(changes(at, before, after)).toEqual([]);
    expect(changes(at, after, before)).toEqual([]);
  });
});

const value = { "!jq": ".custom_data.form.value" };
const me = [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }];
const shout = { "!print_c": "x" };

describe("commands that do the same", () => {
  test.each<[string, unknown, unknown]>([
    [whole, value, { "!pipe": [value] }],
    [whole, value, { "!pipe": [{ "!pipe": [shout, { _comment: "x", ...value }] }] }],
    [steps, { "!pipe": me }, { "!pipe": [me[0], shout, me[1]] }],
    [steps, { "!pipe": me }, { "!pipe": [me[0], { "!jq": "{description: .title, account_id: .id}" }] }],
  ])("%s: %j and %j", (at, before, after) => {
    expect(changes(at, before, after)).toEqual([]);
    expect(changes(at, after, before)).toEqual([]);
  });
});

describe("commands that don't", () => {
  const second = { "!jq": "{account_id: ${piped_content.1.id}, description: .name}" };
  test.each<[string, unknown, unknown]>([
    [whole, value, { "!pipe": [value, { "!jq": "tostring" }] }],
    [steps, { "!pipe": [me[0], second] }, { "!pipe": [shout, me[0], second] }],
    [steps, { "!pipe": me }, { "!pipe": [{ "!http": { path: "/you" } }, me[1]] }],
  ])("%s: %j and %j", (at, before, after) => {
    expect(changes(at, before, after)).toEqual(["breaking/saved-identity"]);
  });
});

describe("not the same", () => {
  test.each([
    [resource, ".custom_data.form.value", ".custom_data.form.display"],
    [resource, ".custom_data.form.value", "${custom_data.form.value | default:none}"],
    [resource, ".custom_data.form.value | tostring", ".custom_data.form.value | length"],
    [resource, ".custom_data.form | .value", ".custom_data.form | keys | .value"],
    [resource, ". as $x | [1] | map($x.custom_data)", ". as $x | [1] | map(.custom_data)"],
    [resource, ". as $x | keys | $x.custom_data", ". as $x | keys | .custom_data"],
    [resource, "first(.custom_data, 1)", "first(1, .custom_data)"],
    [resource, ".custom_data.form.value // 1", ".custom_data.form.value // 2"],
    [resource, ".custom_data[0]", ".custom_data[1]"],
    [resource, ".custom_data?", ".custom_data[]?"],
    [connection, "{account_id: .id, description: .name}", "{account_id: .uuid, description: .name}"],
    [connection, "{account_id, description: .name}", "{account_id: .id, description: .name}"],
  ])("%s: %s and %s", (at, before, after) => {
    expect(changes(at, before, after)).toEqual(["breaking/saved-identity"]);
  });
});
