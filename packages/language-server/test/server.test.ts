import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CodeAction,
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { sources } from "../../../scripts/sources.mjs";

/** The real server in its own process, over stdio. */

const uri = "untitled:acme.app.json";
const broken =
  '{"$version": "3", "auth": {}, "api": {"base_url": "https://api.example.com"}, "workflows": [{"nam": 1}]}';
let connection: ProtocolConnection;
let stop: () => void;
const published: PublishDiagnosticsParams[] = [];

beforeAll(async () => {
  const outfile = join(mkdtempSync(join(tmpdir(), "configc-lsp-")), "server.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../src/node.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    alias: sources,
    logLevel: "error",
  });
  const server = spawn(process.execPath, [outfile, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    published.push(params);
  });
  connection.listen();
  stop = () => server.kill();
});
afterAll(() => {
  connection.dispose();
  stop();
});

test("announces what it can, whatever the client announces", async () => {
  const result = await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  expect(result).toMatchObject({
    serverInfo: { name: "configc" },
    capabilities: {
      diagnosticProvider: { identifier: "configc" },
      codeActionProvider: {
        codeActionKinds: [
          "quickfix",
          "refactor.extract",
          "refactor.inline",
          "refactor.move",
          "refactor.rewrite",
          "source.fixAll",
        ],
      },
    },
  });
  await connection.sendNotification("initialized", {});
});

test("pushes diagnostics once per version, also when there are none left", async () => {
  const textDocument = { uri, languageId: "appconfig", version: 1, text: broken };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  await until(() => published.length === 1);
  const [first] = published;
  expect(first).toMatchObject({ uri, version: 1 });
  expect(first?.diagnostics.map(({ code }) => code)).toContain("structure/unknown-value");
  expect(first?.diagnostics[0]).toMatchObject({
    source: "configc",
    severity: 1,
    range: { start: { line: 0 } },
  });

  const contentChanges = [{ text: "  " }];
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges,
  });
  await until(() => published.length === 2);
  // Nothing but blanks: nothing is wrong yet.
  expect(published[1]).toMatchObject({ uri, version: 2, diagnostics: [] });
});

test("answers pull requests and gives quick fixes with their edit", async () => {
  const contentChanges = [{ text: broken }];
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 3 },
    contentChanges,
  });
  const report = await connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } });
  expect(report).toMatchObject({ kind: "full" });

  const at = { line: 0, character: broken.indexOf('"3"') + 1 };
  const actions = (await connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri },
    range: { start: at, end: at },
    context: { diagnostics: (report as { items: unknown[] }).items },
  })) as CodeAction[];
  expect(actions.slice(0, 1)).toMatchObject([
    {
      title: "Change to `2`",
      kind: "quickfix",
      isPreferred: true,
      edit: { changes: { [uri]: [{ newText: '"2"' }] } },
    },
  ]);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
