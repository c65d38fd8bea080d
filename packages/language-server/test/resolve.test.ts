import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  DocumentSymbol,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { SymbolsResult, ToldSymbol } from "../src/features/outline-changes.ts";
import { type Opened, Session } from "./support/session.ts";

/** What is only told when a client asks for it, and what is told by its changes. */
const template = (name: string) =>
  readFileSync(new URL(`../../cli/templates/${name}.app.json`, import.meta.url), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start({
    textDocument: {
      completion: {
        completionItem: {
          snippetSupport: true,
          labelDetailsSupport: true,
          resolveSupport: { properties: ["documentation"] },
        },
      },
      codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } },
    },
  });
});
afterAll(() => session.dispose());

const change = (opened: Opened, version: number, at: string, text: string): Promise<void> => {
  const start = opened.document.positionAt(opened.document.getText().indexOf(at));
  const range = { start, end: start };
  TextDocument.update(opened.document, [{ range, text }], version);
  return session.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: opened.uri, version },
    contentChanges: [{ range, text }],
  });
};

test("documentation of a completion comes when it is asked for, also after more was typed", async () => {
  const { result, opened } = await session.at<CompletionList>(
    "textDocument/completion",
    '{"workflows": [{"data_pipeline": {"source": {"!jq": "{id: 1, names: [\\"a\\"]} | .┆"}, "target": {"!jq": "."}}}]}',
  );
  expect(result.items.every(({ documentation }) => documentation === undefined)).toBe(true);
  const item = result.items.find(({ label }) => label === "names")!;
  expect(item.labelDetails).toEqual({ description: '"a"[]' });
  await change(opened, 2, '"}, "target"', "na");
  const asked = await session.request<CompletionItem>("completionItem/resolve", item);
  expect(JSON.stringify(asked.documentation)).toContain('→ \\"a\\"[]');
});

test("parameters of a function stand behind its name", async () => {
  const { result } = await session.at<CompletionList>(
    "textDocument/completion",
    '{"workflows": [{"data_pipeline": {"source": {"!jq": "ma┆"}}}]}',
  );
  const item = result.items.find(({ label }) => label === "map")!;
  expect(item.labelDetails).toEqual({ detail: "(update)" });
  const asked = await session.request<CompletionItem>("completionItem/resolve", item);
  expect(JSON.stringify(asked.documentation)).toContain("`map(update)`");
});

test("an action has its edit when it is asked for, and none after the document has changed", async () => {
  const opened = await session.open(template("outbound").replace('"auth": "acme"', '"auth": "acm┆"'));
  const range = { start: opened.positions[0]!, end: opened.positions[0]! };
  const actions = await session.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: opened.uri },
    range,
    context: { diagnostics: [] },
  });
  expect(actions.every(({ edit }) => edit === undefined)).toBe(true);
  const action = actions.find(({ title }) => title === "Change to `acme`")!;
  const { edit } = await session.request<CodeAction>("codeAction/resolve", action);
  expect(TextDocument.applyEdits(opened.document, edit!.changes![opened.uri]!)).toBe(template("outbound"));
  await change(opened, 2, '"auth": "acm"', " ");
  await expect(session.request("codeAction/resolve", action)).rejects.toThrow("has changed");
});

test("all safe fixes are offered without trying them, where there is one", async () => {
  const fixable = template("inbound-webhook").replace('"$version": "2"', '"$version": "1"');
  const ask = async (text: string): Promise<CodeAction[]> => {
    const { uri } = await session.open(text);
    const start = { line: 0, character: 0 };
    return session.request("textDocument/codeAction", {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics: [], only: ["source.fixAll"] },
    });
  };
  expect(await ask(template("inbound-webhook"))).toEqual([]);
  const [action] = await ask(fixable);
  const { edit } = await session.request<CodeAction>("codeAction/resolve", action);
  expect(Object.values(edit!.changes!)[0]).toHaveLength(1);
});

test("lenses of some lines are those of the whole list that begin there", async () => {
  const opened = await session.open(template("inbound-polling"));
  const textDocument = { uri: opened.uri };
  const all = await session.request<CodeLens[]>("textDocument/codeLens", { textDocument });
  const [first, last] = [all[2]!.range.start.line, all[5]!.range.start.line];
  const range = { start: { line: first, character: 0 }, end: { line: last + 1, character: 0 } };
  const some = await session.request<CodeLens[]>("configc/lenses", { textDocument, range });
  expect(some).toEqual(all.filter(({ range: { start } }) => first <= start.line && start.line <= last));
  expect(some.length).toBeLessThan(all.length);
});

test("the outline is told by its changes", async () => {
  const opened = await session.open(template("inbound-polling"));
  const textDocument = { uri: opened.uri };
  const ask = (previousResultId?: string) =>
    session.request<SymbolsResult & { start: number; deleteCount: number }>("configc/symbols", {
      textDocument,
      previousResultId,
    });
  const first = await ask();
  const known = [...first.symbols];
  await change(opened, 2, '"api": {', "\n\n");
  const second = await ask(first.resultId);
  expect([second.deleteCount, second.symbols.length]).toEqual([1, 1]);
  known.splice(second.start, second.deleteCount, ...second.symbols);
  const tree = await session.request<DocumentSymbol[]>("textDocument/documentSymbol", { textDocument });
  expect(linesOf(known)).toEqual(flat(tree));
  expect(await ask("another")).toEqual({ resultId: expect.any(String), symbols: known });
});

function linesOf(symbols: readonly ToldSymbol[]): (readonly [string, number])[] {
  let line = 0;
  return symbols.map(([, , name, , lines]) => [name, (line += lines)]);
}

function flat(symbols: readonly DocumentSymbol[]): (readonly [string, number])[] {
  return symbols.flatMap(({ name, range, children = [] }) => [
    [name, range.start.line] as const,
    ...flat(children),
  ]);
}
