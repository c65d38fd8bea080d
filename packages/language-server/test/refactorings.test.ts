import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeAction, InitializeResult } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Session } from "./support/session.ts";

/** What refactorings write, laid out as the document is. That they keep its meaning is shown in `test/properties/refactorings`. */
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

/** A config whose target is a part of it, at its own indentation. */
function configOf(target: string, form = ""): string {
  return `{
  "$version": "2",
  "auth": { "it": { "type": "basic" } },
  "api": { "base_url": "https://api.example.com/v1/" },
  "workflows": [
    {
      "name": "w",
      "label": "W",
      "type": "automations",
      "auth": "it",
      "setup": {
        "connect": { "label": "Connect", "describe_connection": { "!jq": "{account_id: 1}" } }${form}
      },
      "data_pipeline": {
        "source": { "!resource": "PlatformContact" },
        "target": ${target}
      }
    }
  ]
}
`;
}

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  readonly form?: string;
  /** With a mark where it is asked for, two around a selection. */
  readonly from: string;
  readonly to: string;
  readonly formAfter?: string;
}

const rows: readonly Row[] = [
  {
    name: "a command gets a pipe",
    kind: "refactor.rewrite",
    title: "Wrap in a `!pipe`",
    from: `{ "!j┆q": "{email}" }`,
    to: `{
          "!pipe": [
            { "!jq": "{email}" }
          ]
        }`,
  },
  {
    name: "a step gets a pipe, and reads its input by another number",
    kind: "refactor.rewrite",
    title: "Wrap in a `!pipe`",
    from: `{
          "!pipe": [
            { "!jq": "{id: 1}" },
            {
              "!http┆": {
                "path": "/a/\${piped_content.1.id}"
              }
            }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!jq": "{id: 1}" },
            {
              "!pipe": [
                {
                  "!http": {
                    "path": "/a/\${piped_content.0.id}"
                  }
                }
              ]
            }
          ]
        }`,
  },
  {
    name: "the steps of a pipe within a pipe come out, and numbers follow",
    kind: "refactor.rewrite",
    title: "Join the `!pipe` with the one around it",
    from: `{
          "!pipe": [
            { "!jq": "{id: 1}" },
            {
              "!pi┆pe": [
                { "!jq": "[., \${piped_content.0}]" },
                // why
                { "!jq": "\${piped_content.1}" }
              ]
            },
            { "!jq": "\${piped_content.2} | \${piped_content[2]} | \${piped_content.1.id}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!jq": "{id: 1}" },
            { "!jq": "[., \${piped_content.1}]" },
            // why
            { "!jq": "\${piped_content.2}" },
            { "!jq": "\${piped_content.3} | \${piped_content[3]} | \${piped_content.1.id}" }
          ]
        }`,
  },
  {
    name: "a program becomes two steps",
    kind: "refactor.extract",
    title: "Split the program at `|` into two steps",
    from: `{
          "!pipe": [
            { "!jq": ".a | .b |┆ {c: .d}" },
            { "!jq": "\${piped_content.1} + \${piped_content.0}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!jq": ".a | .b" },
            { "!jq": "{c: .d}" },
            { "!jq": "\${piped_content.2} + \${piped_content.0}" }
          ]
        }`,
  },
  {
    name: "two programs become one",
    kind: "refactor.inline",
    title: "Join with the `!jq` after it",
    from: `{
          "!pipe": [
            { "!jq": "┆{a: \\"x\\"}" },
            { "!jq": ".a" },
            { "!jq": "\${piped_content.2} + \${piped_content.0}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!jq": "{a: \\"x\\"} | .a" },
            { "!jq": "\${piped_content.1} + \${piped_content.0}" }
          ]
        }`,
  },
  {
    name: "a step that is read by its number gets a name",
    kind: "refactor.inline",
    title: "Inline into the `!jq` after it",
    from: `{
          "!pipe": [
            { "!http": { "path": "/a" } },
            { "!jq": "{n: .total}┆" },
            { "!jq": "\${piped_content.1} + {all: \${piped_content.2}}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!http": { "path": "/a" } },
            { "!jq": "{n: .total} | . as $made | \${piped_content.1} + {all: $made}" }
          ]
        }`,
  },
  {
    name: "an expression becomes a step",
    kind: "refactor.extract",
    title: "Extract into a new step",
    from: `{
          "!pipe": [
            { "!http": { "path": "/a" } },
            { "!jq": "{all: ┆[.items[] | .id]┆, n: .total}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!http": { "path": "/a" } },
            { "!jq": "[.items[] | .id]" },
            { "!jq": "\${piped_content.1} | {all: \${piped_content.2}, n: .total}" }
          ]
        }`,
  },
  {
    name: "a step moves, and numbers follow",
    kind: "refactor.move",
    title: "Move the step up",
    from: `{
          "!pipe": [
            { "!jq": "{a: .b}" },
            { "!http┆": { "path": "/lists" } },
            { "!jq": "{id: .id, a: \${piped_content.1.a}, l: \${piped_content.2.l}}" }
          ]
        }`,
    to: `{
          "!pipe": [
            { "!http": { "path": "/lists" } },
            { "!jq": "\${piped_content.0} | {a: .b}" },
            { "!jq": "\${piped_content.1} | {id: .id, a: \${piped_content.2.a}, l: \${piped_content.1.l}}" }
          ]
        }`,
  },
  {
    name: "a whole address becomes a path",
    kind: "refactor.rewrite",
    title: "Write as a `path` below `api.base_url`",
    from: `{ "!http": { "ur┆l": "https://api.example.com/v1/a?b=1" } }`,
    to: `{ "!http": { "path": "/a?b=1" } }`,
  },
  {
    name: "a path becomes a whole address",
    kind: "refactor.rewrite",
    title: "Write as a whole `url`",
    from: `{ "!http": { "pat┆h": "a" } }`,
    to: `{ "!http": { "url": "https://api.example.com/v1/a" } }`,
  },
  {
    name: "a text becomes a form field, with a form where there is none",
    kind: "refactor.extract",
    title: "Turn `news` into the form field `list-id`",
    from: `{ "!http": { "method": "POST", "path": "/a", "body": { "list_id": "ne┆ws" } } }`,
    to: `{ "!http": { "method": "POST", "path": "/a", "body": { "list_id": "\${custom_data.list-id.value}" } } }`,
    formAfter: `,
        "select": {
          "label": "Choose",
          "form_fields": [
            {
              "label": "List id",
              "id": "list-id",
              "type": "dropdown",
              "options": [{ "display": "news", "value": "news" }]
            }
          ]
        }`,
  },
  {
    name: "so does a segment of a path",
    kind: "refactor.extract",
    title: "Turn `news` into the form field `lists`",
    form: `,
        "select": { "label": "S", "form_fields": [] }`,
    from: `{ "!http": { "path": "/lists/ne┆ws/members?all=true" } }`,
    to: `{ "!http": { "path": "/lists/\${custom_data.lists.value}/members?all=true" } }`,
    formAfter: `,
        "select": { "label": "S", "form_fields": [
          {
            "label": "Lists",
            "id": "lists",
            "type": "dropdown",
            "options": [{ "display": "news", "value": "news" }]
          }
        ] }`,
  },
];

async function actionsAt(marked: string) {
  const opened = await session.open(marked, `refactor-${Math.random()}.app.jsonc`);
  const [start, end = start] = opened.positions;
  const actions = await session.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: opened.uri },
    range: { start, end },
    context: { diagnostics: [], only: ["refactor"] },
  });
  return { opened, actions };
}

describe("refactorings", () => {
  test.each(rows)("$name", async ({ kind, title, form, from, to, formAfter = form }) => {
    const { opened, actions } = await actionsAt(configOf(from, form));
    const action = actions.find((each) => each.title === title);
    expect(action?.kind, `offered: ${actions.map((each) => each.title).join(", ")}`).toBe(kind);
    const after = TextDocument.applyEdits(opened.document, action!.edit!.changes![opened.uri]!);
    expect(after).toBe(configOf(to, formAfter));
  });

  test("a field with its options is added behind the one at the cursor", async () => {
    const { opened, actions } = await actionsAt(
      configOf(
        `{ "!jq": "." }`,
        `,
        "select": {
          "label": "S",
          "form_fields": [
            { "label": "No┆te", "id": "note", "type": "textarea" },
            { "label": "Last", "id": "last", "type": "textarea" }
          ]
        }`,
      ),
    );
    const action = actions.find(({ title }) => title === "Add a form field with its options");
    const after = TextDocument.applyEdits(opened.document, action!.edit!.changes![opened.uri]!);
    expect(after).toContain(`            { "label": "Note", "id": "note", "type": "textarea" },
            {
              "label": "Choice",
              "id": "choice",
              "type": "dropdown",
              "required": false,
              "options": {
                "!pipe": [
                  { "!http": { "method": "GET", "path": "/choices" } },
                  { "!jq": "[.items[] | {display: .name, value: .id}]" }
                ]
              }
            },
            { "label": "Last",`);
  });
});

/** Where the meaning might change, nothing is offered. */
const refused: readonly { readonly name: string; readonly title: RegExp; readonly from: string }[] = [
  { name: "a stream isn't split", title: /Split/, from: `{ "!jq": ".items[] |┆ .id" }` },
  { name: "a name isn't left behind", title: /Split/, from: `{ "!jq": ". as $x | .a |┆ $x" }` },
  {
    name: "what may give nothing isn't joined",
    title: /Join|Inline/,
    from: `{ "!pipe": [{ "!jq": "┆.a[]?" }, { "!jq": ".b" }] }`,
  },
  {
    name: "what a later step reads isn't joined",
    title: /Join|Inline/,
    from: `{ "!pipe": [{ "!jq": "┆.a" }, { "!jq": ".b" }, { "!jq": "\${piped_content.1}" }] }`,
  },
  {
    name: "a condition's branch isn't extracted",
    title: /Extract/,
    from: `{ "!jq": "if .a then ┆.b.c┆ else 1 end" }`,
  },
  { name: "a caught failure isn't extracted", title: /Extract/, from: `{ "!jq": "{a: (┆.b.c┆)?}" }` },
  {
    name: "a request that writes isn't moved",
    title: /Move/,
    from: `{ "!pipe": [{ "!http": { "path": "/a" } }, { "!h┆ttp": { "method": "POST", "path": "/b" } }, { "!jq": "1" }] }`,
  },
  {
    name: "a step isn't moved before what it reads",
    title: /Move/,
    from: `{ "!pipe": [{ "!http": { "path": "/a" } }, { "!h┆ttp": { "path": "/b/\${piped_content.1.id}" } }, { "!jq": "1" }] }`,
  },
  {
    name: "a step that reads two values isn't wrapped",
    title: /Wrap/,
    from: `{ "!pipe": [{ "!jq": "1" }, { "!j┆q": "\${piped_content.0}" }] }`,
  },
  {
    name: "another target's address stays",
    title: /Write/,
    from: `{ "!http": { "ur┆l": "https://api.example.com/v1/a", "target": "external" } }`,
  },
  {
    name: "another host's address stays",
    title: /Write/,
    from: `{ "!http": { "ur┆l": "https://api.example.com/v12/a" } }`,
  },
];

describe("isn't offered:", () => {
  test.each(refused)("$name", async ({ title, from }) => {
    const { actions } = await actionsAt(configOf(from));
    expect(actions.map((each) => each.title).filter((each) => title.test(each))).toEqual([]);
  });
});

test("the kinds are announced", () => {
  const { capabilities } = session.initialized as InitializeResult;
  expect(capabilities.codeActionProvider).toMatchObject({
    codeActionKinds: expect.arrayContaining([
      "refactor.extract",
      "refactor.inline",
      "refactor.move",
      "refactor.rewrite",
    ]),
  });
});
