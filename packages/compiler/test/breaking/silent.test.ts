import { readFileSync } from "node:fs";
import { breakingChanges, compile } from "@configc/compiler";
import { parseDocument, toJson } from "@configc/compiler/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases as howMany } from "../../../../test/support/cases.ts";
import { setAt } from "../rule-examples.ts";
import { baseFile } from "../support/bases.ts";
import { validConfigs } from "../support/configs.ts";

/**
 * D40, where it has to be silent: changes that look like a breaking one, with the change beside them that is one. So neither half
 * can pass by accident.
 */

const template = (name: string) => readFileSync(baseFile(name), "utf8");

type Changes = Readonly<Record<string, string | undefined>>;

interface Case {
  readonly title: string;
  readonly in: string;
  /** In both versions. */
  readonly with?: Changes;
  readonly published?: Changes;
  readonly harmless: Changes;
  readonly harmful: Changes;
  readonly rule: string;
}

const webhook = "inbound-webhook";
const polling = "inbound-polling";
const create = "/data_intake/0/create/!pipe/1/!jq";
const remove = "/data_intake/0/delete/!http/path";
const request = "/data_intake/0/request/!pipe/0/!http/params/page";
const connection = "/workflows/0/setup/connect/describe_connection/!pipe";
const targets = "/workflows/0/setup/map/describe_target/options";
const note = "/workflows/0/setup/select/form_fields/1";

const cases: readonly Case[] = [
  {
    title: "scopes of an entry of `auth` that no published workflow uses",
    in: webhook,
    with: {
      "/auth/other":
        '{"type": "oauth2", "configuration": {"authorization_base_url": "https://a.example.com", "token_url": "https://a.example.com", "client_id": "<ID>", "client_secret": "<SECRET>", "scopes": ["read"]}}',
    },
    harmless: { "/auth/other/configuration/scopes": '["read", "write"]' },
    harmful: { "/auth/acme/configuration/scopes": '["forms:read", "forms:write", "all"]' },
    rule: "breaking/scopes-widened",
  },
  {
    title: "values of options in another order, and of another kind",
    in: "outbound",
    published: {
      "/workflows/0/setup/select/form_fields/0/options":
        '[{"display": "One", "value": 1}, {"display": "All", "value": "all"}]',
    },
    harmless: {
      "/workflows/0/setup/select/form_fields/0/options":
        '[{"display": "All!", "value": "all"}, {"display": "One!", "value": 1.0}]',
    },
    harmful: {
      "/workflows/0/setup/select/form_fields/0/options":
        '[{"display": "One", "value": "1"}, {"display": "All", "value": "all"}]',
    },
    rule: "breaking/field-option-removed",
  },
  {
    title: "a new saved key that is read with a default",
    in: webhook,
    harmless: {
      [create]: '"{hook_id: .id, token: .token}"',
      [remove]: '"/hooks/${data.workflow.hook_id}?t=${data.workflow.token | default}"',
    },
    harmful: {
      [create]: '"{hook_id: .id, token: .token}"',
      [remove]: '"/hooks/${data.workflow.hook_id}?t=${data.workflow.token}"',
    },
    rule: "breaking/saved-key-missing",
  },
  {
    title: "a new saved key that each run saves before it reads it",
    in: webhook,
    harmless: {
      "/workflows/0/data_pipeline/source":
        '{"!pipe": [{"!jq": "{last: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"path": "/answers/${data.workflow.last}"}}]}',
    },
    harmful: {
      [create]: '"{hook_id: .id, last: .id}"',
      "/workflows/0/data_pipeline/source": '{"!http": {"path": "/answers/${data.workflow.last}"}}',
    },
    rule: "breaking/saved-key-missing",
  },
  {
    title: "a saved value whose published type isn't known",
    in: webhook,
    published: { [create]: '"{hook_id: .id}"' },
    harmless: { [create]: '"{hook_id: {id: .id}}"', [remove]: '"/hooks/${data.workflow.hook_id.id}"' },
    harmful: { [create]: '"{key: .id}"', [remove]: '"/hooks/${data.workflow.key}"' },
    rule: "breaking/saved-key-missing",
  },
  {
    title: "a key of the polling state that `pre_poll` sets first",
    in: polling,
    harmless: {
      "/data_intake/0/pre_poll": '{"!jq": "{polling_state: {page: 1, since: \\"\\", from: now}}"}',
      [request]: '"${polling_state.from}"',
    },
    harmful: {
      "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, since: \\"\\", from: now}}"}',
      [request]: '"${polling_state.from}"',
    },
    rule: "breaking/state-key-missing",
  },
  {
    title: "a key of the polling state that is read with a default",
    in: polling,
    harmless: { [request]: '"${polling_state.offset | default:0}"' },
    harmful: { [request]: '"${polling_state.offset}"' },
    rule: "breaking/state-key-missing",
  },
  {
    title: "another description, header and pagination where an account is asked for",
    in: webhook,
    harmless: {
      [connection]:
        '[{"!http": {"path": "/me", "headers": {"accept": "application/json"}}}, {"!jq": "{description: .email, account_id: (.id)}"}]',
    },
    harmful: {
      [connection]: '[{"!http": {"path": "/team"}}, {"!jq": "{account_id: .id, description: .name}"}]',
    },
    rule: "breaking/saved-identity",
  },
  {
    title: "another range of the same polling state type",
    in: polling,
    harmless: { "/data_intake/0/initial_setup/!jq": '"{polling_state: {page: 0, since: \\"2000\\"}}"' },
    harmful: {
      "/data_intake/0/initial_setup/!jq": '"{polling_state: {page: \\"1\\", since: \\"\\"}}"',
      "/data_intake/0/request/!pipe/1/!jq":
        '"{results: .items, iterate: .has_more, polling_state: {page: \\"2\\", since: \\"\\"}}"',
    },
    rule: "breaking/state-type",
  },
  {
    title: "options that a command gives now",
    in: "outbound",
    with: {
      [note]:
        '{"id": "note", "label": "Note", "type": "dropdown", "options": [{"display": "A", "value": "a"}, {"display": "B", "value": 2}]}',
    },
    harmless: { [`${note}/options`]: '{"!http": {"path": "/notes"}}' },
    harmful: { [`${note}/options`]: '[{"display": "A", "value": "a"}]' },
    rule: "breaking/field-option-removed",
  },
  {
    title: "an option whose value is a number instead of the same text",
    in: "outbound",
    published: { [`${targets}`]: '[{"id": "1", "title": "A"}]' },
    harmless: { [`${targets}`]: '[{"id": 1, "title": "B"}]' },
    harmful: { [`${targets}`]: '[{"id": 2, "title": "A"}]' },
    rule: "breaking/map-option-removed",
  },
  {
    title: "a required target that is new in an optional place, and one that was required before",
    in: "outbound",
    harmless: {
      [targets]:
        '[{"id": "email", "title": "Mail", "required": true}, {"id": "name", "title": "Name"}, {"id": "zip", "title": "Zip"}]',
    },
    harmful: {
      [targets]:
        '[{"id": "email", "title": "Mail", "required": true}, {"id": "name", "title": "Name", "required": true}]',
    },
    rule: "breaking/target-required",
  },
  {
    title: "an intake for the past where there was none",
    in: "historical-sync",
    published: { "/workflows/0/historical_data_intake": undefined },
    harmless: {},
    harmful: { "/workflows/0/data_intake": '"past-orders"' },
    rule: "breaking/workflow-intake",
  },
  {
    title: "constant options that a command gives",
    in: "outbound",
    published: {
      "/workflows/0/setup/select/form_fields/0/options":
        '[{"display": "A", "value": "a"}, {"display": "B", "value": 1}]',
    },
    harmless: {
      "/workflows/0/setup/select/form_fields/0/options":
        '{"!jq": "[{display: \\"Bee\\", value: 1}, {display: \\"A\\", value: \\"a\\"}]"}',
    },
    harmful: {
      "/workflows/0/setup/select/form_fields/0/options": '{"!jq": "[{display: \\"A\\", value: \\"a\\"}]"}',
    },
    rule: "breaking/field-option-removed",
  },
  {
    title: "groups, with the published fields in the default one",
    in: "outbound",
    published: { [targets]: '[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]' },
    harmless: {
      "/workflows/0/setup/map/default_group": '"person"',
      [targets]:
        '[{"id": "a", "title": "A", "group": "person"}, {"id": "b", "title": "B", "group": "person"}, {"id": "c", "title": "C", "group": "deal"}]',
    },
    harmful: {
      "/workflows/0/setup/map/default_group": '"person"',
      [targets]: '[{"id": "a", "title": "A", "group": "person"}, {"id": "b", "title": "B", "group": "deal"}]',
    },
    rule: "breaking/map-option-removed",
  },
  {
    title: "scopes that were written together",
    in: "outbound",
    published: { "/auth/acme/configuration/scopes": '["read write"]' },
    harmless: { "/auth/acme/configuration/scopes": '["write", "read"]' },
    harmful: { "/auth/acme/configuration/scopes": '["write", "read", "admin"]' },
    rule: "breaking/scopes-widened",
  },
  {
    title: "a scope less, or in another order",
    in: "outbound",
    with: { "/auth/acme/configuration/scopes": '["read", "write"]' },
    harmless: { "/auth/acme/configuration/scopes": '["write"]' },
    harmful: { "/auth/acme/configuration/scopes": '["write", "read", "all"]' },
    rule: "breaking/scopes-widened",
  },
  {
    title: "an intake that no workflow uses",
    in: webhook,
    with: {
      "/data_intake/1":
        '{"type": "webhook", "name": "spare", "scope": "workflow", "create": {"!http": {"path": "/x"}}}',
    },
    harmless: { "/data_intake/1/scope": '"connection"' },
    harmful: { "/data_intake/0/scope": '"connection"' },
    rule: "breaking/intake-scope",
  },
];

function changed(text: string, changes: Changes = {}): string {
  return Object.entries(changes).reduce((done, [pointer, json]) => setAt(done, pointer, json), text);
}

function said(example: Case, changes: Changes): string[] {
  const base = changed(template(example.in), example.with);
  const model = (text: string) => compile(text, { uri: "shop.app.json" }).model;
  return breakingChanges(model(changed(base, example.published)), model(changed(base, changes))).map(
    ({ finding }) => finding.rule.id,
  );
}

describe.each(cases.map((example) => [example.title, example] as const))("D40: %s", (_, example) => {
  test("nothing", () => {
    expect(said(example, example.harmless)).toEqual([]);
  });

  test("but the change beside it is said", () => {
    expect(said(example, example.harmful)).toContain(example.rule);
  });
});

test("documents of any kind are compared without a crash", () => {
  const texts = [
    "",
    "{}",
    "[]",
    '{"workflows": {}}',
    '{"workflows": [{"name": "__proto__", "setup": {"select": {"form_fields": [{"id": "constructor"}]}}}]}',
    `{"workflows": ${"[".repeat(20_000)}`,
  ];
  for (const a of [...texts, template(webhook)])
    for (const b of [...texts, template(webhook)])
      expect(
        Array.isArray(
          breakingChanges(compile(a, { uri: "a.app.json" }).model, compile(b, { uri: "b.app.json" }).model),
        ),
      ).toBe(true);
});

test("whatever is taken out of a config: no crash, and each finding stands in the new version", () => {
  const apps = validConfigs().map(({ path, text }) => toJson(parseDocument(text, path).root!));
  fc.assert(
    fc.property(
      fc.constantFrom(...apps),
      fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
      (app, path) => {
        const less = structuredClone(app);
        removeAt(less, path);
        const [whole, part] = [app, less].map(
          (each) => compile(JSON.stringify(each), { uri: "shop.app.json" }).model,
        );
        for (const [previous, current] of [[whole!, part!] as const, [part!, whole!] as const])
          for (const { span } of breakingChanges(previous, current)) {
            expect(span.start).toBeLessThan(span.end);
            expect(span.end).toBeLessThanOrEqual(current.document.text.length);
          }
      },
    ),
    { numRuns: howMany(80) },
  );
});

/** Follows numbers down through a value, and takes out what the last one leads to. */
function removeAt(value: unknown, path: readonly number[]): void {
  let at = value;
  for (const [depth, number] of path.entries()) {
    if (typeof at !== "object" || at === null) return;
    const container = at as Record<string, unknown>;
    const keys = Object.keys(container);
    if (keys.length === 0) return;
    const key = keys[number % keys.length]!;
    const below = container[key];
    const isLast = depth === path.length - 1 || typeof below !== "object" || below === null;
    if (!isLast) {
      at = below;
      continue;
    }
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
    return;
  }
}
