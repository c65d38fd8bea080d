import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type {
  ProtocolConnection,
  WorkspaceDiagnosticReport,
  WorkspaceFullDocumentDiagnosticReport,
} from "vscode-languageserver/node";
import { clientOf } from "../../language-server/test/support/in-process.ts";
import { editorFiles } from "../src/files/editor-files.ts";
import { configc } from "./support/cli.ts";

/** What the editor says of a whole workspace is what `configc check` says of it. */
const template = readFileSync(new URL("../templates/inbound-webhook.app.json", import.meta.url), "utf8");
const slip = template.replace("custom_data.form.value}/hooks", "custom_data.from.value}/hooks");

let folder: string;
let client: ProtocolConnection;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "configc-workspace-"));
  put("configc.config.json", {
    files: ["apps/**/*.json"],
    exclude: ["old"],
    rules: { "intake/unnumbered": "off" },
  });
  put("apps/good.json", template);
  put("apps/deep/slip.app.json", slip);
  put("apps/old/left-out.app.json", slip);
  put("other/not-named.app.json", slip);
  client = await clientOf(editorFiles(), {}, undefined, [pathToFileURL(folder).href]);
});
afterEach(() => {
  client.dispose();
  rmSync(folder, { recursive: true });
});

function put(path: string, content: string | object): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;

async function pull(previous?: WorkspaceDiagnosticReport): Promise<WorkspaceDiagnosticReport> {
  const previousResultIds = (previous?.items ?? []).flatMap(({ uri, resultId }) =>
    resultId === undefined ? [] : { uri, value: resultId },
  );
  return await client.sendRequest("workspace/diagnostic", { previousResultIds });
}

function said({ items }: WorkspaceDiagnosticReport): string[] {
  return items.flatMap((report) => {
    if (report.kind !== "full") return [];
    return (report as WorkspaceFullDocumentDiagnosticReport).items.map(
      ({ code, range: { start } }) =>
        `${fileURLToPath(report.uri)}:${start.line + 1}:${start.character + 1} ${code}`,
    );
  });
}

const kinds = ({ items }: WorkspaceDiagnosticReport): Record<string, string> =>
  Object.fromEntries(items.map(({ uri, kind }) => [fileURLToPath(uri).slice(folder.length + 1), kind]));

test("the findings of the workspace are those of `configc check`, by the same settings", async () => {
  const { stdout } = configc(["check", "--format", "json", "--no-cache"], { cwd: folder });
  const { files } = JSON.parse(stdout) as {
    files: {
      path: string;
      diagnostics: { rule: string; range: { start: { line: number; column: number } } }[];
    }[];
  };
  const checked = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map(
      ({ rule, range: { start } }) => `${join(folder, path)}:${start.line}:${start.column} ${rule}`,
    ),
  );
  const found = await pull();
  expect(checked.length).toBeGreaterThan(0);
  expect(said(found).toSorted()).toEqual(checked.toSorted());
  expect(Object.keys(kinds(found)).toSorted()).toEqual(["apps/deep/slip.app.json", "apps/good.json"]);
});

test("the answer waits until a file changes, and then tells of that one", async () => {
  const first = await pull();
  let isAnswered = false;
  const waiting = pull(first).then((report) => {
    isAnswered = true;
    return report;
  });
  await client.sendRequest("workspace/symbol", { query: "nothing" });
  expect(isAnswered).toBe(false);
  put("apps/good.json", slip);
  rmSync(join(folder, "apps/deep/slip.app.json"));
  await client.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [
      { uri: uriOf("apps/good.json"), type: 2 },
      { uri: uriOf("apps/deep/slip.app.json"), type: 3 },
    ],
  });
  // They may be told of one after the other.
  let latest = await waiting;
  const told = new Map(Object.entries(kinds(first)).map(([path]) => [path, ["before"]]));
  for (;;) {
    for (const { uri, kind, ...report } of latest.items)
      if (kind === "full" && "items" in report)
        told.set(
          fileURLToPath(uri).slice(folder.length + 1),
          report.items.map(({ code }) => String(code)),
        );
    if (![...told.values()].some(([code]) => code === "before")) break;
    latest = await pull(latest);
  }
  // The file that is gone has nothing to show any more.
  expect(told.get("apps/deep/slip.app.json")).toEqual([]);
  expect(told.get("apps/good.json")).toContain("expansion/unknown-field");
});

test("an empty file is no config, as `configc check` says, until somebody opens it to write one", async () => {
  put("apps/new.json", "");
  expect(said(await pull()).filter((line) => line.includes("new.json"))).toEqual([
    `${join(folder, "apps/new.json")}:1:1 syntax/empty-document`,
  ]);
  const textDocument = { uri: uriOf("apps/new.json"), languageId: "appconfig", version: 1, text: "" };
  await client.sendNotification("textDocument/didOpen", { textDocument });
  const { uri } = textDocument;
  const report = await client.sendRequest("textDocument/diagnostic", { textDocument: { uri } });
  expect(report).toMatchObject({ kind: "full", items: [] });
});

test("a change of the settings counts for all", async () => {
  const first = await pull();
  const waiting = pull(first);
  put("configc.config.json", { files: ["other/*.json"] });
  await client.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [{ uri: uriOf("configc.config.json"), type: 2 }],
  });
  expect(Object.keys(kinds(await waiting)).toSorted()).toEqual([
    "apps/deep/slip.app.json",
    "apps/good.json",
    "other/not-named.app.json",
  ]);
});

test("a client that doesn't wait any more is told so", async () => {
  const first = await pull();
  const { CancellationTokenSource } = await import("vscode-languageserver/node");
  const source = new CancellationTokenSource();
  const previousResultIds = first.items.map(({ uri, resultId }) => ({ uri, value: resultId ?? "" }));
  const waiting = client.sendRequest("workspace/diagnostic", { previousResultIds }, source.token);
  source.cancel();
  await expect(waiting).rejects.toMatchObject({ code: -32800 });
});

test("what is open is asked for by itself", async () => {
  const uri = uriOf("apps/good.json");
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: template },
  });
  expect(Object.keys(kinds(await pull()))).toEqual(["apps/deep/slip.app.json"]);
});
