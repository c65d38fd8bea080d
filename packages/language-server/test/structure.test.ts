import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  SelectionRange,
  SymbolInformation,
  TextEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { cases } from "../../../test/support/cases.ts";
import { Session } from "./support/session.ts";

/** What follows from the structure of a document: outline, folds, selections, links, layout. */
const template = (name: string) =>
  readFileSync(new URL(`../../cli/templates/${name}.app.json`, import.meta.url), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

function lines(symbols: readonly DocumentSymbol[], indent = ""): string[] {
  return symbols.flatMap(({ name, detail, children }) => [
    `${indent}${name}: ${detail}`,
    ...lines(children ?? [], `${indent}  `),
  ]);
}

test("the outline has auth, intakes, workflows, fields and commands in their order", async () => {
  const { result } = await session.at<DocumentSymbol[]>(
    "textDocument/documentSymbol",
    template("inbound-webhook"),
  );
  expect(lines(result)).toMatchSnapshot();
});

test.each([
  ["impcust", true],
  ["acme-import-customers", true],
  ["custimp", false],
  ["zimpcust", false],
  ["impcustz", false],
])("workspace symbols are found by their characters in order: %s", async (query, isFound) => {
  await session.open(template("inbound-polling"));
  const found = await session.request<SymbolInformation[]>("workspace/symbol", { query });
  expect(found.map(({ name }) => name).includes("acme-import-customers")).toBe(isFound);
});

test("workspace symbols are what a config asks of a service, too, and no programs", async () => {
  await session.open(template("inbound-webhook"));
  const found = async (query: string): Promise<string[]> =>
    (await session.request<SymbolInformation[]>("workspace/symbol", { query })).map(({ name }) => name);
  expect(new Set(await found("DELETE"))).toEqual(new Set(["DELETE /hooks/{hook_id}"]));
  expect(await found("get /forms")).toContain("GET /forms/{form}");
  expect(await found("jq")).toEqual([]);
});

test("folds leave the closing bracket in sight, one for a line; comments of a .jsonc fold too", async () => {
  const opened = await session.open(
    '{\n  /* one\n     two */\n  "a": [{\n    "c": 1\n  }\n  ],\n  "b": "/* no\\n */"\n}',
    "fold.app.jsonc",
  );
  const folds = await session.request<FoldingRange[]>("textDocument/foldingRange", {
    textDocument: { uri: opened.uri },
  });
  expect(folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind ?? ""])).toEqual([
    [0, 7, ""],
    [3, 5, ""],
    [1, 2, "comment"],
  ]);
});

test.each([
  ["a text of millions of characters", `{"a": "${"\\n".repeat(3e6)}",\n"b": 1\n}`, [[0, 1]]],
  [
    "a comment that isn't closed",
    '{\n"a": 1\n}\n/*\n',
    [
      [0, 1],
      [3, 4],
    ],
  ],
  ["an escape at the end", '{\n"a": 1\n}\n"/*\n\\', [[0, 1]]],
])("folds of %s", async (_, text, lines) => {
  const opened = await session.open(text, "fold.app.jsonc");
  const folds = await session.request<FoldingRange[]>("textDocument/foldingRange", {
    textDocument: { uri: opened.uri },
  });
  expect(folds.map(({ startLine, endLine }) => [startLine, endLine])).toEqual(lines);
});

describe("the selection grows", () => {
  const cases = [
    {
      name: "from a segment of an expansion",
      text: '{"workflows": [{"data_pipeline": {"target": {"!http": {"path": "/a/${custom_data.fo┆rm.value}"}}}}]}',
      grows: ["form", "custom_data.form.value", "${custom_data.form.value}", "/a/${custom_data.form.value}"],
    },
    {
      name: "from a name of a jq program",
      text: '{"workflows": [{"data_pipeline": {"source": {"!jq": "[.items[] | {id: .ke┆y}]"}}}]}',
      grows: ["key", ".key", "id: .key", "{id: .key}"],
    },
  ];
  test.each(cases)("$name", async ({ text, grows }) => {
    const opened = await session.open(text);
    const [first] = await session.request<SelectionRange[]>("textDocument/selectionRange", {
      textDocument: { uri: opened.uri },
      positions: opened.positions,
    });
    const texts: string[] = [];
    for (let at: SelectionRange | undefined = first; at !== undefined; at = at.parent)
      texts.push(opened.document.getText(at.range));
    expect(texts.slice(0, grows.length)).toEqual(grows);
    expect(texts.at(-1)).toBe(opened.document.getText());
    for (const [index, each] of texts.entries()) expect(texts[index + 1] ?? each).toContain(each);
  });
});

test("URLs are links, but for those that lead elsewhere at run time", async () => {
  const { result } = await session.at<DocumentLink[]>(
    "textDocument/documentLink",
    '{"api": {"base_url": "https://${subdomain}.example.com"}, "auth": {"a": {"configuration": {"token_url": "https://auth.example.com/token"}}}}',
  );
  expect(result.map(({ target }) => target)).toEqual(["https://auth.example.com/token"]);
});

test.each([
  ["behind the end of a document", '{"a": 1} }, "b": 2 ┆'],
  ["within an escape", '{"workflows": [{"data_pipeline": {"target": {"!jq": ".a\\┆n"}}}]}'],
  [
    "in a filter",
    '{"workflows": [{"data_pipeline": {"target": {"!print_c": "${custom_data.a.value | defa┆ult:x}"}}}]}',
  ],
])("every selection reaches the cursor: %s", async (_, text) => {
  const opened = await session.open(text);
  const [position] = opened.positions;
  const [innermost] = await session.request<SelectionRange[]>("textDocument/selectionRange", {
    textDocument: { uri: opened.uri },
    positions: [position],
  });
  const at = opened.document.offsetAt(position!);
  for (let each = innermost; each !== undefined; each = each.parent) {
    expect(opened.document.offsetAt(each.range.start)).toBeLessThanOrEqual(at);
    expect(opened.document.offsetAt(each.range.end)).toBeGreaterThanOrEqual(at);
  }
});

describe("layout", () => {
  const options = { tabSize: 2, insertSpaces: true };
  test("keeps comments, values and the order of keys", async () => {
    const { result, opened } = await session.at<TextEdit[]>(
      "textDocument/formatting",
      '{"b":1, // why\n"a":[ "x" ,{"!jq":".a|.b"}]}',
      { options },
    );
    expect(TextDocument.applyEdits(opened.document, result)).toMatchSnapshot();
  });

  test.each(["inbound-webhook", "outbound"])("leaves %s as it is", async (name) => {
    const { result, opened } = await session.at<TextEdit[]>("textDocument/formatting", template(name), {
      options,
    });
    expect(TextDocument.applyEdits(opened.document, result)).toBe(template(name));
  });

  test("is left alone where levels have no end, and tabs have one", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const { result } = await session.at<TextEdit[]>("textDocument/formatting", deep, { options });
    expect(result).toEqual([]);
    const wide = await session.at<TextEdit[]>("textDocument/formatting", '{\n"a": 1\n}', {
      options: { tabSize: 1e9, insertSpaces: true },
    });
    const indentation = `\n${" ".repeat(16)}`;
    expect(TextDocument.applyEdits(wide.opened.document, wide.result)).toBe(`{${indentation}"a": 1\n}`);
  });

  test("only of the range that is asked for", async () => {
    const opened = await session.open('{\n"a":   1,\n"b":   2\n}');
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 9 } };
    const edits = await session.request<TextEdit[]>("textDocument/rangeFormatting", {
      textDocument: { uri: opened.uri },
      range,
      options,
    });
    expect(TextDocument.applyEdits(opened.document, edits)).toBe('{\n"a": 1,\n"b":   2\n}');
  });

  const typed = [
    { name: "opens an expansion", text: '{"a": "${┆"}', ch: "{", edits: ["}"] },
    { name: "opens one in the old spelling", text: '{"a": "$<┆"}', ch: "<", edits: [">"] },
    { name: "is closed already", text: '{"a": "${┆}"}', ch: "{", edits: [] },
    { name: "is text after two dollars", text: '{"a": "$${┆"}', ch: "{", edits: [] },
    { name: "opens an object", text: '{"a": {┆', ch: "{", edits: [] },
  ];
  test.each(typed)("a brace that $name", async ({ text, ch, edits }) => {
    const { result } = await session.at<TextEdit[] | null>("textDocument/onTypeFormatting", text, {
      ch,
      options,
    });
    expect((result ?? []).map(({ newText }) => newText)).toEqual(edits);
  });
});

describe("a document that is cut off anywhere", () => {
  const methods = [
    "documentSymbol",
    "foldingRange",
    "documentLink",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "completion",
    "hover",
    "signatureHelp",
    "codeLens",
    "semanticTokens/full",
  ];
  test.each(readdirSync(new URL("../../cli/templates/", import.meta.url)))("%s", async (file) => {
    const text = template(file.replace(".app.json", ""));
    const step = Math.ceil(text.length / cases(100));
    for (let end = 0; end < text.length; end += step) {
      const { uri, document } = await session.open(text.slice(0, end));
      const position = document.positionAt(end);
      for (const method of methods)
        await session.request(`textDocument/${method}`, {
          textDocument: { uri },
          position,
          context: { includeDeclaration: true },
        });
      await session.request("textDocument/selectionRange", { textDocument: { uri }, positions: [position] });
      await session.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    }
  });
});
