import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type {
  CallHierarchyItem,
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  DocumentDiagnosticReport,
  Hover,
  LinkedEditingRanges,
  Location,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { CURSOR, type Opened, type Session, textOf } from "./session.ts";

const template = readFileSync(
  new URL("../../../cli/templates/inbound-webhook.app.json", import.meta.url),
  "utf8",
);
const options = { tabSize: 2, insertSpaces: true };
const start = { line: 0, character: 0 };
const firstLine = { start, end: { line: 1, character: 0 } };

/** The template with the cursor in front of the last characters of a text of it. */
function at(text: string, before: string): string {
  const place = template.indexOf(text) + text.indexOf(before);
  return template.slice(0, place) + CURSOR + template.slice(place);
}

const field = at("/forms/${custom_data.form.value}/hooks", "form.value");
const key = at('{ "!jq": "{hook_id: .id}" }', "hook_id");

async function asked<T>(session: Session, method: string, marked: string, more: object = {}) {
  return await session.at<T>(method, marked, more);
}

async function ofDocument<T>(session: Session, method: string, more: object = {}, text = template) {
  const opened = await session.open(text);
  const result = await session.request<T>(method, { textDocument: { uri: opened.uri }, ...more });
  return { result, opened };
}

const textsOf = (opened: Opened, found: readonly Location[]) =>
  found.map(({ range }) => textOf(opened, range).replaceAll('"', ""));

/** What each method gives at least, by its name. */
export const checks: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  "textDocument/didOpen": async (session) => {
    const { result } = await ofDocument<{ items: unknown[] }>(session, "textDocument/diagnostic", {}, "[");
    expect(result.items).not.toEqual([]);
  },
  "textDocument/didChange": async (session) => {
    const { opened, result } = await ofDocument<{ items: unknown[] }>(session, "textDocument/diagnostic");
    expect(result.items).toEqual([]);
    await session.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: opened.uri, version: 2 },
      contentChanges: [{ range: firstLine, text: "" }],
    });
    const after = await session.request<{ items: unknown[] }>("textDocument/diagnostic", {
      textDocument: { uri: opened.uri },
    });
    expect(after.items).not.toEqual([]);
  },
  "textDocument/didClose": async (session) => {
    const { uri } = await session.open(template);
    await session.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    const position = start;
    expect(await session.request("textDocument/hover", { textDocument: { uri }, position })).toBeNull();
  },
  "textDocument/diagnostic": async (session) => {
    const broken = template.replace("custom_data.form.value", "custom_data.farm.value");
    const { result } = await ofDocument<DocumentDiagnosticReport & { kind: "full" }>(
      session,
      "textDocument/diagnostic",
      {},
      broken,
    );
    expect(result.items.map(({ code }) => code)).toContain("expansion/unknown-field");
  },
  "workspace/diagnostic": async (session) => {
    const { uri } = await session.open("[");
    const { items } = await session.request<{ items: { uri: string; items: unknown[] }[] }>(
      "workspace/diagnostic",
      { previousResultIds: [] },
    );
    expect(items.find((each) => each.uri === uri)?.items).not.toEqual([]);
  },
  "textDocument/completion": async (session) => {
    const { result } = await asked<CompletionList>(session, "textDocument/completion", field);
    expect(result.items.map(({ label }) => label)).toContain("form");
  },
  "completionItem/resolve": async (session) => {
    const { result } = await asked<CompletionList>(session, "textDocument/completion", field);
    const item = await session.request<CompletionItem>("completionItem/resolve", result.items[0]);
    expect(item.label).toBe(result.items[0]!.label);
  },
  "textDocument/hover": async (session) => {
    const { result } = await asked<Hover>(session, "textDocument/hover", field);
    expect(JSON.stringify(result.contents)).toContain("Form field `form`");
  },
  "textDocument/signatureHelp": async (session) => {
    const text = template.replace("{hook_id: .id}", `map(${CURSOR})`);
    const { result } = await asked<{ signatures: unknown[] }>(session, "textDocument/signatureHelp", text);
    expect(result.signatures).toHaveLength(1);
  },
  "textDocument/definition": async (session) => {
    const { result, opened } = await asked<Location[]>(session, "textDocument/definition", field);
    expect(textsOf(opened, result)).toEqual(["form"]);
    expect(result[0]!.range.start.line).toBeGreaterThan(opened.positions[0]!.line);
  },
  "textDocument/typeDefinition": async (session) => {
    const title = at(".items[] | {display: .title, value: .id}", "title");
    const { result, opened } = await asked<Location[]>(session, "textDocument/typeDefinition", title);
    expect(textsOf(opened, result)).toEqual(["!http"]);
    const line = opened.document.getText().split("\n")[result[0]!.range.start.line];
    expect(line).toContain('"path": "/forms"');
  },
  "textDocument/references": async (session) => {
    const context = { includeDeclaration: false };
    const { result, opened } = await asked<Location[]>(session, "textDocument/references", field, {
      context,
    });
    expect(textsOf(opened, result)).toEqual(["form", "form", "form", "form"]);
  },
  "textDocument/documentHighlight": async (session) => {
    const { result } = await asked<unknown[]>(session, "textDocument/documentHighlight", field);
    expect(result).toHaveLength(5);
  },
  "textDocument/prepareRename": async (session) => {
    const { result } = await asked<unknown>(session, "textDocument/prepareRename", field);
    expect(result).toMatchObject({ placeholder: "form" });
  },
  "textDocument/rename": async (session) => {
    const more = { newName: "survey" };
    const { result, opened } = await asked<WorkspaceEdit>(session, "textDocument/rename", field, more);
    expect(result.changes![opened.uri]!.map(({ newText }) => newText.replaceAll('"', ""))).toEqual(
      Array(5).fill("survey"),
    );
  },
  "textDocument/linkedEditingRange": async (session) => {
    const { result, opened } = await asked<LinkedEditingRanges>(
      session,
      "textDocument/linkedEditingRange",
      field,
    );
    expect(result.ranges.map((range) => textOf(opened, range))).toEqual(Array(5).fill("form"));
  },
  "textDocument/prepareCallHierarchy": async (session) => {
    const { result } = await asked<CallHierarchyItem[]>(session, "textDocument/prepareCallHierarchy", key);
    expect(result).toHaveLength(1);
  },
  "callHierarchy/incomingCalls": async (session) => {
    const { result } = await asked<CallHierarchyItem[]>(session, "textDocument/prepareCallHierarchy", key);
    const calls = await session.request<unknown[]>("callHierarchy/incomingCalls", { item: result[0] });
    expect(calls).toHaveLength(2);
  },
  "callHierarchy/outgoingCalls": async (session) => {
    const { result } = await asked<CallHierarchyItem[]>(session, "textDocument/prepareCallHierarchy", key);
    const calls = await session.request<unknown[]>("callHierarchy/outgoingCalls", { item: result[0] });
    expect(calls).not.toEqual([]);
  },
  "textDocument/codeAction": async (session) => {
    const { result } = await actions(session);
    expect(result.map(({ title }) => title)).toContain("Change to `form`");
  },
  "codeAction/resolve": async (session) => {
    const { result } = await actions(session);
    const action = result.find(({ title }) => title === "Change to `form`")!;
    expect(await session.request("codeAction/resolve", action)).toEqual(action);
  },
  "textDocument/documentSymbol": async (session) => {
    const { result } = await ofDocument<{ name: string }[]>(session, "textDocument/documentSymbol");
    expect(result.map(({ name }) => name)).toEqual([
      "acme",
      "api",
      "submission.created",
      "acme-import-submissions",
    ]);
  },
  "workspace/symbol": async (session) => {
    await session.open(template);
    const found = await session.request<{ name: string }[]>("workspace/symbol", { query: "describeconn" });
    expect(found).toEqual([]);
    const named = await session.request<{ name: string }[]>("workspace/symbol", { query: "submission" });
    expect(named.map(({ name }) => name)).toContain("submission.created");
  },
  "textDocument/foldingRange": async (session) => {
    const { result } = await ofDocument<unknown[]>(session, "textDocument/foldingRange");
    expect(result.length).toBeGreaterThan(20);
  },
  "textDocument/selectionRange": async (session) => {
    const opened = await session.open(field);
    const [found] = await session.request<{ range: never; parent?: { range: never } }[]>(
      "textDocument/selectionRange",
      { textDocument: { uri: opened.uri }, positions: opened.positions },
    );
    expect(textOf(opened, found!.parent!.range)).toContain(textOf(opened, found!.range));
  },
  "textDocument/semanticTokens/full": async (session) => {
    const { result } = await ofDocument<SemanticTokens>(session, "textDocument/semanticTokens/full");
    expect(result.data.length).toBeGreaterThan(50);
  },
  "textDocument/semanticTokens/full/delta": async (session) => {
    const { result, opened } = await ofDocument<SemanticTokens>(session, "textDocument/semanticTokens/full");
    const delta = await session.request("textDocument/semanticTokens/full/delta", {
      textDocument: { uri: opened.uri },
      previousResultId: result.resultId,
    });
    expect(delta).toMatchObject({ edits: [] });
  },
  "textDocument/semanticTokens/range": async (session) => {
    const { result } = await ofDocument<SemanticTokens>(session, "textDocument/semanticTokens/range", {
      range: firstLine,
    });
    expect(result.data).toEqual([]);
  },
  "textDocument/inlayHint": async (session) => {
    const range = { start, end: { line: 200, character: 0 } };
    const { result } = await ofDocument<unknown[]>(session, "textDocument/inlayHint", { range });
    expect(result).not.toEqual([]);
  },
  "textDocument/inlineValue": async (session) => {
    const opened = await session.open(field);
    const [{ line } = start] = opened.positions;
    const stoppedLocation = { start: { line, character: 0 }, end: { line, character: 1 } };
    const result = await session.request<{ expression: string }[]>("textDocument/inlineValue", {
      textDocument: { uri: opened.uri },
      range: { start, end: { line: line + 1, character: 0 } },
      context: { frameId: 1, stoppedLocation },
    });
    expect(result.map(({ expression }) => expression)).toEqual([
      "${custom_data.form.value}",
      "${webhook.url}",
    ]);
  },
  "textDocument/codeLens": async (session) => {
    const { result } = await ofDocument<CodeLens[]>(session, "textDocument/codeLens");
    expect(result.map(({ command }) => command?.title)).toContain("Run pipe to here");
    expect(result.length).toBeGreaterThan(20);
  },
  "codeLens/resolve": async (session) => {
    const { result } = await ofDocument<CodeLens[]>(session, "textDocument/codeLens");
    const lens = await session.request<CodeLens>("codeLens/resolve", result[0]);
    expect(lens.command!.title).toBe("1 reference");
  },
  "textDocument/documentLink": async (session) => {
    const { result } = await ofDocument<{ target: string }[]>(session, "textDocument/documentLink");
    expect(result.map(({ target }) => target)).toContain("https://api.example.com/v1");
  },
  "textDocument/formatting": async (session) => {
    const { result } = await ofDocument<TextEdit[]>(session, "textDocument/formatting", { options });
    expect(result).toEqual([]);
  },
  "textDocument/rangeFormatting": async (session) => {
    const text = template.replace('  "$version"', '      "$version"');
    const { result } = await ofDocument<TextEdit[]>(
      session,
      "textDocument/rangeFormatting",
      { options, range: { start, end: { line: 2, character: 0 } } },
      text,
    );
    expect(result).toHaveLength(1);
  },
  "textDocument/rangesFormatting": async (session) => {
    const text = template.replace('  "$version"', '      "$version"').replace('"base_url"', '    "base_url"');
    const line = text.split("\n").findIndex((each) => each.includes('"base_url"'));
    const ranges = [
      { start, end: { line: 2, character: 0 } },
      { start: { line: line - 1, character: 0 }, end: { line: line + 1, character: 0 } },
      { start: { line: line - 1, character: 0 }, end: { line, character: 9 } },
    ];
    const { result, opened } = await ofDocument<TextEdit[]>(
      session,
      "textDocument/rangesFormatting",
      { options, ranges },
      text,
    );
    expect(result).toHaveLength(2);
    expect(applied(opened, result)).toBe(template);
  },
  "textDocument/onTypeFormatting": async (session) => {
    const text = template.replace("/me", `/me/\${${CURSOR}`);
    const { result } = await asked<TextEdit[]>(session, "textDocument/onTypeFormatting", text, {
      ch: "{",
      options,
    });
    expect(result.map(({ newText }) => newText)).toEqual(["}"]);
  },
  "workspace/didChangeWorkspaceFolders": async (session) => {
    const event = { added: [{ uri: "file:///nowhere", name: "nowhere" }], removed: [] };
    await session.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
    const { result } = await ofDocument<unknown[]>(session, "textDocument/foldingRange");
    expect(result).not.toEqual([]);
  },
  "workspace/willRenameFiles": async (session) => {
    // A server without files has nothing to do; `packages/cli/test/editor-files.test.ts` has one with files.
    const files = [{ oldUri: "file:///a.app.json", newUri: "file:///b.app.json" }];
    expect(await session.request("workspace/willRenameFiles", { files })).toBeNull();
  },
  "workspace/didRenameFiles": async (session) => {
    const { uri } = await session.open("[");
    const files = [{ oldUri: "file:///a.app.json", newUri: "file:///b.app.json" }];
    await session.connection.sendNotification("workspace/didRenameFiles", { files });
    const { items } = await session.request<{ items: unknown[] }>("textDocument/diagnostic", {
      textDocument: { uri },
    });
    expect(items).not.toEqual([]);
  },
};

async function actions(session: Session) {
  const opened = await session.open(field.replace("custom_data.┆form.value", "custom_data.┆farm.value"));
  const range = { start: opened.positions[0]!, end: opened.positions[0]! };
  const result = await session.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: opened.uri },
    range,
    context: { diagnostics: [] },
  });
  return { opened, result };
}

/** The text with some edits. */
function applied({ document }: Opened, edits: readonly TextEdit[]): string {
  const offsets = edits.map(({ range, newText }) => ({
    from: document.offsetAt(range.start),
    to: document.offsetAt(range.end),
    newText,
  }));
  offsets.sort((a, b) => b.from - a.from);
  return offsets.reduce(
    (text, { from, to, newText }) => text.slice(0, from) + newText + text.slice(to),
    document.getText(),
  );
}
