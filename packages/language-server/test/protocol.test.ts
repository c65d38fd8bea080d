import { afterEach, describe, expect, test } from "vitest";
import type {
  ClientCapabilities,
  CodeDescription,
  DocumentLink,
  DocumentSymbol,
  Hover,
  MarkupContent,
  ProtocolConnection,
  PublishDiagnosticsParams,
  SymbolInformation,
} from "vscode-languageserver/node";
import type { SampleFile } from "../src/requests/index.ts";
import { clientOf } from "./support/in-process.ts";

/** What the server does for clients that announce more, less or other things than most. */
const text =
  '{"$version": "2", "auth": {"crm": {"type": "other"}}, "api": {"base_url": "https://api.example.com"}}';
const silenced = text.replace(
  '"$version"',
  '"_comment": "configc-ignore auth/unknown-type: ours", "$version"',
);

const clients: ProtocolConnection[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

interface Told {
  readonly client: ProtocolConnection;
  /** Versions that were pushed, and whether anything was found. */
  readonly pushes: (readonly [number | undefined, boolean])[];
}

async function start(capabilities: ClientCapabilities = {}, answer?: () => unknown): Promise<Told> {
  const pushes: (readonly [number | undefined, boolean])[] = [];
  const client = await clientOf({}, capabilities, (connection) => {
    connection.onRequest("workspace/configuration", answer ?? (() => null));
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      pushes.push([params.version, params.diagnostics.length > 0]);
    });
  });
  clients.push(client);
  return { client, pushes };
}

const uri = "untitled:a.app.json";
const open = (client: ProtocolConnection, content = text) =>
  client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: content },
  });
const change = (client: ProtocolConnection, version: number, content: string) =>
  client.sendNotification("textDocument/didChange", {
    textDocument: { uri, version },
    contentChanges: [{ text: content }],
  });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("diagnostics are pushed once per version", () => {
  const kinds: { name: string; capabilities: ClientCapabilities; answer: unknown }[] = [
    { name: "to a client that can't be asked for settings", capabilities: {}, answer: undefined },
    {
      name: "to one that answers null",
      capabilities: { workspace: { configuration: true } },
      answer: [null],
    },
    {
      name: "to one that answers late, with settings",
      capabilities: { workspace: { configuration: true } },
      answer: [{ rules: { "auth/unknown-type": "off" } }],
    },
  ];
  test.each(kinds)("$name", async ({ capabilities, answer }) => {
    const { client, pushes } = await start(capabilities, async () => {
      await pause(50);
      return answer;
    });
    await open(client);
    await change(client, 2, `${text} `);
    await change(client, 3, "{");
    await expect.poll(() => pushes.length).toBe(3);
    await client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    await pause(150);
    expect(pushes).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
  });

  test("a client that announces to be asked and never answers gets them by the defaults", async () => {
    const { client, pushes } = await start(
      { workspace: { configuration: true } },
      () => new Promise(() => {}),
    );
    await open(client);
    await expect.poll(() => pushes, { timeout: 20_000 }).toEqual([[1, true]]);
  });
});

test("versions that a client counts wrongly are told apart by their text", async () => {
  const { client } = await start();
  const count = async (): Promise<number> => {
    const report = await client.sendRequest<{ items: unknown[] }>("textDocument/diagnostic", {
      textDocument: { uri },
    });
    return report.items.length;
  };
  await open(client);
  const before = await count();
  await change(client, 1, "{");
  expect(await count()).toBe(1);
  await change(client, 0, text);
  expect(await count()).toBe(before);
});

test("settings that come with the notification, from a client that can't be asked", async () => {
  const { client } = await start();
  await client.sendNotification("workspace/didChangeConfiguration", {
    settings: { configc: { rules: { "auth/unknown-type": "off" } } },
  });
  await open(client);
  const report = await client.sendRequest<{ items: { code: string }[] }>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  expect(report.items.map(({ code }) => code)).not.toContain("auth/unknown-type");
});

test("an outline is a list for clients that know no trees", async () => {
  const { client } = await start({ textDocument: { documentSymbol: {} } });
  await open(client);
  const list = await client.sendRequest<SymbolInformation[]>("textDocument/documentSymbol", {
    textDocument: { uri },
  });
  expect(list.map(({ name, location }) => [name, location.uri])).toEqual([
    ["crm", uri],
    ["api", uri],
  ]);
  const hierarchicalDocumentSymbolSupport = true;
  const modern = await start({ textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport } } });
  await open(modern.client);
  const tree = await modern.client.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", {
    textDocument: { uri },
  });
  expect(tree.map(({ name, children }) => [name, children])).toEqual([
    ["crm", []],
    ["api", []],
  ]);
});

test("texts without marks for clients that can't show any", async () => {
  const plain = { textDocument: { hover: { contentFormat: ["plaintext" as const] } } };
  for (const [capabilities, kind] of [
    [{}, "markdown"],
    [plain, "plaintext"],
  ] as const) {
    const { client } = await start(capabilities);
    await open(client);
    const position = { line: 0, character: text.indexOf("base_url") };
    const hover = await client.sendRequest<Hover>("textDocument/hover", { textDocument: { uri }, position });
    const contents = hover.contents as MarkupContent;
    expect(contents.kind).toBe(kind);
    expect(/[`*]/.test(contents.value)).toBe(kind === "markdown");
    expect(contents.value).toContain("base_url");
  }
});

test("findings and comments that silence rules lead to the rules' pages", async () => {
  const client = await clientOf({ docsBase: "file:///pages/" });
  clients.push(client);
  await open(client);
  const report = await client.sendRequest<{ items: { code: string; codeDescription?: CodeDescription }[] }>(
    "textDocument/diagnostic",
    { textDocument: { uri } },
  );
  const page = "file:///pages/docs/rules/auth/unknown-type.md";
  expect(report.items.find(({ code }) => code === "auth/unknown-type")?.codeDescription).toEqual({
    href: page,
  });
  await change(client, 2, silenced);
  const links = await client.sendRequest<DocumentLink[]>("textDocument/documentLink", {
    textDocument: { uri },
  });
  expect(links.map(({ target }) => target)).toEqual([page, "https://api.example.com/"]);
});

test("what a run has shown of the API becomes sample files, masked, and each only once", async () => {
  const { client } = await start();
  await open(client);
  const http = [
    {
      request: { url: "https://api.example.com/people?q=a" },
      response: { body: [{ email: "ann@acme.test", age: 7 }] },
    },
    {
      request: { method: "POST", url: "https://api.example.com/people" },
      response: { status: 422, body: { error: "no" } },
    },
  ];
  const ask = (present: object) =>
    client.sendRequest<SampleFile[]>("configc/samples", { textDocument: { uri }, http, present });
  const files = await ask({});
  expect(files.map(({ name }) => name)).toEqual(["get-people.json"]);
  const { request, response } = JSON.parse(files[0]!.text);
  expect(request.method).toBe("GET");
  expect(response.body[0]).toEqual({ email: expect.any(String), age: expect.any(Number) });
  expect(files[0]!.text).not.toContain("ann@acme.test");
  expect(await ask({ "get-people.json": files[0]!.text })).toEqual([]);
  expect((await ask({ "get-people.json": "{}" })).map(({ name }) => name)).toEqual(["get-people-2.json"]);
  await expect(client.sendRequest("configc/samples", { textDocument: { uri }, http: [1] })).rejects.toThrow(
    "no requests",
  );
});

test("a request without what it needs is refused, and says what is missing", async () => {
  const { client } = await start();
  await open(client);
  for (const method of ["configc/runStep", "configc/inferredType", "configc/runInfo"])
    await expect(client.sendRequest(method, { textDocument: { uri } }), method).rejects.toThrow("`node`");
  await expect(client.sendRequest("configc/graph", { textDocument: { uri }, format: "png" })).rejects.toThrow(
    "`png`",
  );
});
