import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Location, Range, WorkspaceEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { baseFile } from "../../compiler/test/support/bases.ts";
import { CURSOR, Session } from "./support/session.ts";

/** Definition, references and rename of each kind of name, in a template that has them all. */
const template = (name: string) => readFileSync(baseFile(name), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

/** The template with the cursor in the middle of the n-th (from 0) occurrence of a text. */
function marked(text: string, within: string, nth = 0): string {
  let at = -1;
  for (let i = 0; i <= nth; i++) at = text.indexOf(within, at + 1);
  if (at < 0) throw new Error(`${within} isn't there`);
  const middle = at + within.length - 1;
  return text.slice(0, middle) + CURSOR + text.slice(middle);
}

const cases: readonly {
  kind: string;
  template: string;
  /** A text that ends in the name, and which of its occurrences the cursor is in. */
  cursor: string;
  nth?: number;
  to: string;
  /** Lines that change, as they are after it. */
  lines: readonly string[];
}[] = [
  {
    kind: "auth, at its use",
    template: "outbound",
    cursor: '"auth": "acme',
    to: "acme-2",
    lines: ['"acme-2": {', '"auth": "acme-2",'],
  },
  {
    kind: "intake, at its declaration",
    template: "inbound-polling",
    cursor: '"name": "customers',
    to: "people",
    lines: ['"name": "people",', '"data_intake": "people",'],
  },
  {
    kind: "workflow",
    template: "outbound",
    cursor: '"name": "acme-',
    to: "renamed",
    lines: ['"name": "renamed",'],
  },
  {
    kind: "field, in an expansion; uses in jq follow",
    template: "inbound-webhook",
    cursor: "${custom_data.form",
    to: "which-form",
    lines: [
      '"path": "/forms/${custom_data.which-form.value}/hooks",',
      '"id": "which-form",',
      '"resource_id": { "!jq": ".custom_data.\\"which-form\\".value" },',
      '"display": { "!jq": ".custom_data.\\"which-form\\".display" }',
      '{ "!http": { "method": "GET", "path": "/forms/${custom_data.which-form.value}" } },',
    ],
  },
  {
    kind: "saved key, where it is read",
    template: "inbound-webhook",
    cursor: "${data.workflow.hook_id",
    to: "id",
    lines: [
      '{ "!jq": "{id: .id}" },',
      '"path": "/hooks/${data.workflow.id}",',
      '"!http": { "method": "DELETE", "path": "/hooks/${data.workflow.id}" }',
    ],
  },
  {
    kind: "polling key, where a command writes it",
    template: "inbound-polling",
    cursor: "{polling_state: {page",
    to: "number",
    lines: [
      '"initial_setup": { "!jq": "{polling_state: {number: 1, since: \\"2000-01-01T00:00:00Z\\"}}" },',
      '"params": { "page": "${polling_state.number}", "updated_after": "${polling_state.since}", "sort": "updated_at" }',
      '"!jq": "{results: .items, iterate: .has_more, polling_state: {number: (if .has_more then ${polling_state.number} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
    ],
  },
];

describe("rename", () => {
  test.each(cases)("$kind", async ({ template: name, cursor, nth, to, lines }) => {
    const text = template(name);
    const { result, opened } = await session.at<WorkspaceEdit>(
      "textDocument/rename",
      marked(text, cursor, nth),
      {
        newName: to,
      },
    );
    const edits = result.changes![opened.uri]!;
    const renamed = TextDocument.applyEdits(opened.document, edits);
    const before = text.split("\n");
    const changed = renamed.split("\n").filter((line, index) => line !== before[index]);
    expect(changed.map((line) => line.trim())).toEqual(lines);
    expect(() => JSON.parse(renamed)).not.toThrow();
  });
});

/** A config with a program to look at. */
const withProgram = (program: string) =>
  template("outbound").replace(
    /"target": \{/,
    `"source_": 1, "target": { "!jq": "${program}" }, "unused": {`,
  );

describe("variables and functions of a jq program", () => {
  const programs: readonly { name: string; program: string; to: string; renamed: string }[] = [
    {
      name: "a variable, and no other of that name",
      program: ".a as $x | $┆x + (.b as $x | $x)",
      to: "y",
      renamed: ".a as $y | $y + (.b as $x | $x)",
    },
    {
      name: "a function, where it calls itself",
      program: "def f: if . > 9 then . else . + 1 | f┆ end; f",
      to: "up",
      renamed: "def up: if . > 9 then . else . + 1 | up end; up",
    },
    {
      name: "a parameter by value",
      program: "def f($┆n): $n + 1; f(2)",
      to: "count",
      renamed: "def f($count): $count + 1; f(2)",
    },
  ];
  test.each(programs)("$name", async ({ program, to, renamed }) => {
    const { result, opened } = await session.at<WorkspaceEdit>("textDocument/rename", withProgram(program), {
      newName: to,
    });
    expect(TextDocument.applyEdits(opened.document, result.changes![opened.uri]!)).toContain(renamed);
  });
});

describe("what can't be renamed", () => {
  test("a new name that another thing has is refused with the reason", async () => {
    const text = template("inbound-webhook").replace(
      '"id": "form",',
      '"id": "other", "label": "Other", "type": "textarea" }, { "id": "form┆",',
    );
    await expect(session.at("textDocument/rename", text, { newName: "other" })).rejects.toThrow(
      "There is already a form field `other`.",
    );
  });

  test("an id that no path could name", async () => {
    const text = marked(template("inbound-webhook"), '"id": "form');
    await expect(session.at("textDocument/rename", text, { newName: "a b" })).rejects.toThrow("spaces");
  });

  test("a place without a name", async () => {
    const { result } = await session.at(
      "textDocument/prepareRename",
      marked(template("outbound"), '"$version'),
    );
    expect(result).toBeNull();
  });

  test("what is asked first says the characters of the name", async () => {
    const { result, opened } = await session.at<{ range: Range; placeholder: string }>(
      "textDocument/prepareRename",
      marked(template("inbound-webhook"), "${custom_data.form"),
    );
    expect(result.placeholder).toBe("form");
    expect(opened.document.getText(result.range)).toBe("form");
  });
});

test("the definition of a name is its declaration, also from jq", async () => {
  const { result, opened } = await session.at<Location[]>(
    "textDocument/definition",
    marked(template("inbound-webhook"), ".custom_data.form"),
  );
  expect(result.map(({ range }) => opened.document.getText(range))).toEqual(["form"]);
  expect(opened.document.getText().slice(0, opened.document.offsetAt(result[0]!.range.start))).toMatch(
    /"id": "$/,
  );
});

test("references are every use, with or without the declaration", async () => {
  const text = marked(template("inbound-webhook"), '"id": "form');
  const { result: uses } = await session.at<Location[]>("textDocument/references", text, {
    context: { includeDeclaration: false },
  });
  const { result: all } = await session.at<Location[]>("textDocument/references", text, {
    context: { includeDeclaration: true },
  });
  expect([uses.length, all.length]).toEqual([4, 5]);
});

test("highlights tell writing from reading", async () => {
  const { result } = await session.at<{ kind: number }[]>(
    "textDocument/documentHighlight",
    marked(template("inbound-webhook"), "${data.workflow.hook_id"),
  );
  expect(result.map(({ kind }) => kind)).toEqual([3, 2, 2]);
});
