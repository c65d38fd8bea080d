import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CompletionItem, CompletionList } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { baseFile } from "../../compiler/test/support/bases.ts";
import { Session } from "./support/session.ts";

/** Completion by kind of place: what is offered, and what the document is after taking it. */
const template = (name: string) => readFileSync(baseFile(name), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start({
    textDocument: { completion: { completionItem: { snippetSupport: true } } },
  });
});
afterAll(() => session.dispose());

interface Case {
  readonly name: string;
  readonly in: string;
  /** Text of the template, and what it is replaced by, with the cursor. */
  readonly replace: readonly [string, string];
  /** Labels that have to be offered … */
  readonly offers: readonly string[];
  /** … and must not. */
  readonly not?: readonly string[];
  /** The line of the cursor after the first of `offers` was taken. */
  readonly line?: string;
}

const cases: readonly Case[] = [
  {
    name: "members of a section that aren't there yet",
    in: "inbound-webhook",
    replace: ['"data_intake": "submission.created",', '"data_intake": "submission.created", ┆'],
    offers: ["historical_data_intake", "resource_labels"],
    not: ["name", "auth", "method"],
  },
  {
    name: "a member's name that is half typed and unclosed",
    in: "inbound-webhook",
    replace: ['"resource_type": "forms",', '"res┆'],
    offers: ["resource_labels", "resource_type"],
  },
  {
    name: "a name before a colon: only the name is replaced",
    in: "outbound",
    replace: ['"label": "Connect"', '"la┆l": "Connect"'],
    offers: ["label"],
    line: '"label": "Connect",',
  },
  {
    name: "commands where one is expected",
    in: "inbound-webhook",
    replace: ['{ "!jq": "{hook_id: .id}" },', '{ "!┆" },'],
    offers: ["!jq", "!http", "!save"],
    not: ["!respond"],
    line: '{ "!jq": "${1:.}" },',
  },
  {
    name: "members of a command's argument",
    in: "inbound-webhook",
    replace: ['"method": "PUT",', '"method": "PUT", "┆": 1,'],
    offers: ["headers", "params", "target"],
    not: ["method", "path", "url", "pagination"],
    line: '"method": "PUT", "headers": 1,',
  },
  {
    name: "values of an enumeration",
    in: "inbound-webhook",
    replace: ['"method": "PUT"', '"method": "┆"'],
    offers: ["PATCH", "GET", "HEAD"],
    line: '"method": "PATCH",',
  },
  {
    name: "a value that isn't there yet",
    in: "inbound-webhook",
    replace: ['"scope": "workflow",\n', '"scope": ┆\n'],
    offers: ["workflow", "connection", "application"],
  },
  {
    name: "names of auth entries",
    in: "outbound",
    replace: ['"auth": "acme"', '"auth": "┆"'],
    offers: ["acme"],
    line: '"auth": "acme",',
  },
  {
    name: "names of intakes",
    in: "historical-sync",
    replace: ['"historical_data_intake": "', '"historical_data_intake": "┆'],
    offers: ["past-orders"],
    not: ["order.created"],
  },
  {
    name: "resources",
    in: "inbound-webhook",
    replace: ['"!resource": "PlatformContact" }', '"!resource": "┆" }'],
    offers: ["PlatformContact", "PlatformAccount"],
    not: ["PlatformContact.fields"],
  },
  {
    name: "lists of fields",
    in: "inbound-webhook",
    replace: ['"PlatformContact.fields"', '"┆"'],
    offers: ["PlatformContact.fields", "PlatformAccount.fields"],
    not: ["PlatformContact"],
  },
  {
    name: "roots that are legal at the place, of an expansion that isn't closed",
    in: "inbound-webhook",
    replace: [
      '"url": "${webhook.url}" }\n            }\n          },',
      '"url": "${┆" }\n            }\n          },',
    ],
    offers: ["webhook", "custom_data", "data", "piped_content"],
    not: ["polling_state", "subdomain"],
  },
  {
    name: "the root is replaced whole",
    in: "inbound-webhook",
    replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${cust┆om.form.value}/hooks"],
    offers: ["custom_data"],
    line: '"path": "/forms/${custom_data.form.value}/hooks",',
  },
  {
    name: "fields, but in their own options only those before",
    in: "inbound-webhook",
    replace: ['"path": "/forms" }', '"path": "/forms/${custom_data.┆}" }'],
    offers: [],
    not: ["form"],
  },
  {
    name: "fields in the pipeline",
    in: "inbound-webhook",
    replace: ['"path": "/forms/${custom_data.form.value}" }', '"path": "/forms/${custom_data.┆.value}" }'],
    offers: ["form"],
  },
  {
    name: "attributes of a field",
    in: "inbound-webhook",
    replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${custom_data.form.┆}/hooks"],
    offers: ["value", "display"],
  },
  {
    name: "scopes of saved data",
    in: "inbound-webhook",
    replace: ['"path": "/hooks/${data.workflow.hook_id}",', '"path": "/hooks/${data.┆.hook_id}",'],
    offers: ["workflow", "connection"],
  },
  {
    name: "saved keys",
    in: "inbound-webhook",
    replace: ['"path": "/hooks/${data.workflow.hook_id}",', '"path": "/hooks/${data.workflow.ho┆}",'],
    offers: ["hook_id"],
    line: '"path": "/hooks/${data.workflow.hook_id}",',
  },
  {
    name: "keys of the polling state",
    in: "inbound-polling",
    replace: ["${polling_state.page}", "${polling_state.┆}"],
    offers: ["page", "since"],
  },
  {
    name: "indexes of a pipe up to the step, and members of what a step gave",
    in: "inbound-webhook",
    replace: ['{ "!save": { "scope": "workflow" } }', '{ "!print_c": "${piped_content.┆}" }'],
    offers: ["0", "1", "2"],
    not: ["3"],
  },
  {
    name: "members of what a step gave",
    in: "inbound-webhook",
    replace: ['{ "!save": { "scope": "workflow" } }', '{ "!print_c": "${piped_content.2.┆}" }'],
    offers: ["hook_id"],
  },
  {
    name: "members of what a command is given that is in no pipe",
    in: "outbound",
    replace: ['"fields": "${piped_content.0}"', '"email": "${piped_content.0.┆}"'],
    offers: ["email", "name"],
  },
  {
    name: "an expansion that isn't closed yet, and nothing of what stands behind it is taken",
    in: "inbound-webhook",
    replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${cu┆/hooks"],
    offers: ["custom_data"],
    line: '"path": "/forms/${custom_data/hooks",',
  },
  {
    name: "the filter",
    in: "inbound-webhook",
    replace: ["/forms/${custom_data.form.value}/hooks", "/forms/${custom_data.form.value | ┆}/hooks"],
    offers: ["default"],
    not: ["form"],
  },
  {
    name: "members of a jq program's input: the roots that are legal there",
    in: "inbound-webhook",
    replace: ['".custom_data.form.display"', '".custom_data.┆"'],
    offers: ["form"],
    not: ["map"],
  },
  {
    name: "members in quotes",
    in: "inbound-webhook",
    replace: ['".custom_data.form.display"', '".custom_data.\\"f┆o\\".display"'],
    offers: ["form"],
    line: '"display": { "!jq": ".custom_data.form.display" }',
  },
  {
    name: "members in brackets",
    in: "inbound-webhook",
    replace: ['".custom_data.form.display"', '".custom_data[\\"f┆o\\"].display"'],
    offers: ["form"],
    // As a snippet, where a backslash is written twice.
    line: '"display": { "!jq": ".custom_data[\\\\"form\\\\"].display" }',
  },
  {
    name: "members in brackets behind others",
    in: "inbound-webhook",
    replace: ['".custom_data.form.display"', '".custom_data.form[\\"┆\\"]"'],
    offers: ["display", "value"],
    // As a snippet, where a backslash is written twice.
    line: '"display": { "!jq": ".custom_data.form[\\\\"display\\\\"]" }',
  },
  {
    name: "the texts that a value can be, where it is compared",
    in: "inbound-webhook",
    replace: [
      '"{hook_id: .id}"',
      '"(if .id then \\"new\\" else \\"known\\" end) as $kind | $kind == \\"┆\\""',
    ],
    offers: ["new", "known"],
    not: ["map"],
  },
  {
    name: "builtins, members and variables in a jq program",
    in: "inbound-webhook",
    replace: ['"{hook_id: .id}"', '". as $all | ma┆"'],
    offers: ["map", "match", "max_by"],
    not: ["debug", "input"],
    line: '{ "!jq": ". as $all | map(${1:.})" },',
  },
  {
    name: "variables of a jq program",
    in: "inbound-webhook",
    replace: ['"{hook_id: .id}"', '". as $all | $a┆"'],
    offers: ["all"],
    line: '{ "!jq": ". as $all | $all" },',
  },
  {
    name: "formats of jq",
    in: "inbound-webhook",
    replace: ['"{hook_id: .id}"', '".id | @u┆"'],
    offers: ["uri"],
    line: '{ "!jq": ".id | @uri" },',
  },
  {
    name: "members of what an earlier step of the program makes",
    in: "inbound-webhook",
    replace: ['"{hook_id: .id}"', '"{hook_id: .id, other: 1} | .┆"'],
    offers: ["hook_id", "other"],
    line: '{ "!jq": "{hook_id: .id, other: 1} | .hook_id" },',
  },
];

describe("offers", () => {
  test.each(cases)("$name", async ({ in: name, replace: [from, to], offers, not, line }) => {
    const text = template(name);
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    const { result, opened } = await session.at<CompletionList>(
      "textDocument/completion",
      text.replace(from, () => to),
    );
    const labels = result.items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining([...offers]));
    for (const label of not ?? []) expect(labels).not.toContain(label);
    for (const { textEdit } of result.items) {
      const range = (textEdit as { range: { start: { line: number }; end: { line: number } } }).range;
      expect(range.start.line).toBe(range.end.line);
    }
    if (line === undefined) return;
    const item = result.items.find(({ label }) => label === offers[0]) as CompletionItem;
    const after = TextDocument.applyEdits(opened.document, [item.textEdit as never]);
    expect(after.split("\n")[opened.positions[0]!.line]!.trim()).toBe(line);
  });
});

test("in an empty program the members of what comes in stand first, then the syntax, then functions", async () => {
  const text = template("inbound-webhook").replace('"!jq": ".custom_data.form.display"', '"!jq": "┆"');
  const { result } = await session.at<CompletionList>("textDocument/completion", text);
  const sorted = result.items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1));
  const labels = sorted.map(({ label }) => label);
  const [members, rest] = [
    labels.filter((each) => each.startsWith(".")),
    labels.filter((each) => !each.startsWith(".")),
  ];
  expect(members).toContain(".custom_data");
  expect(labels.slice(0, members.length)).toEqual(members);
  expect(rest.slice(0, 6)).toEqual(["if", "try", "reduce", "foreach", "label", "def"]);
});

test("every offered snippet of a member gives valid JSON when taken as it is", async () => {
  const plain = await Session.start();
  try {
    const seen = new Set<string>();
    for (const name of ["inbound-webhook", "inbound-polling", "outbound"]) {
      const text = template(name);
      for (const match of text.matchAll(/\{\n/g)) {
        const at = match.index + 1;
        const { result, opened } = await plain.at<CompletionList>(
          "textDocument/completion",
          `${text.slice(0, at)}┆${text.slice(at)}`,
        );
        for (const item of result.items) {
          if (seen.has(item.label) || item.label.startsWith("!")) continue;
          seen.add(item.label);
          const after = TextDocument.applyEdits(opened.document, [item.textEdit as never]);
          expect(
            () => JSON.parse(after.replace(/: (?=[,}\n])/g, ": null")),
            `${item.label}: ${after.slice(at, at + 200)}`,
          ).not.toThrow();
        }
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  } finally {
    plain.dispose();
  }
});

test.each([
  ['{ "path": "/a", "p┆", "pagination": true }', '{ "path": "/a", %, "pagination": true }'],
  [
    '{ "path": "/user/orgs, all", p┆, "pagination": true }',
    '{ "path": "/user/orgs, all", %, "pagination": true }',
  ],
  ['{ "path": "/a", p┆ "pagination": true }', '{ "path": "/a", % "pagination": true }'],
  ['{ "path": "/a", "p┆, "pagination": true }', '{ "path": "/a", %, "pagination": true }'],
  ['{ "path": "/a", "p┆ }', '{ "path": "/a", % }'],
  ['{ p┆, "path": "/a" }', '{ %, "path": "/a" }'],
  ['{ "path": "/a", p┆ }', '{ "path": "/a", % }'],
])("a name that is half written takes nothing else of its line with it: %s", async (written, after) => {
  const around = (http: string) => `{"workflows": [{"data_pipeline": {"target": {"!http": ${http}}}}]}`;
  const { result, opened } = await session.at<CompletionList>("textDocument/completion", around(written));
  const item = result.items.find(({ label }) => label === "params")!;
  const { newText } = item.textEdit!;
  expect(newText).toContain('"params": {');
  expect(TextDocument.applyEdits(opened.document, [item.textEdit as never])).toBe(
    around(after.replace("%", () => newText)),
  );
});
