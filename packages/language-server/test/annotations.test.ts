import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeLens, InlayHint, SemanticTokens, SemanticTokensDelta } from "vscode-languageserver/node";
import { type Opened, Session } from "./support/session.ts";

/** What an editor shows without being asked: hints, lenses, colours. */
const template = (name: string) =>
  readFileSync(new URL(`../../cli/templates/${name}.app.json`, import.meta.url), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

/** Each hint with the characters before it. */
function shown({ document }: Opened, hints: readonly InlayHint[]): string[] {
  return hints.map(({ position, label }) => {
    const line = document.getText().split("\n")[position.line]!;
    return `${line.slice(Math.max(0, position.character - 24), position.character).trim()}→${label}`;
  });
}

test("hints say what steps give, and what an index of a pipe means", async () => {
  const text = template("inbound-webhook").replace(
    '{ "!save": { "scope": "workflow" } }',
    '{ "!print_c": "${piped_content.1.id}" }, { "!save": { "scope": "workflow" } }',
  );
  const opened = await session.open(text);
  const range = { start: { line: 0, character: 0 }, end: opened.document.positionAt(text.length) };
  const hints = await session.request<InlayHint[]>("textDocument/inlayHint", {
    textDocument: { uri: opened.uri },
    range,
  });
  expect(shown(opened, hints)).toMatchSnapshot();
  const few = await session.request<InlayHint[]>("textDocument/inlayHint", {
    textDocument: { uri: opened.uri },
    range: { start: { line: 0, character: 0 }, end: { line: 5, character: 0 } },
  });
  expect(few).toEqual([]);
});

test("each command can be run, each name says how often it is used", async () => {
  const { result: unresolved, opened } = await session.at<CodeLens[]>(
    "textDocument/codeLens",
    template("inbound-polling"),
  );
  const result = await Promise.all(
    unresolved.map((lens) => session.request<CodeLens>("codeLens/resolve", lens)),
  );
  const text = opened.document.getText();
  const commands = text.match(/"!\w+":/g)!.length;
  expect(result.filter(({ command }) => command!.title === "Run step")).toHaveLength(commands);
  expect(result.filter(({ command }) => command!.title === "Run poll")).toHaveLength(1);
  expect(
    result
      .filter(({ command }) => command!.command === "configc.showReferences")
      .map(({ command }) => command!.title),
  ).toEqual(["1 reference", "1 reference", "3 references"]);
  const run = result.find(({ command }) => command!.title === "Run step")!;
  expect(run.command!.arguments).toEqual([{ uri: opened.uri, pointer: "/data_intake/0/initial_setup" }]);
});

test("expansions and jq have colours of their own", async () => {
  const { result, opened } = await session.at<SemanticTokens>(
    "textDocument/semanticTokens/full",
    '{"workflows": [{"data_pipeline": {"source": {"!jq": "def f($x): $x + 1; .items[] | f(.a) as $y | map($y) | ${custom_data.form.value | default}"}}}]}',
  );
  type Five = [number, number, number, number, number];
  const { tokenTypes: legend, tokenModifiers } =
    session.initialized!.capabilities.semanticTokensProvider!.legend;
  const tokens: string[] = [];
  let [line, character] = [0, 0];
  for (let i = 0; i < result.data.length; i += 5) {
    const [lines, characters, length, type, bits] = result.data.slice(i, i + 5) as Five;
    line += lines;
    character = lines > 0 ? characters : character + characters;
    const start = { line, character };
    const text = opened.document.getText({ start, end: { line, character: character + length } });
    const modifiers = tokenModifiers.filter((_, bit) => bits & (1 << bit)).map((name) => `.${name}`);
    tokens.push(`${text}:${legend[type]}${modifiers.join("")}`);
  }
  expect(tokens).toEqual([
    "f:function.declaration",
    "$x:parameter.declaration",
    "$x:variable",
    "1:number",
    "items:property",
    "f:function",
    "a:property",
    "$y:variable.declaration",
    "map:function.defaultLibrary",
    "$y:variable",
    "custom_data:namespace.defaultLibrary",
    "form:property",
    "value:property",
    "default:keyword",
  ]);
});

test("after an edit only the colours that changed are sent", async () => {
  const { uri, document } = await session.open(template("outbound"));
  const textDocument = { uri };
  const full = () => session.request<SemanticTokens>("textDocument/semanticTokens/full", { textDocument });
  const before = await full();
  const at = document.positionAt(document.getText().indexOf("[.items[]"));
  await session.connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: at, end: at }, text: "def f: .; " }],
  });
  const delta = await session.request<SemanticTokensDelta>("textDocument/semanticTokens/full/delta", {
    textDocument,
    previousResultId: before.resultId,
  });
  const sent = delta.edits.flatMap(({ data = [] }) => data);
  const after = [...before.data];
  for (const { start, deleteCount, data = [] } of [...delta.edits].sort((a, b) => b.start - a.start))
    after.splice(start, deleteCount, ...data);
  expect(after).toEqual((await full()).data);
  expect(after).not.toEqual(before.data);
  expect(sent.length).toBeLessThan(after.length / 2);
  // Who names a result that isn't known gets all of them.
  const unknown = await session.request<SemanticTokens>("textDocument/semanticTokens/full/delta", {
    textDocument,
    previousResultId: "another",
  });
  expect(unknown.data).toEqual(after);
});
