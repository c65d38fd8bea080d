import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  CodeAction,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentDiagnosticReport,
  DocumentHighlight,
  Hover,
  Location,
  SemanticTokens,
  SignatureHelp,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Program, TriedInput, WrittenProgram } from "../src/requests/index.ts";
import { Session } from "./support/session.ts";

/** jq programs in documents of their own: all that an editor asks, and the way back into the config. */
const template = readFileSync(
  new URL("../../cli/templates/inbound-polling.app.json", import.meta.url),
  "utf8",
);
let session: Session;
beforeAll(async () => {
  session = await Session.start({
    textDocument: { completion: { completionItem: { snippetSupport: true } } },
  });
});
afterAll(() => session.dispose());

/** The template with another program in its form field's options, whose input is a response. */
const configWith = (program: string): string =>
  template.replace(JSON.stringify("[.items[] | {display: .name, value: .id}]"), JSON.stringify(program));
const node = "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq";

async function opened(program: string, shown?: string) {
  const config = await session.open(configWith(program));
  const found = await session.request<Program>("configc/program", {
    textDocument: { uri: config.uri },
    node: node.slice(0, -4),
  });
  const marked = shown ?? found.text;
  const parts = marked.split("┆");
  const text = parts.join("");
  const document = TextDocument.create(found.uri, "jq", 1, text);
  await session.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: found.uri, languageId: "jq", version: 1, text },
  });
  let offset = 0;
  const [position] = parts.slice(0, -1).map((part) => document.positionAt((offset += part.length)));
  const ask = <T>(method: string, more: object = {}): Promise<T> =>
    session.request<T>(method, { textDocument: { uri: found.uri }, position, ...more });
  return { config, found, document, position, ask };
}

const long =
  '[.items[] | select(.name != null and .archived == false) | {display: "\\(.name) (\\(.count))", value: .id}] | sort_by(.display)';

describe("a program in a document of its own", () => {
  test("is unescaped and laid out, and has its place in the config", async () => {
    const { found, config } = await opened(long);
    expect(found).toMatchObject({
      title: "options 2",
      command: node.slice(0, -4),
    });
    expect(found.uri).toMatch(/^configc-jq:\/options%202\.jq\?/);
    expect(found.text).toBe(`[
  .items[]
  | select(.name != null and .archived == false)
  | {display: "\\(.name) (\\(.count))", value: .id}
]
| sort_by(.display)`);
    expect(JSON.parse(config.document.getText(found.range))).toBe(long);
  });

  test("is found by a place in the config too", async () => {
    const config = await session.open(configWith(". as $x┆ | $x"));
    const found = await session.request<Program>("configc/program", {
      textDocument: { uri: config.uri },
      position: config.positions[0],
    });
    expect(found.text).toBe(". as $x | $x");
  });

  const write = async (program: string, text: string) => {
    const { ask, config } = await opened(program, text);
    const written = await ask<WrittenProgram | null>("configc/writeProgram", { text });
    if (written === null) return null;
    expect(written.config).toBe(config.uri);
    const after = TextDocument.applyEdits(config.document, [written]);
    return JSON.parse(after).workflows[0].setup.select.form_fields[0].options["!pipe"][1]["!jq"];
  };

  test("goes back as one string on one line", async () => {
    expect(await write(long, '[\n  .items[]\n  | {\n    display: "a\n b",\n    value: .id\n  }\n]')).toBe(
      '[.items[] | {display: "a\n b", value: .id}]',
    );
  });

  test("keeps the lines that its author wrote, and those that end comments", async () => {
    expect(await write(".a\n| .b", ".a\n| .c")).toBe(".a\n| .c");
    expect(await write(".a", ".a # why\n| .c")).toBe(".a # why\n| .c");
  });

  test("isn't written where nothing but blanks is another", async () => {
    const { found } = await opened(long);
    expect(await write(long, found.text)).toBeNull();
    expect(await write("{a:  1}", "{a:  1}")).toBeNull();
  });

  test("is found again when steps come before it, and refused when it is gone", async () => {
    const { config, ask } = await opened(".unique | .b");
    const change = (text: string, version: number) =>
      session.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: config.uri, version },
        contentChanges: [{ text }],
      });
    const moved = config.document
      .getText()
      .replace('"form_fields": [', '"form_fields": [{"id": "x", "label": "X", "type": "textarea"},');
    await change(moved, 2);
    const written = await ask<WrittenProgram>("configc/writeProgram", { text: ".c" });
    const document = TextDocument.create("x", "appconfig", 1, moved);
    expect(document.getText(written.range)).toBe('".unique | .b"');
    await change("{}", 3);
    await expect(ask("configc/writeProgram", { text: ".c" })).rejects.toThrow(/is no longer in its config/);
  });
});

describe("all features of the language", () => {
  test("completion, with what comes in, unescaped", async () => {
    const { ask, document } = await opened(".", '{"a b": 1, c: {d: 2}} | .┆');
    const { items } = await ask<CompletionList>("textDocument/completion");
    const text = (label: string): string => {
      const item = items.find((each: CompletionItem) => each.label === label)!;
      return TextDocument.applyEdits(document, [item.textEdit as never]);
    };
    expect(text("a b")).toBe('{"a b": 1, c: {d: 2}} | ."a b"');
    expect(text("c")).toBe('{"a b": 1, c: {d: 2}} | .c');
  });

  test("expansions complete as in the config", async () => {
    const { ask } = await opened(".", ". + ${piped_content.┆}");
    const { items } = await ask<CompletionList>("textDocument/completion");
    expect(items.map(({ label }) => label)).toEqual(["0", "1"]);
  });

  test("hover and signature help", async () => {
    const { ask } = await opened(".", "{a: 1}\n| .a\n| tostri┆ng");
    const hover = await ask<Hover>("textDocument/hover");
    expect(JSON.stringify(hover.contents)).toContain("tostring");
    expect(hover.range).toEqual({ start: { line: 2, character: 2 }, end: { line: 2, character: 10 } });
    const called = await opened(".", "test(.a; ┆");
    const help = await called.ask<SignatureHelp>("textDocument/signatureHelp");
    expect(help.signatures[0]?.label).toContain("test(");
    expect(help.activeParameter).toBe(1);
  });

  test("findings, with those of the document around it left out, and their fixes", async () => {
    const { ask, document } = await opened(".", '"é\\"" |\n  lenght');
    const report = await ask<DocumentDiagnosticReport>("textDocument/diagnostic");
    const items: Diagnostic[] = report.kind === "full" ? report.items : [];
    expect(items.map(({ code, range }) => [code, range])).toEqual([
      ["jq/unknown-function", { start: { line: 1, character: 2 }, end: { line: 1, character: 8 } }],
    ]);
    const actions = await ask<CodeAction[]>("textDocument/codeAction", {
      range: items[0]!.range,
      context: { diagnostics: items },
    });
    const changes = actions[0]!.edit!.changes!;
    expect(Object.keys(changes)).toEqual([document.uri]);
    expect(TextDocument.applyEdits(document, changes[document.uri]!)).toBe('"é\\"" |\n  length');
  });

  test("names: highlights here, definitions and renames also in the config", async () => {
    const { ask, config, document } = await opened(
      ".",
      ". as $one |\n $on┆e + {a: ${custom_data.list.value}}",
    );
    expect(
      (await ask<DocumentHighlight[]>("textDocument/documentHighlight")).map(({ range }) => range.start.line),
    ).toEqual([0, 1]);
    const renamed = await ask<WorkspaceEdit>("textDocument/rename", { newName: "two" });
    expect(TextDocument.applyEdits(document, renamed.changes![document.uri]!)).toContain("$two + ");
    expect(Object.keys(renamed.changes!)).toEqual([document.uri]);
    expect(config.uri).not.toBe(document.uri);
  });

  test("a name that is declared in the config is gone to there", async () => {
    const config = await session.open(template);
    const request = "/data_intake/0/request/!pipe/1/!jq";
    const found = await session.request<Program>("configc/program", {
      textDocument: { uri: config.uri },
      node: request,
    });
    const text = "${polling_state.page}";
    await session.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: found.uri, languageId: "jq", version: 1, text },
    });
    const at = { textDocument: { uri: found.uri }, position: { line: 0, character: 18 } };
    const locations = await session.request<Location[] | null>("textDocument/definition", at);
    for (const { uri, range } of locations ?? []) {
      expect(uri).toBe(config.uri);
      expect(config.document.getText(range)).toContain("page");
    }
    expect(found.text).not.toBe("");
  });

  test("colours are those of the program alone", async () => {
    const { ask } = await opened(".", '"x" |\n .a');
    const { data } = await ask<SemanticTokens>("textDocument/semanticTokens/full");
    // Line, character and length of each.
    expect(data.slice(0, 3)).toEqual([0, 1, 1]);
    expect(data.length).toBeGreaterThan(5);
    const lines = data.filter((_, index) => index % 5 === 0).reduce((sum, each) => sum + each, 0);
    expect(lines).toBe(1);
  });
});

test("what a program can be tried on is made up of types where nothing is recorded", async () => {
  const { ask } = await opened(".items");
  const [input] = await ask<TriedInput[]>("configc/programInputs");
  expect(input).toMatchObject({ label: "Made up from types", isResponse: true });
  expect(Object.keys(input!.context)).toEqual(expect.arrayContaining(["piped_content", "custom_data"]));
  expect(input!.context["piped_content"]).toHaveLength(2);
});

test("a server that was started anew knows an open program by what it shows, and writes into no other one", async () => {
  const name = "crm.app.json";
  const config = await session.open(template, name);
  const address = { textDocument: { uri: config.uri }, node: node.slice(0, -4) };
  const found = await session.request<Program>("configc/program", address);
  const anew = await Session.start();
  try {
    const pipe = '"options": {\n                "!pipe": [\n';
    expect(template).toContain(pipe);
    const text = template.replace(pipe, `${pipe}{ "!jq": ".first" }, { "!jq": ".second" },`);
    await anew.open(text, name);
    await anew.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: found.uri, languageId: "jq", version: 1, text: found.text },
    });
    const textDocument = { uri: found.uri };
    const { command } = await anew.request<Program>("configc/program", { textDocument });
    expect(command).toBe("/workflows/0/setup/select/form_fields/0/options/!pipe/3");
    const written = await anew.request<WrittenProgram>("configc/writeProgram", {
      textDocument,
      text: ".new",
    });
    const document = TextDocument.create(config.uri, "appconfig", 1, text);
    expect(JSON.parse(document.getText(written.range))).toBe("[.items[] | {display: .name, value: .id}]");
  } finally {
    anew.dispose();
  }
});
