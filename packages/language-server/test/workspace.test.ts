import { afterEach, describe, expect, test } from "vitest";
import type {
  ClientCapabilities,
  ConfigurationItem,
  InitializeResult,
  ProtocolConnection,
  Registration,
} from "vscode-languageserver/node";
import { clientOf } from "./support/in-process.ts";

/** What a client says of its workspace: folders with settings of their own, files to watch, addresses of many kinds. */
const text = '{"$version": "2", "auth": {"crm": {"type": "other"}}}';
const UNKNOWN_TYPE = "auth/unknown-type";

let client: ProtocolConnection;
afterEach(() => client.dispose());

const open = (uri: string, content = text): Promise<void> =>
  client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: content },
  });

async function severity(uri: string): Promise<number | undefined> {
  const { items } = await client.sendRequest<{ items: { code: string; severity: number }[] }>(
    "textDocument/diagnostic",
    { textDocument: { uri } },
  );
  return items.find(({ code }) => code === UNKNOWN_TYPE)?.severity;
}

describe("settings by folder", () => {
  const levels: Record<string, string> = {
    "": "info",
    "file:///w/a": "error",
    "file:///w/a/inner": "off",
    "file:///w/late": "hint",
  };
  const answers = (items: readonly ConfigurationItem[]): unknown[] =>
    items.map(({ scopeUri = "" }) => ({ rules: { [UNKNOWN_TYPE]: levels[scopeUri] } }));
  const start = async (
    answer: (items: readonly ConfigurationItem[]) => unknown,
    folders: readonly string[],
  ): Promise<void> => {
    client = await clientOf(
      {},
      { workspace: { configuration: true, workspaceFolders: true } },
      (connection) =>
        connection.onRequest("workspace/configuration", ({ items }: { items: ConfigurationItem[] }) =>
          answer(items),
        ),
      folders,
    );
  };

  test("a document has those of the innermost folder that it is in, or of none", async () => {
    await start(answers, ["file:///w/a", "file:///w/a/inner/"]);
    const expected: readonly (readonly [string, number | undefined])[] = [
      ["file:///w/a/x.app.json", 1],
      ["file:///w/a/deep/x.app.json", 1],
      ["file:///w/a/inner/x.app.json", undefined],
      ["file:///w/ab/x.app.json", 3],
      ["untitled:x.app.json", 3],
      ["file:///w/late/x.app.json", 3],
    ];
    for (const [uri] of expected) await open(uri);
    for (const [uri, level] of expected) expect([uri, await severity(uri)]).toEqual([uri, level]);
    await client.sendNotification("workspace/didChangeWorkspaceFolders", {
      event: {
        added: [{ uri: "file:///w/late", name: "" }],
        removed: [{ uri: "file:///w/a/inner", name: "" }],
      },
    });
    await expect.poll(() => severity("file:///w/late/x.app.json")).toBe(4);
    expect(await severity("file:///w/a/inner/x.app.json")).toBe(1);
  });

  test("a client that answers for the workspace only is taken at its word everywhere", async () => {
    await start((items) => answers(items).slice(0, 1), ["file:///w/a"]);
    await open("file:///w/a/x.app.json");
    expect(await severity("file:///w/a/x.app.json")).toBe(3);
  });

  test("resources of a wrong shape are passed over, member by member", async () => {
    const resources = { prefix: 7, add: { Ticket: null, Deal: { fields: [1, { id: 2 }] }, Account: [] } };
    await start(() => [{ resources }], []);
    const uri = "file:///w/a.app.json";
    const pipeline = {
      source: { "!resource": "PlatformTicket.fields" },
      target: { "!resource": "PlatformDeal" },
    };
    await open(uri, JSON.stringify({ workflows: [{ data_pipeline: pipeline }] }));
    const report = await client.sendRequest("textDocument/diagnostic", { textDocument: { uri } });
    expect(JSON.stringify(report)).not.toContain("resource/unknown");
  });

  test("what an editor sends that can't be asked, and then takes back", async () => {
    client = await clientOf();
    const uri = "file:///w/a.app.json";
    const say = (settings: unknown) =>
      client.sendNotification("workspace/didChangeConfiguration", { settings });
    await open(uri);
    expect(await severity(uri)).toBe(2);
    await say({ configc: { rules: { [UNKNOWN_TYPE]: "hint" } } });
    expect(await severity(uri)).toBe(4);
    await say(null);
    expect(await severity(uri)).toBe(4);
    await say({ other: {} });
    expect(await severity(uri)).toBe(2);
  });
});

describe("what the client is asked to do", () => {
  const capable: ClientCapabilities = {
    workspace: {
      configuration: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
      diagnostics: { refreshSupport: true },
      inlayHint: { refreshSupport: true },
      codeLens: { refreshSupport: true },
    },
    textDocument: { diagnostic: {} },
  };

  test("to watch files, and to tell of changed settings, if it says that it can", async () => {
    const registered: Registration[] = [];
    const prepare = (connection: ProtocolConnection): void =>
      void connection.onRequest("client/registerCapability", ({ registrations }) => {
        registered.push(...registrations);
      });
    client = await clientOf({}, {}, prepare);
    await severity("file:///a.app.json");
    expect(registered).toEqual([]);
    client.dispose();
    client = await clientOf({}, capable, prepare);
    await expect
      .poll(() => registered.map(({ method }) => method).sort())
      .toEqual(["workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"]);
  });

  test("one that refuses all that it announced is served all the same", async () => {
    let refused = 0;
    client = await clientOf({}, capable, (connection) => {
      for (const method of ["workspace/configuration", "client/registerCapability"])
        connection.onRequest(method, () => {
          refused++;
          throw new Error("No.");
        });
    });
    const uri = "file:///a.app.json";
    await open(uri);
    expect(await severity(uri)).toBe(2);
    await client.sendNotification("workspace/didChangeConfiguration", { settings: {} });
    expect(await severity(uri)).toBe(2);
    expect(refused).toBeGreaterThanOrEqual(4);
  });

  test("positions count in UTF-16 units, whatever else a client offers", async () => {
    client = await clientOf();
    const again = (await client
      .sendRequest<InitializeResult>("initialize", {
        processId: null,
        rootUri: null,
        capabilities: { general: { positionEncodings: ["utf-8", "utf-32", "utf-16"] } },
      })
      .catch(() => undefined)) as InitializeResult | undefined;
    expect(again?.capabilities.positionEncoding).toBe("utf-16");
    const uri = "file:///a.app.json";
    await open(uri, `{"é😀": 1, ${text.slice(1)}`);
    const { items } = await client.sendRequest<{ items: { code: string; range: { start: object } }[] }>(
      "textDocument/diagnostic",
      { textDocument: { uri } },
    );
    expect(items.find(({ code }) => code === UNKNOWN_TYPE)?.range.start).toEqual({
      line: 0,
      character: `{"é😀": 1, "$version": "2", "auth": {"crm": {"type": `.length,
    });
  });
});

test.each([
  "untitled:Untitled-1",
  "vscode-vfs://github/owner/repo/crm.app.json",
  "file:///c%3A/Users/Zo%C3%AB/crm%20%231.app.json",
  "file:///C:/Users/a/crm.app.json",
  "file://server/share/crm.app.json",
  "file:///tmp/%zz/crm.app.json",
  "git:/a/crm.app.json?%7B%22ref%22%3A%22%22%7D",
  "inmemory://model/1",
])("a document may be at %s", async (uri) => {
  client = await clientOf();
  await open(uri);
  expect(await severity(uri)).toBe(2);
  const position = { line: 0, character: text.indexOf("crm") };
  const found = await client.sendRequest<{ uri: string }[]>("textDocument/definition", {
    textDocument: { uri },
    position,
  });
  expect(found.map((each) => each.uri)).toEqual([uri]);
});
