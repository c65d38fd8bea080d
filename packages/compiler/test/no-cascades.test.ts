import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument } from "./rule-examples.ts";

/** `design.md`, "No cascades": one mistake, and the only error or warning that it gives. */

type Template = "inbound-webhook" | "inbound-polling" | "outbound";

const create = "/data_intake/0/create";
const requests = `[{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}`;

/** What a command that can't be read would have saved isn't missed where it is read. */
const saves: readonly (readonly [what: string, at: string, bad: string, rule: string])[] = [
  ["a `create` that is a text", create, '«"https://hooks.example.com"»', "command/not-a-command"],
  ["a `create` that is null", create, "«null»", "command/not-a-command"],
  [
    "a list of commands",
    create,
    `«[»{"!jq": "{hook_id: 1}"}, {"!save": {"scope": "workflow"}}]`,
    "command/not-a-command",
  ],
  ["a pipe that is no list", create, '{"!pipe": «{"!jq": "."}»}', "structure/wrong-type"],
  ["a step that is a text", `${create}/!pipe/2`, '«"!save"»', "command/not-a-command"],
  [
    "a command nobody knows",
    `${create}/!pipe/2`,
    '{«"!store"»: {"scope": "workflow"}}',
    "command/unknown-command",
  ],
  [
    "a misspelled command",
    `${create}/!pipe/2`,
    '{«"!sve"»: {"scope": "workflow"}}',
    "command/unknown-command",
  ],
  ["an argument of another kind", `${create}/!pipe/2`, '{"!save": «"workflow"»}', "structure/wrong-type"],
  ["a list instead of an object to save", `${create}/!pipe/1/!jq`, '"«[.id]»"', "contract/save-input"],
  [
    "a text instead of an object to save",
    `${create}/!pipe/1/!jq`,
    '".id | «tostring»"',
    "contract/save-input",
  ],
  ["a misspelled scope", `${create}/!pipe/2/!save/scope`, '«"workfow"»', "structure/unknown-value"],
  [
    "a program that ends too early",
    `${create}/!pipe`,
    `${requests}, {"!jq": "{hook_id: .id"}, {"!save": {"scope": "workflow"}}]`,
    "jq/unclosed",
  ],
  [
    "no `create` at all",
    "/data_intake/0",
    '{"type": "webhook", "name": «"submission.created"», "scope": "workflow", "delete": {"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}}',
    "structure/missing-member",
  ],
];

/** The state of a poll is like them. */
const states: readonly (readonly [what: string, at: string, bad: string, rule: string])[] = [
  ["a text", "/data_intake/0/initial_setup", '«"{polling_state: {page: 1}}"»', "command/not-a-command"],
  [
    "an object as data",
    "/data_intake/0/initial_setup",
    '«{»"polling_state": {"page": 1}}',
    "command/not-a-command",
  ],
  [
    "a command nobody knows",
    "/data_intake/0/initial_setup",
    '{«"!compute"»: "{}"}',
    "command/unknown-command",
  ],
  [
    "a program that is no text",
    "/data_intake/0/initial_setup",
    '{"!jq": «{"polling_state": {"page": 1}}»}',
    "structure/wrong-type",
  ],
];

/** What fails for the values that arrive isn't told to give too many. */
const failures: readonly (readonly [what: string, at: string, bad: string, rule: string])[] = [
  [
    "a search in null",
    "/workflows/0/setup/connect/describe_connection",
    '{"!pipe": [{"!jq": "{next: null}"}, {"!jq": "{account_id: (.next | «scan»(\\"a\\")), description: 1}"}]}',
    "jq/input-type",
  ],
  [
    "the items of a number",
    "/workflows/0/setup/select/form_fields/0/options",
    '{"!pipe": [{"!jq": "{count: 1}"}, {"!jq": ".count«[]» | {display: .a, value: .b}"}]}',
    "jq/cannot-iterate",
  ],
];

/** What follows from a mistake isn't said beside it. */
const consequences: readonly (readonly [what: string, at: string, bad: string, rule: string])[] = [
  [
    "a URL that begins with what doesn't exist: nobody knows where its credentials go",
    "/workflows/0/data_pipeline/target",
    '{"!http": {"method": "POST", "url": "${«base».url}/subscribers", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}',
    "expansion/unknown-root",
  ],
];

/** A member that stands a level too high or too low isn't missing where it belongs, and is checked as what it is there. */
const misplaced: readonly (readonly [what: string, at: string, bad: string])[] = [
  [
    "beside the object that it belongs into, which comes later",
    "/workflows/0/setup",
    '{«"label"»: "Connect", "connect": {"describe_connection": {"!jq": "{account_id: 1, description: \\"A\\"}"}}, "select": {"label": "Form", "form_fields": [{"id": "list", "label": "List", "type": "textarea"}, {"id": "note", "label": "Note", "type": "textarea", "required": false}]}, "map": {"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "A", "options": [{"title": "Email", "id": "email"}]}}}',
  ],
  [
    "and which came before",
    "/workflows/0/setup",
    '{"connect": {"describe_connection": {"!jq": "{account_id: 1, description: \\"A\\"}"}}, «"label"»: "Connect", "select": {"label": "Form", "form_fields": [{"id": "list", "label": "List", "type": "textarea"}, {"id": "note", "label": "Note", "type": "textarea", "required": false}]}, "map": {"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "A", "options": [{"title": "Email", "id": "email"}]}}}',
  ],
  [
    "beside an object that isn't there, with fields that are read",
    "/workflows/0/setup",
    '{"connect": {"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"A\\"}"}}, «"form_fields"»: [{"id": "list", "label": "List", "type": "textarea"}, {"id": "note", "label": "Note", "type": "textarea", "required": false}], "select": {"label": "List"}}',
  ],
  [
    "several, of an object that isn't there",
    "/auth/acme",
    '{"type": "oauth2", «"authorization_base_url"»: "https://auth.example.com/authorize", "token_url": "https://auth.example.com/token", "client_id": "<CLIENT_ID>", "client_secret": "<CLIENT_SECRET>", "scopes": ["subscribers:write"]}',
  ],
  [
    "of one of several that could hold it",
    "/api",
    '{"base_url": "https://api.example.com/v1", "rate_limit": {«"read"»: {"requests": 2, "period": 1}, "write": {"requests": 2, "period": 1}}}',
  ],
  [
    "within what belongs beside it",
    "/workflows/0/setup/map",
    '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}, «"describe_target"»: {"label": "A", "options": [{"title": "Email", "id": "email"}]}}}',
  ],
];

const loud = new Set(["error", "warning"]);

function expectOne(template: Template, at: string, bad: string, rule: string): void {
  const { text, mark } = exampleDocument({ in: template, at, bad, good: "" }, bad);
  const found = compile(text, { uri: "a.app.json" })
    .diagnostics.filter(({ severity }) => loud.has(severity))
    .map(({ finding, span }) => [finding.rule.id, text.slice(span.start, span.end)]);
  expect(found).toEqual([[rule, mark === undefined ? expect.anything() : text.slice(mark.start, mark.end)]]);
}

describe("what may have been saved", () => {
  test.each(saves)("%s", (_, at, bad, rule) => expectOne("inbound-webhook", at, bad, rule));
});

describe("what may be in the state of a poll", () => {
  test.each(states)("%s", (_, at, bad, rule) => expectOne("inbound-polling", at, bad, rule));
});

describe("what would be a stream", () => {
  test.each(failures)("%s", (_, at, bad, rule) => expectOne("inbound-webhook", at, bad, rule));
});

describe("a level too high or too low", () => {
  test.each(misplaced)("%s", (_, at, bad) => expectOne("outbound", at, bad, "structure/unknown-member"));
});

describe("what follows from a mistake", () => {
  test.each(consequences)("%s", (_, at, bad, rule) => expectOne("outbound", at, bad, rule));
});
