import { readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { setAt } from "./rule-examples.ts";

/** Names that are declared, doubled, unknown or unused: what is one mistake, and where nothing is said. */

type Template = "inbound-webhook" | "inbound-polling" | "historical-sync" | "outbound";
type Changes = Readonly<Record<string, string | undefined>>;

function check(template: Template, changes: Changes) {
  const file = new URL(`../../cli/templates/${template}.app.json`, import.meta.url);
  const text = Object.entries(changes).reduce(
    (result, [at, json]) => setAt(result, at, json),
    readFileSync(file, "utf8"),
  );
  const { model, diagnostics } = compile(text, { uri: "test.app.json" });
  return diagnostics.map((diagnostic) => render(model, diagnostic, { fixes: true }));
}

const rulesOf = (template: Template, changes: Changes) => check(template, changes).map(({ rule }) => rule);

const workflow = "/workflows/0";
const fields = `${workflow}/setup/select/form_fields`;
const outbound = (name: string, auth: string) =>
  `{"name": "${name}", "label": "${name}", "type": "automations", "auth": "${auth}", "setup": {"connect": {"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;

describe("unknown names", () => {
  test("repeated uses of one are one finding, and one fix", () => {
    const findings = check("outbound", {
      [`${workflow}/auth`]: '"acne"',
      "/workflows/1": outbound("acme", "acne"),
    }).filter(({ severity }) => severity === "error");
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["reference/unknown-auth", "There is no auth entry `acne`. Did you mean `acme`?"],
    ]);
    expect(findings[0]?.related?.map(({ message }) => message)).toEqual(["also named here"]);
    expect(findings[0]?.fixes?.[0]).toMatchObject({ safe: true });
    expect(findings[0]?.fixes?.[0]?.edits).toHaveLength(2);
  });

  test("two of them are two findings", () => {
    const changes = { [`${workflow}/auth`]: '"zzz"', "/workflows/1": outbound("acme", "qqq") };
    expect(rulesOf("outbound", changes).filter((rule) => rule === "reference/unknown-auth")).toHaveLength(2);
  });

  test("without an intake there is none to name", () => {
    const [first, ...others] = check("inbound-webhook", { "/data_intake": "[]" });
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      rule: "reference/unknown-intake",
      help: "Declare it in top-level `data_intake`.",
    });
    expect(first?.fixes ?? []).toEqual([]);
  });

  test("D34: a history can mean polling intakes only", () => {
    const [first] = check("historical-sync", {
      [`${workflow}/historical_data_intake`]: '"order.create"',
    });
    expect(first).toMatchObject({ rule: "reference/unknown-intake", help: "Declared: `past-orders`." });
    expect(first?.fixes?.map(({ title, safe }) => [title, safe])).toEqual([
      ["Change to `past-orders`", false],
    ]);
  });

  /** Each is one mistake, reported where it is made. */
  test.each<[string, Template, Changes, string[]]>([
    ["no `auth`", "outbound", { "/auth": undefined }, ["structure/missing-member"]],
    [
      "an intake without a name",
      "inbound-webhook",
      { "/data_intake/0/name": undefined },
      ["structure/missing-member"],
    ],
    [
      "an intake in an outbound workflow",
      "outbound",
      { [`${workflow}/data_intake`]: '"zzz"' },
      ["workflow/inbound-only"],
    ],
    [
      "a list of intakes that is none",
      "inbound-webhook",
      { "/data_intake": '"zzz"' },
      ["structure/wrong-type"],
    ],
    [
      "names of JavaScript's own objects",
      "outbound",
      { "/auth": '{"constructor": {"type": "saml"}}', [`${workflow}/auth`]: '"__proto__"' },
      ["auth/unknown-type", "reference/unknown-auth"],
    ],
  ])("%s", (_, template, changes, expected) => {
    expect(rulesOf(template, changes)).toEqual(expected);
  });
});

describe("unused declarations", () => {
  const spare =
    '{"type": "polling", "name": "spare", "request": {"!jq": "{results: [], iterate: false, polling_state: {}}"}}';
  const note = '{"id": "note", "label": "Note", "type": "textarea", "required": false}';
  const source = `${workflow}/data_pipeline/source`;
  const display = `${workflow}/setup/select/describe_selection/display`;
  const hints = (template: Template, changes: Changes) =>
    rulesOf(template, changes).filter((rule) => rule.startsWith("unused/"));

  test.each<[string, Template, Changes, string[]]>([
    ["an intake", "inbound-webhook", { "/data_intake/1": spare }, ["unused/intake"]],
    ["a form field", "inbound-webhook", { [`${fields}/1`]: note }, ["unused/field"]],
    [
      "a form field beside one that jq reads",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!jq": "[.custom_data[\\"form\\"].display] | first"}' },
      ["unused/field"],
    ],
    [
      "a form field of another workflow than the one that reads all",
      "inbound-webhook",
      {
        [`${fields}/1`]: note,
        "/workflows/1": outbound("acme", "acme"),
        "/workflows/1/setup/connect/describe_connection/!jq": '".custom_data | keys"',
      },
      ["unused/field"],
    ],
  ])("%s", (_, template, changes, expected) => {
    expect(hints(template, changes)).toEqual(expected);
  });

  test.each<[string, Template, Changes]>([
    [
      "an intake, while a workflow names one that isn't declared",
      "inbound-webhook",
      { "/data_intake/1": spare, [`${workflow}/data_intake`]: '"zzz"' },
    ],
    [
      "an intake, while a workflow lacks its own",
      "inbound-webhook",
      { "/data_intake/1": spare, [`${workflow}/data_intake`]: undefined },
    ],
    [
      "an intake, while the document is in pieces",
      "inbound-webhook",
      { "/data_intake/1": spare, [`${workflow}/resource_labels`]: '{"webhook_events": ["a" "b"]}' },
    ],
    [
      "the second of two intakes of one name",
      "inbound-webhook",
      { "/data_intake/1": spare.replace("spare", "submission.created") },
    ],
    ["an auth entry, without workflows", "outbound", { "/workflows": "[]" }],
    [
      "an auth entry that stands twice",
      "outbound",
      { "/auth": '{"acme": {"type": "x"}, "acme": {"type": "x"}}' },
    ],
    [
      "a form field that jq reads by a path",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!jq": ".custom_data.note.value // .custom_data.form.display"}' },
    ],
    [
      "a form field, while jq reads the form as a whole",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!jq": ".custom_data | to_entries[0].value.display"}' },
    ],
    [
      "a form field, while jq reads a computed path",
      "inbound-webhook",
      {
        [`${fields}/1`]: note,
        [display]: '{"!jq": "getpath([\\"custom_data\\", \\"no\\" + \\"te\\", \\"value\\"])"}',
      },
    ],
    [
      "a form field, while jq passes all roots on",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!pipe": [{"!jq": "{all: .}"}, {"!jq": ".all | tostring"}]}' },
    ],
    [
      "a form field, while jq reads the form of an earlier step's output",
      "inbound-webhook",
      {
        [`${fields}/1`]: note,
        [display]: '{"!pipe": [{"!print_c": "x"}, {"!jq": ".custom_data.note.value"}]}',
      },
    ],
    [
      "a form field, while an expansion names one that isn't there",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!jq": "\\"${custom_data.zzz.value}\\""}' },
    ],
    [
      "a form field, while an expansion stands in a member that isn't known",
      "inbound-webhook",
      {
        [`${fields}/1`]: note,
        [source]: '{"!http": {"path": "/items", "boody": {"note": "${custom_data.note.value | default}"}}}',
      },
    ],
    [
      "a form field, while the root of an expansion is misspelled",
      "inbound-webhook",
      { [`${fields}/1`]: note, [source]: '{"!jq": "{note: ${form.note.value | default}}"}' },
    ],
    [
      "a form field that only a broken program mentions",
      "inbound-webhook",
      { [`${fields}/1`]: note, [display]: '{"!jq": ".custom_data.note.value | ["}' },
    ],
  ])("not %s", (_, template, changes) => {
    expect(hints(template, changes)).toEqual([]);
  });

  test("the only field of a form isn't offered for removal", () => {
    const [hint] = check("outbound", {
      [fields]: `[${note}]`,
      [`${workflow}/data_pipeline/target/!http`]:
        '{"method": "POST", "path": "/a", "body": "${piped_content.0}"}',
    }).filter(({ rule }) => rule === "unused/field");
    expect(hint).toBeDefined();
    expect(hint?.fixes ?? []).toEqual([]);
  });
});
