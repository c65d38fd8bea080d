import { compile, type Settings } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "./rule-examples.ts";
import { baseWorld } from "./support/bases.ts";

/** Rules on directions, setup steps, intakes and mappings: where they speak once, and where they stay silent. */

type Template = "inbound-webhook" | "inbound-polling" | "historical-sync" | "outbound";
type Changes = Readonly<Record<string, string | undefined>>;

function findings(template: Template, changes: Changes, settings: Partial<Settings> = {}) {
  const name = { in: template, at: "/api/base_url", bad: "", good: "" } as const;
  let { text } = exampleDocument(name, '"https://api.example.com/v1"');
  for (const [pointer, json] of Object.entries(changes)) text = setAt(text, pointer, json);
  const { diagnostics } = compile(text, { uri: "x.app.json", settings, samples: { world: baseWorld } });
  return diagnostics.map(({ finding: { rule, args, related }, severity, span }) => ({
    id: rule.id,
    severity,
    at: text.slice(span.start, span.end),
    text: `${rule.message(args)} ${rule.help?.(args) ?? ""}`,
    related: related.map((other) => ("start" in other.at ? text.slice(other.at.start, other.at.end) : "")),
  }));
}

const areas = /^(workflow|setup|intake|mapping)\//;
const ids = (template: Template, changes: Changes): string[] =>
  findings(template, changes)
    .map(({ id }) => id)
    .filter((id) => areas.test(id))
    .sort();

const targetOptions = "/workflows/0/setup/map/describe_target/options";
const sourceOptions = "/workflows/0/setup/map/describe_source/options";
const pipelineTarget = "/workflows/0/data_pipeline/target";
const pipelineSource = "/workflows/0/data_pipeline/source";
const email = '[{"title": "Email", "id": "email", "required": true}]';

describe("one mistake is one finding (design: no cascades)", () => {
  const loud = (template: Template, changes: Changes) =>
    findings(template, changes).filter(({ severity }) => severity !== "hint");

  test.each([
    ["inbound-webhook", "automations"],
    ["inbound-polling", "automations"],
    ["historical-sync", "automations"],
    ["outbound", "generic"],
  ] as const)("the other type in %s (D43)", (template, type) => {
    const found = loud(template, { "/workflows/0/type": `"${type}"` });
    expect(found).toEqual([expect.objectContaining({ id: "workflow/wrong-direction", at: `"${type}"` })]);
  });

  test.each([
    ["inbound-webhook", "polling", ["scope", "create", "update", "delete"]],
    ["inbound-polling", "webhook", ["initial_setup", "request"]],
  ] as const)("the other type of intake in %s (D31, D33)", (template, type, members) => {
    const found = loud(template, { "/data_intake/0/type": `"${type}"` });
    expect(found).toEqual([expect.objectContaining({ id: "structure/contradicted-type", at: `"${type}"` })]);
    expect(found[0]?.related).toEqual(members.map((name) => `"${name}"`));
  });

  test("a misspelled intake is only that, with a schedule too", () => {
    const found = loud("inbound-polling", { "/workflows/0/data_intake": '"custmers"' });
    expect(found.map(({ id }) => id)).toEqual(["reference/unknown-intake"]);
  });

  test("a misspelled step isn't missing as well", () => {
    const schedule =
      '{"label": "When", "description": "x", "import_options": [{"label": "Once", "type": "single"}], "frequency": 1800}';
    const found = loud("inbound-polling", {
      "/workflows/0/setup/schedule": undefined,
      "/workflows/0/setup/scedule": schedule,
    });
    expect(found.map(({ id }) => id)).toEqual(["structure/unknown-member"]);
  });

  test("a webhook that is polled needs its own type, not a schedule", () => {
    const found = loud("historical-sync", { "/data_intake/0/type": '"polling"' });
    expect(found.map(({ id }) => id)).toEqual(["structure/contradicted-type"]);
  });
});

describe("directions (D43)", () => {
  test("each inbound member of an outbound workflow is a warning", () => {
    const found = findings("outbound", {
      "/workflows/0/data_intake": '"lists"',
      "/workflows/0/historical_data_intake": '"lists"',
      "/workflows/0/resource_type": '"lists"',
      "/workflows/0/setup/select/describe_selection":
        '{"resource_id": {"!jq": ".custom_data.list.value"}, "display": {"!jq": ".custom_data.list.display"}}',
    }).filter(({ id }) => id === "workflow/inbound-only");
    expect(found.map(({ at, severity }) => [at, severity])).toEqual([
      ['"describe_selection"', "warning"],
      ['"data_intake"', "warning"],
      ['"historical_data_intake"', "warning"],
      ['"resource_type"', "warning"],
    ]);
  });

  test.each([
    ["the pipeline alone", { [targetOptions]: email }],
    ["the mapping alone", { [pipelineTarget]: '{"!http": {"method": "POST", "path": "/x"}}' }],
    [
      "deep in a switch",
      {
        [targetOptions]: email,
        [pipelineTarget]:
          '{"!pipe": [{"!jq": "."}, {"!switch": {"jq": "0", "cases": [{"!resource": "PlatformContact"}]}}]}',
      },
    ],
    [
      "a request to the platform",
      {
        [targetOptions]: email,
        [pipelineTarget]: '{"!http": {"method": "POST", "path": "/x", "target": "platform"}}',
      },
    ],
    ["a command that isn't known", { [targetOptions]: email, [pipelineTarget]: '{"!platform": "Contact"}' }],
  ] as [string, Changes][])("the platform as inbound target: %s", (_, changes) => {
    expect(ids("inbound-webhook", changes)).not.toContain("workflow/platform-side");
  });

  test("a source that takes from the platform in a later step counts", () => {
    const changes = {
      [sourceOptions]: '[{"title": "Email", "id": "email"}]',
      [pipelineSource]: '{"!pipe": [{"!print_c": "begin"}, {"!resource": "PlatformContact"}]}',
    };
    expect(ids("outbound", changes)).toEqual([]);
  });
});

describe("schedule (D43)", () => {
  test("says why it doesn't belong there", () => {
    const schedule =
      '{"label": "When", "description": "x", "import_options": [{"label": "Once", "type": "single"}], "frequency": 1800}';
    const why = (template: Template) =>
      findings(template, { "/workflows/0/setup/schedule": schedule }).find(
        ({ id }) => id === "setup/misplaced-schedule",
      )?.text;
    expect(why("outbound")).toMatch(/outbound/);
    expect(why("historical-sync")).toMatch(/historical/);
    expect(why("inbound-webhook")).toMatch(/webhook/);
    expect(why("inbound-polling")).toBeUndefined();
  });

  test("is missing where a custom-object workflow polls, too", () => {
    const changes = {
      "/workflows/0/setup/schedule": undefined,
      "/data_intake/0/frequency": "3600",
      "/objects": '[{"name": "ticket"}]',
    };
    expect(ids("inbound-polling", changes)).toEqual(["setup/missing-schedule"]);
  });
});

describe("tolerances (D41)", () => {
  test.each([
    ["intake/missing-delete", "inbound-webhook", { "/data_intake/0/delete": undefined }, "warning"],
    [
      "setup/text-without-options",
      "outbound",
      { "/workflows/0/setup/select/form_fields/1/type": '"text"' },
      "hint",
    ],
  ] as const)("%s is an error in core", (id, template, changes, severity) => {
    const of = (settings: Partial<Settings>) =>
      findings(template, changes, settings).find((finding) => finding.id === id)?.severity;
    expect(of({})).toBe(severity);
    expect(of({ language: "core" })).toBe("error");
  });

  test("a description of the select step is accepted", () => {
    const found = findings("outbound", { "/workflows/0/setup/select/description": '"Choose a list."' });
    expect(found.filter(({ severity }) => severity !== "hint")).toEqual([]);
  });
});

describe("custom-object workflows (D42)", () => {
  const objects = '[{"name": "ticket"}]';
  const frequency = { "/data_intake/0/frequency": "3600" };
  const grouped =
    '[{"title": "Email", "id": "email", "required": true, "group": "contact"}, {"title": "Number", "id": "n", "group": "ticket", "schemaId": "ticket"}]';
  test.each([
    ["a group with a schema", { ...frequency, "/objects": objects, [targetOptions]: grouped }, []],
    ["options that aren't known", { ...frequency, "/objects": objects }, []],
    [
      "objects, and options without a schema",
      { ...frequency, "/objects": objects, [targetOptions]: email },
      ["intake/ignored-import-setting"],
    ],
    ["no objects", { ...frequency, "/objects": "[]" }, ["intake/ignored-import-setting"]],
    ["an intake that no workflow uses", { ...frequency, "/workflows/0/data_intake": '"other"' }, []],
  ] as [string, Changes, string[]][])("%s", (_, changes, expected) => {
    expect(ids("inbound-polling", changes)).toEqual(expected);
  });
});

describe("the address of a webhook (D32) is used", () => {
  const create = "/data_intake/0/create";
  const registered = (steps: string) => ids("inbound-webhook", { [create]: `{"!pipe": [${steps}]}` });
  const post = (body: string) => `{"!http": {"method": "POST", "path": "/hooks", "body": ${body}}}`;
  test.each([
    ["in a jq program", `{"!jq": "{url: .webhook.url}"}, ${post('{"url": "${piped_content.1.url}"}')}`],
    ["from a variable", `{"!jq": ". as $roots | {body: $roots}"}, ${post('"${piped_content.1.body}"')}`],
    ["from the input of the pipe", post('{"url": "${piped_content.0.webhook.url}"}')],
    ["with all of the input", post('{"all": "${piped_content.0}"}')],
    ["in a path", '{"!http": {"method": "POST", "path": "/hooks", "params": {"to": "${webhook.url}"}}}'],
    ["misspelled", post('{"url": "${webook.url}"}')],
    ["unclosed", post('{"url": "${webhook.url"}')],
    [
      "behind a step that passes its input on",
      `{"!print_c": "registering"}, {"!jq": "{url: .webhook.url}"}, ${post('{"url": "${piped_content.2.url}"}')}`,
    ],
    [
      "behind a step that passes a part on",
      `{"!extract": {"item_keys": ["webhook"]}}, ${post('{"url": "${piped_content.1.webhook.url}"}')}`,
    ],
    ["by a command that isn't known", '{"!register": "hook"}'],
  ])("%s", (_, steps) => {
    expect(registered(steps)).not.toContain("intake/unregistered-url");
  });
  const elsewhere = '{"!http": {"method": "POST", "path": "/webhooks", "body": {"event": "created"}}}';
  test.each([
    ["a path that only sounds like it", elsewhere],
    ["a member of the response", `${elsewhere}, {"!jq": "{hook_id: .webhook.id}"}`],
    [
      "an expansion of the response",
      `${elsewhere}, ${'{"!http": {"path": "/webhooks/${piped_content.1.webhook.id}/secret"}}'}`,
    ],
  ])("not by %s", (_, steps) => {
    expect(registered(steps)).toContain("intake/unregistered-url");
  });
});

describe("what delete reads", () => {
  const path = "/data_intake/0/delete";
  test.each([
    [
      "a saved key in jq",
      '{"!pipe": [{"!jq": "{id: .data.workflow.hook_id}"}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.id}"}}]}',
    ],
    [
      "the address itself",
      '{"!http": {"method": "DELETE", "path": "/hooks", "params": {"url": "${webhook.url}"}}}',
    ],
    ["nothing, and sends nothing", '{"!print_c": "The hook is left."}'],
  ])("%s", (_, command) => {
    expect(ids("inbound-webhook", { [path]: command })).toEqual([]);
  });
});

describe("the form", () => {
  const field = "/workflows/0/setup/select/form_fields/0";
  test.each([
    [
      "a request in a case of a switch",
      '{"!switch": {"jq": "0", "cases": [{"!http": {"path": "/lists"}}]}}',
      [],
    ],
    ["a command that isn't known", '{"!htp": {"path": "/lists"}}', []],
    ["a command that is in nothing known", '{"!fetch_all": "/lists"}', []],
    ["a static list", "[]", ["setup/search-without-request"]],
  ] as [string, string, string[]][])("search_term and %s (D43)", (_, options, expected) => {
    expect(ids("outbound", { [`${field}/options`]: options, [`${field}/search_term`]: '"q"' })).toEqual(
      expected,
    );
  });
  test("a number and its digits are two values", () => {
    const options =
      '[{"display": "One", "value": 1}, {"display": "The digit", "value": "1"}, {"display": "Proto", "value": "__proto__"}]';
    expect(ids("outbound", { [`${field}/options`]: options })).toEqual([]);
  });
});

describe("mapping", () => {
  test.each([
    [
      "deals have no email",
      {
        [targetOptions]: '[{"title": "Value", "id": "value"}]',
        [pipelineTarget]: '{"!resource": "PlatformDeal"}',
      },
      [],
    ],
    [
      "email in a group",
      { [targetOptions]: '[{"title": "Email", "id": "email", "required": true, "group": "contact"}]' },
      [],
    ],
    ["an option without its id", { [targetOptions]: '[{"title": "Email"}]' }, []],
    [
      "all resources at once",
      {
        [targetOptions]: '[{"title": "Phone", "id": "phone"}]',
        [pipelineTarget]: '{"!resource": {"action": "Platform.sync", "data": "${piped_content.0}"}}',
      },
      ["mapping/email-not-required"],
    ],
  ] as [string, Changes, string[]][])("email: %s (events 8)", (_, changes, expected) => {
    expect(ids("inbound-webhook", changes)).toEqual(expected);
  });

  test("email: the platform's own prefix counts (D25)", () => {
    const changes = {
      [targetOptions]: '[{"title": "Phone", "id": "phone"}]',
      [pipelineTarget]: '{"!resource": "BrandContact"}',
    };
    const of = (settings: Partial<Settings>) =>
      findings("inbound-webhook", changes, settings).map(({ id }) => id);
    expect(of({ resources: { prefix: "Brand" } })).toContain("mapping/email-not-required");
    expect(of({})).not.toContain("mapping/email-not-required");
  });

  test("email: says what comes near", () => {
    const changes = { [targetOptions]: '[{"title": "Email", "id": "e-mail", "required": true}]' };
    expect(findings("inbound-webhook", changes).map(({ text }) => text)).toContainEqual(
      expect.stringContaining("`e-mail`"),
    );
  });

  test.each([
    ["flat to grouped", '[{"title": "Name", "id": "name", "group": "person"}]', '"person"', []],
    ["a command", '{"!http": {"path": "/fields"}}', '"person"', []],
    [
      "another case",
      '[{"title": "Name", "id": "name", "group": "person"}]',
      '"Person"',
      ["mapping/unknown-default-group"],
    ],
    [
      "a name of objects",
      '[{"title": "Name", "id": "name", "group": "person"}]',
      '"__proto__"',
      ["mapping/unknown-default-group"],
    ],
  ] as [string, string, string, string[]][])("default_group (D36): %s", (_, options, group, expected) => {
    expect(
      ids("outbound", { [targetOptions]: options, "/workflows/0/setup/map/default_group": group }),
    ).toEqual(expected);
  });

  test("fixed values need no source fields", () => {
    const fixed = '[{"title": "State", "id": "state", "source_fields": [{"title": "New", "id": "new"}]}]';
    expect(ids("outbound", { [sourceOptions]: "[]", [targetOptions]: fixed })).toEqual([]);
  });
});

describe("broken JSON (D2)", () => {
  test("what it may have swallowed isn't missing", () => {
    const { text } = exampleDocument({ in: "inbound-polling", at: "/api", bad: "", good: "" }, "{}");
    const cut = text.slice(0, text.indexOf('"schedule"'));
    const { diagnostics } = compile(cut, { uri: "x.app.json" });
    const found = diagnostics.map(({ finding }) => finding.rule.id).filter((id) => areas.test(id));
    expect(found).toEqual([]);
  });
});
