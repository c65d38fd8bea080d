import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type {
  ClientCapabilities,
  Diagnostic,
  FileRename,
  ProtocolConnection,
  PublishDiagnosticsParams,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { clientOf } from "../../language-server/test/support/in-process.ts";
import { editorFiles } from "../src/files/editor-files.ts";

/** The editor's server and the files around a config: settings, samples, tests, and what becomes of them. */
const config = JSON.stringify({
  $version: "2",
  auth: { crm: { type: "other" } },
  api: { base_url: "https://api.example.com" },
  workflows: [
    {
      setup: {
        connect: {
          describe_connection: {
            "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .nam}" }],
          },
        },
      },
    },
  ],
});
const sample = { request: { path: "/me" }, response: { body: { id: 1, name: "Ann" } } };
const openApi = (member: string): string => `openapi: "3.1.0"
info: {title: x, version: "1"}
paths:
  /me:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: {type: object, additionalProperties: false, properties: {id: {type: integer}, ${member}: {type: string}}}
`;

let folder: string;
let client: ProtocolConnection;
const published = new Map<string, Diagnostic[]>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configc-editor-files-"));
  published.clear();
});
afterEach(() => {
  client.dispose();
  rmSync(folder, { recursive: true });
});

const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
}

async function start(capabilities: ClientCapabilities = {}): Promise<void> {
  const prepare = (connection: ProtocolConnection): void => {
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      published.set(params.uri, params.diagnostics);
    });
  };
  client = await clientOf(editorFiles(), capabilities, prepare, [uriOf("")]);
}

const open = (path: string): Promise<void> =>
  client.sendNotification("textDocument/didOpen", {
    textDocument: { uri: uriOf(path), languageId: "appconfig", version: 1, text: config },
  });
const changed = (...paths: string[]): Promise<void> =>
  client.sendNotification("workspace/didChangeWatchedFiles", {
    changes: paths.map((path) => ({ uri: uriOf(path), type: 2 })),
  });
const codes = (path: string) => published.get(uriOf(path))?.map(({ code }) => code);
const UNKNOWN_TYPE = "auth/unknown-type";
const MISSPELLED = "response/misspelled-member";
const NO_MEMBER = "jq/missing-member";

describe("files that change", () => {
  test("settings: each document has those of its own folder, new ones, changed ones, none any more", async () => {
    write("strict/configc.config.json", { rules: { [UNKNOWN_TYPE]: "off" } });
    await start();
    await open("strict/a.app.json");
    await open("b.app.json");
    await expect.poll(() => codes("b.app.json")).toContain(UNKNOWN_TYPE);
    expect(codes("strict/a.app.json")).not.toContain(UNKNOWN_TYPE);
    write("configc.config.json", { rules: { [UNKNOWN_TYPE]: "off" } });
    rmSync(join(folder, "strict/configc.config.json"));
    write("strict/configc.config.json", { rules: {} });
    await changed("configc.config.json", "strict/configc.config.json");
    await expect.poll(() => codes("strict/a.app.json")).toContain(UNKNOWN_TYPE);
    expect(codes("b.app.json")).not.toContain(UNKNOWN_TYPE);
    rmSync(join(folder, "configc.config.json"));
    await changed("configc.config.json");
    await expect.poll(() => codes("b.app.json")).toContain(UNKNOWN_TYPE);
  });

  test("samples beside the config, and an OpenAPI document that the settings name", async () => {
    write("configc.config.json", { samples: ["api/openapi.yaml"] });
    await start();
    await open("a.app.json");
    await expect.poll(() => codes("a.app.json")).toBeDefined();
    expect(codes("a.app.json")).not.toContain(MISSPELLED);
    write("a.samples/me.json", sample);
    await changed("a.samples/me.json");
    await expect.poll(() => codes("a.app.json")).toContain(MISSPELLED);
    rmSync(join(folder, "a.samples"), { recursive: true });
    await changed("a.samples/me.json");
    await expect.poll(() => codes("a.app.json")).not.toContain(MISSPELLED);
    write("api/openapi.yaml", openApi("name"));
    await changed("api/openapi.yaml");
    await expect.poll(() => codes("a.app.json")).toContain(NO_MEMBER);
    write("api/openapi.yaml", openApi("nam"));
    await changed("api/openapi.yaml");
    await expect.poll(() => codes("a.app.json")).not.toContain(NO_MEMBER);
  });
});

describe("a settings file that is wrong", () => {
  const mistakes = () =>
    published
      .get(uriOf("configc.config.json"))
      ?.map(({ message, range }) => [
        range.start.line,
        range.start.character,
        String(message).split("\n")[0],
      ]);

  test("is told of at its place, while the defaults count, until it is mended", async () => {
    write("configc.config.json", '{\n  "rules": {"auth/unknown-typ": "off"},\n  "languge": "core"\n}');
    await start();
    await open("a.app.json");
    await expect.poll(() => codes("a.app.json")).toContain(UNKNOWN_TYPE);
    expect(mistakes()).toEqual([
      [2, 2, expect.stringContaining("“languge”")],
      [1, 12, expect.stringContaining("auth/unknown-type")],
    ]);
    write("configc.config.json", { rules: { [UNKNOWN_TYPE]: "off" } });
    await changed("configc.config.json");
    await expect.poll(() => codes("a.app.json")).not.toContain(UNKNOWN_TYPE);
    expect(mistakes()).toEqual([]);
  });

  test.each([
    ["no JSON", '{"rules": {}', [0, 0]],
    ["a folder", undefined, [0, 0]],
  ])("%s", async (_, text, place) => {
    if (text === undefined) mkdirSync(join(folder, "configc.config.json"));
    else write("configc.config.json", text);
    await start();
    await open("a.app.json");
    await expect.poll(() => codes("a.app.json")).toContain(UNKNOWN_TYPE);
    expect(mistakes()?.[0]?.slice(0, 2)).toEqual(place);
  });

  test("is told of once for all documents, and no more when the last of them is closed", async () => {
    write("configc.config.json", "[]");
    await start();
    for (const name of ["a.app.json", "b.app.json"]) {
      await open(name);
      await expect.poll(() => codes(name)).toBeDefined();
    }
    const close = (path: string) =>
      client.sendNotification("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
    await close("a.app.json");
    await expect.poll(() => codes("a.app.json")).toEqual([]);
    expect(mistakes()).toHaveLength(1);
    await close("b.app.json");
    await expect.poll(() => mistakes()).toEqual([]);
  });
});

describe("files that are renamed", () => {
  const all: ClientCapabilities = {
    workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename"] } },
  };
  const rename = (...files: (readonly [string, string])[]): Promise<WorkspaceEdit | null> =>
    client.sendRequest("workspace/willRenameFiles", {
      files: files.map(([from, to]): FileRename => ({ oldUri: uriOf(from), newUri: uriOf(to) })),
    });
  const shown = (edit: WorkspaceEdit | null): string[] | undefined =>
    edit?.documentChanges?.map((change) => {
      if ("edits" in change)
        return `${change.textDocument.uri}: ${change.edits.map((each) => "newText" in each && each.newText)}`;
      return change.kind === "rename" ? `${change.oldUri} -> ${change.newUri}` : change.kind;
    });
  const moves = (from: string, to: string): string => `${uriOf(from)} -> ${uriOf(to)}`;
  const names = (test: string, value: string): string => `${uriOf(test)}: ${JSON.stringify(value)}`;

  beforeEach(() => {
    write("a b.app.json", config);
    write("a b.samples/me.json", sample);
    write("a b.apprun.json", []);
    write("a b.apptest.json", { config: "a b.app.json", cases: [] });
    write("tests/far.apptest.json", { config: "./../a b.app.json", cases: [] });
    write("tests/other.apptest.json", { config: "../c.app.json", cases: [] });
    write("tests/broken.apptest.json", '{"config": ');
  });

  test("a config takes its samples and run contexts along, and its tests name it by its new name", async () => {
    await start(all);
    expect(shown(await rename(["a b.app.json", "new.app.jsonc"]))).toEqual([
      names("a b.apptest.json", "new.app.jsonc"),
      names("tests/far.apptest.json", "./../new.app.jsonc"),
      moves("a b.samples", "new.samples"),
      moves("a b.apprun.json", "new.apprun.json"),
    ]);
  });

  test("only the ending: samples and contexts keep their names, which have none", async () => {
    await start(all);
    expect(shown(await rename(["a b.app.json", "a b.app.jsonc"]))).toEqual([
      names("a b.apptest.json", "a b.app.jsonc"),
      names("tests/far.apptest.json", "./../a b.app.jsonc"),
    ]);
  });

  test("config and test at once, each to another folder; a test alone", async () => {
    await start(all);
    const both = await rename(["a b.app.json", "x/a.app.json"], ["a b.apptest.json", "y/a.apptest.json"]);
    expect(shown(both)?.[0]).toBe(names("a b.apptest.json", "../x/a.app.json"));
    expect(shown(await rename(["tests/other.apptest.json", "other.apptest.json"]))).toEqual([
      names("tests/other.apptest.json", "c.app.json"),
    ]);
    expect(await rename(["a b.apptest.json", "c.apptest.json"])).toBeNull();
  });

  test("a folder: what leads into it from outside, and out of it", async () => {
    write("apps/deep/d.app.json", config);
    write("apps/deep/d.samples/me.json", sample);
    write("apps/d.apptest.json", { config: "deep/d.app.json", cases: [] });
    write("apps/outward.apptest.json", { config: "../a b.app.json", cases: [] });
    write("tests/inward.apptest.json", { config: "../apps/deep/d.app.json", cases: [] });
    await start(all);
    expect(shown(await rename(["apps", "more/kunden"]))).toEqual([
      names("apps/outward.apptest.json", "../../a b.app.json"),
      names("tests/inward.apptest.json", "../more/kunden/deep/d.app.json"),
    ]);
    expect(shown(await rename(["apps/deep", "apps/flat"]))).toEqual([
      names("apps/d.apptest.json", "flat/d.app.json"),
      names("tests/inward.apptest.json", "../apps/flat/d.app.json"),
    ]);
  });

  test("nothing is put in the way of what is there, and a client is asked for no more than it can", async () => {
    write("new.samples/me.json", sample);
    await start({ workspace: { workspaceEdit: {} } });
    const edit = await rename(["a b.app.json", "new.app.json"]);
    expect(Object.keys(edit?.changes ?? {})).toEqual([
      uriOf("a b.apptest.json"),
      uriOf("tests/far.apptest.json"),
    ]);
    client.dispose();
    await start(all);
    expect(shown(await rename(["a b.app.json", "new.app.json"]))?.slice(2)).toEqual([
      moves("a b.apprun.json", "new.apprun.json"),
    ]);
  });

  test("what is on no disk of this machine, or no config, is left alone", async () => {
    await start(all);
    const uris = [
      "untitled:a.app.json",
      "vscode-vfs://host/a.app.json",
      "file://server/a.app.json",
      "file:///%zz",
    ];
    for (const oldUri of uris)
      expect(
        await client.sendRequest("workspace/willRenameFiles", { files: [{ oldUri, newUri: `${oldUri}c` }] }),
      ).toBeNull();
    expect(await rename(["tests/notes.txt", "tests/notes.md"])).toBeNull();
  });

  test("once it is renamed the samples under the new name count", async () => {
    write("new.samples/me.json", sample);
    await start();
    await open("new.app.json");
    await expect.poll(() => codes("new.app.json")).toContain(MISSPELLED);
    rmSync(join(folder, "new.samples"), { recursive: true });
    await client.sendNotification("workspace/didRenameFiles", {
      files: [{ oldUri: uriOf("new.samples"), newUri: uriOf("other.samples") }],
    });
    await expect.poll(() => codes("new.app.json")).not.toContain(MISSPELLED);
  });
});
