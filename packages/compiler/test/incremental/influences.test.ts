import { type Compilation, compile, recompile, render } from "@configc/compiler";
import { expect, test } from "vitest";
import { expectEqual } from "./equality.ts";

/**
 * Each way in which an edit at one place changes what is found at another one: the finding there must not be kept. In each case
 * the edit makes a rule say something, or something else, in a part that wasn't edited.
 */

interface Case {
  readonly what: string;
  /** Replaces parts of the app below. */
  readonly app: Partial<App>;
  readonly edit: readonly [before: string, after: string];
  /** The rule, and some text in the part where its finding stands. */
  readonly rule: string;
  readonly at: string;
}

interface App {
  readonly auth: object;
  readonly data_intake: readonly object[];
  readonly workflows: readonly object[];
}

const hook = (name: string, saved: string) => ({
  type: "webhook",
  name,
  scope: "workflow",
  create: {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": saved },
      { "!save": { scope: "workflow" } },
    ],
  },
  delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
});

const poll = (name: string, request: string) => ({
  type: "polling",
  name,
  request: { "!jq": request },
});

const workflow = (name: string, more: object = {}) => ({
  name: `acme-${name}`,
  label: `Acme - ${name}`,
  type: "generic",
  auth: "acme",
  ...more,
});

const cases: readonly Case[] = [
  {
    what: "the type of a saved value",
    app: {
      data_intake: [
        hook("a", "{hook_id: .id, count: 1}"),
        hook("b", "{hook_id: (${data.workflow.count} + 1)}"),
      ],
      workflows: [workflow("one", { data_intake: "a" }), workflow("two", { data_intake: "b" })],
    },
    edit: ["count: 1", "count: {a: 1}"],
    rule: "jq/operand-types",
    at: '"name": "b"',
  },
  {
    what: "the name of a saved key",
    app: {
      data_intake: [hook("a", "{hook_id: .id}"), hook("b", "{other_id: .id}")],
      workflows: [workflow("one", { data_intake: "a" }), workflow("two", { data_intake: "b" })],
    },
    edit: ["{hook_id: .id}", "{hooks_id: .id}"],
    rule: "reference/unknown-saved-key",
    at: '"name": "a"',
  },
  {
    what: "what an auth entry asks for",
    app: {
      auth: {
        acme: { type: "basic", defined_fields: { subdomain: { label: "Shop" }, username: {}, password: {} } },
      },
      workflows: [
        workflow("one", { data_pipeline: { source: { "!http": { path: "/${subdomain}" } } } }),
        workflow("two"),
      ],
    },
    edit: ['"subdomain": {', '"subdomains": {'],
    rule: "expansion/out-of-scope",
    at: '"acme-one"',
  },
  {
    what: "the name of another workflow",
    app: { workflows: [workflow("two", { name: "other" }), workflow("one", { name: "else" })] },
    edit: ['"name": "other"', '"name": "acme-one"'],
    rule: "style/workflow-name",
    at: '"else"',
  },
  {
    what: "the id of a field of a linked workflow",
    app: {
      data_intake: [
        {
          ...hook("a", "{hook_id: .id}"),
          update: { "!http": { method: "PUT", path: "/${custom_data.list.value}" } },
        },
      ],
      workflows: [
        workflow("one", {
          data_intake: "a",
          setup: { select: { form_fields: [{ id: "list", label: "List", type: "textarea" }] } },
        }),
      ],
    },
    edit: ['"id": "list"', '"id": "folder"'],
    rule: "expansion/unknown-field",
    at: '"name": "a"',
  },
  {
    what: "the place in a linked workflow that a finding leads to",
    app: {
      data_intake: [
        {
          ...hook("a", "{hook_id: .id}"),
          update: { "!http": { method: "PUT", path: "/${custom_data.list.value}" } },
        },
      ],
      workflows: [
        workflow("one", {
          data_intake: "a",
          setup: {
            select: { form_fields: [{ id: "list", label: "List", type: "textarea", required: false }] },
          },
        }),
      ],
    },
    edit: ['"Acme - one"', '"Acme - one and more"'],
    rule: "expansion/optional-without-default",
    at: '"name": "a"',
  },
  {
    what: "the items of a linked intake",
    app: {
      data_intake: [poll("a", "{results: [{id: 1}], iterate: false, polling_state: {}}")],
      workflows: [
        workflow("one", { data_intake: "a", data_pipeline: { source: { "!jq": "{a: (.id + 1)}" } } }),
      ],
    },
    edit: ["{id: 1}", "{id: {a: 1}}"],
    rule: "jq/operand-types",
    at: '"acme-one"',
  },
  {
    what: "a line more before an item that is told by its bracket",
    app: {
      workflows: [workflow("one"), workflow("two", { setup: { select: { form_fields: [{}] } } })],
    },
    edit: ['"Acme - one"', '"Acme - one and more"'],
    rule: "structure/missing-member",
    at: '"acme-two"',
  },
];

test.each(cases)("$what", ({ app, edit: [before, after], rule, at }) => {
  const text = JSON.stringify(
    { $version: "2", auth: { acme: { type: "none" } }, api: { base_url: "https://api.example.com" }, ...app },
    undefined,
    1,
  );
  const edited = text.replace(before, after);
  expect(edited).not.toBe(text);
  const first = compile(text);
  const told = findingsAt(first, rule, at);
  const second = recompile(first, edited);
  expectEqual(second, compile(edited), []);
  expect(findingsAt(second, rule, at)).not.toEqual(told);
});

/** The findings of a rule in the part in which a text stands. */
function findingsAt({ model, diagnostics }: Compilation, rule: string, text: string): unknown[] {
  const at = model.document.text.indexOf(text);
  const part = model.document.segments.find(({ start, end }) => start < at && at < end)!;
  return diagnostics
    .filter(
      ({ finding, span }) => finding.rule.id === rule && part.start <= span.start && span.end <= part.end,
    )
    .map((each) => render(model, each, { fixes: false }));
}

test("a document that is cut off, and then isn't", () => {
  const cut = '{"workflows": [{"name": "acme-one"}';
  expectEqual(recompile(compile(cut), `${cut}]}`), compile(`${cut}]}`), []);
  expectEqual(recompile(compile(`${cut}]}`), cut), compile(cut), []);
});

test("a text in a part that has nothing to do with a finding", () => {
  const intake = hook("a", "{hook_id: .id}");
  const [register, ...rest] = intake.create["!pipe"];
  const registering = {
    "!http": {
      ...register!["!http"],
      body: { url: "${webhook.url}", events: ["item.added", "item.removed"] },
    },
  };
  const options = ["added", "removed", "either"].map((value) => ({ display: value, value }));
  const chosen = "${custom_data.moment.value}";
  const app = {
    $version: "2",
    auth: { acme: { type: "none" } },
    api: { base_url: "https://api.example.com" },
    data_intake: [{ ...intake, create: { "!pipe": [registering, ...rest] } }],
    workflows: [
      workflow("one", {
        data_intake: "a",
        setup: { select: { form_fields: [{ id: "moment", label: "When", type: "dropdown", options }] } },
        data_pipeline: {
          source: {
            "!jq": `if ${chosen} != "either" and ${chosen} != .event then null else {email, gone: (.event == "item.removed")} end`,
          },
          target: { "!resource": "PlatformContact" },
        },
      }),
      workflow("two", { description: "Something" }),
    ],
  };
  const text = JSON.stringify(app, undefined, 1);
  const edited = text.replace('"Something"', '"added"');
  const first = compile(text);
  const told = findingsAt(first, "intake/unregistered-option", '"acme-one"');
  expect(told).toHaveLength(2);
  const second = recompile(first, edited);
  expectEqual(second, compile(edited), []);
  expect(findingsAt(second, "intake/unregistered-option", '"acme-one"')).toEqual(told);
});
