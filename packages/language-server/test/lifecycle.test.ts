import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leaveBundle, takeBundle } from "./support/session.ts";

/** A client that says whatever bytes it likes, to a server in a process of its own. */
let file: string;
beforeAll(async () => {
  file = await takeBundle();
});
afterAll(leaveBundle);

interface Said {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

class Client {
  readonly ended: Promise<number | null>;
  private readonly process: ChildProcess;
  private heard = Buffer.alloc(0);

  constructor() {
    this.process = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "ignore"] });
    this.process.stdout!.on("data", (bytes: Buffer) => {
      this.heard = Buffer.concat([this.heard, bytes]);
    });
    this.process.stdin!.on("error", () => {});
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
  }

  write(text: string | Uint8Array): void {
    this.process.stdin!.write(text);
  }

  say(...messages: readonly object[]): void {
    const frames = messages.map((message) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    });
    this.write(frames.join(""));
  }

  close(): void {
    this.process.stdin!.end();
  }

  async answered(id: number): Promise<void> {
    while (!this.answers.has(id)) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** By id, as far as they have come; what the server tells of itself is left out. */
  get answers(): ReadonlyMap<number, Said> {
    const answers = new Map<number, Said>();
    for (let left = this.heard; left.length > 0; ) {
      const header = /^Content-Length: (\d+)\r\n\r\n/.exec(left.toString("latin1", 0, 64));
      const end = header === null ? Number.NaN : header[0].length + Number(header[1]);
      if (!(end <= left.length)) break;
      const said = JSON.parse(left.toString("utf8", header![0].length, end)) as Said;
      if (said.id !== undefined) answers.set(said.id, said);
      left = left.subarray(end);
    }
    return answers;
  }
}

const initialize = {
  id: 1,
  method: "initialize",
  params: { processId: null, rootUri: null, capabilities: {} },
};
const textDocument = { uri: "untitled:a.app.json", languageId: "appconfig", version: 1, text: "{}" };
const hover = (id: number, params: unknown = { textDocument, position: { line: 0, character: 0 } }) => ({
  id,
  method: "textDocument/hover",
  params,
});
/** In the order of the requests: a refusal is said at once. */
const codes = (client: Client) =>
  [...client.answers].map(([id, { error }]) => [id, error?.code] as const).sort(([a], [b]) => a - b);

test("requests are refused before the server's life, after it, and a second birth", async () => {
  const client = new Client();
  client.say(hover(7), { method: "textDocument/didOpen", params: { textDocument } }, initialize);
  client.say({ ...initialize, id: 2 }, hover(3), { id: 4, method: "shutdown" }, hover(5));
  await client.answered(5);
  client.say({ method: "exit" });
  expect(await client.ended).toBe(0);
  expect(codes(client)).toEqual([
    [1, undefined],
    [2, -32600],
    [3, undefined],
    [4, undefined],
    [5, -32600],
    [7, -32002],
  ]);
});

test("a request without a document is refused as one", async () => {
  const client = new Client();
  client.say(initialize, hover(2, {}), hover(3, null));
  client.close();
  expect(await client.ended).toBe(1);
  expect(codes(client)).toEqual([
    [1, undefined],
    [2, -32602],
    [3, -32602],
  ]);
});

test("a request that lacks what it is about is refused, and says what; odd places are answered", async () => {
  const client = new Client();
  const range = { start: { line: 0, character: 0 }, end: { line: -1, character: 1e12 } };
  const asked: readonly (readonly [method: string, params: object, missing?: string])[] = [
    ["textDocument/completion", {}, "position"],
    ["textDocument/definition", { position: null }, "position"],
    ["textDocument/rename", { position: range.start, newName: 5 }, "newName"],
    ["textDocument/codeAction", { range: { start: 1 }, context: {} }, "range"],
    ["textDocument/codeAction", { range, context: {} }, "context.diagnostics"],
    ["textDocument/selectionRange", { positions: range.start }, "positions"],
    ["textDocument/selectionRange", { positions: [range.start, null] }, "positions"],
    ["textDocument/hover", { position: { line: "0", character: 0 } }, "position"],
    ["textDocument/formatting", {}, "options"],
    ["textDocument/hover", { position: range.end }],
    ["textDocument/inlayHint", { range }],
    ["textDocument/selectionRange", { positions: [range.end] }],
  ];
  client.say(initialize, { method: "textDocument/didOpen", params: { textDocument } });
  client.say(
    ...asked.map(([method, params], id) => ({ id: id + 2, method, params: { textDocument, ...params } })),
  );
  client.close();
  await client.ended;
  for (const [index, [method, , missing]] of asked.entries()) {
    const error = client.answers.get(index + 2)?.error;
    expect([method, error?.code]).toEqual([method, missing === undefined ? undefined : -32602]);
    if (missing !== undefined) expect(error?.message).toContain(`\`${missing}\``);
  }
});

test("what is asked before the client closes its end is answered, and then the process ends", async () => {
  const client = new Client();
  client.say(initialize, { method: "textDocument/didOpen", params: { textDocument } }, hover(2));
  client.close();
  expect(await client.ended).toBe(1);
  expect(codes(client)).toEqual([
    [1, undefined],
    [2, undefined],
  ]);
});

test("what is cancelled before its turn isn't worked at", async () => {
  const client = new Client();
  // So few that all are read at once.
  const asked = Array.from({ length: 50 }, (_, index) => hover(index + 2));
  client.say(initialize, ...asked, ...asked.map(({ id }) => ({ method: "$/cancelRequest", params: { id } })));
  client.close();
  await client.ended;
  const cancelled = [...client.answers.values()].filter(({ error }) => error?.code === -32800);
  expect(client.answers.size).toBe(51);
  expect(cancelled.length).toBeGreaterThan(40);
});

test.each([
  ["garbage before the headers", "hello\r\n\r\n"],
  ["a header without a length", "Content-Type: text/plain\r\n\r\n{}"],
  ["a length that is none", "Content-Length: many\r\n\r\n{}"],
  ["a negative one", "Content-Length: -2\r\n\r\n{}"],
  ["one that isn't written as one", "Content-Length: 1e3\r\n\r\n{}"],
  ["one that nothing could have", "Content-Length: 99999999999\r\n\r\n{}"],
  ["headers that end like a page of Unix", "Content-Length: 2\n\n{}"],
  ["headers without end", "x".repeat(10_000)],
])("%s ends the process: no message could be told from another", async (_name, text) => {
  const client = new Client();
  client.write(text);
  expect(await client.ended).toBe(1);
});

test.each([
  [
    "headers in any case and order",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:  %\r\n\r\n",
    "",
  ],
  ["a mark of the byte order", "Content-Length: %\r\n\r\n", "\uFEFF"],
])("%s are read, also byte by byte", async (_name, headers, mark) => {
  const client = new Client();
  const body = mark + JSON.stringify({ jsonrpc: "2.0", ...initialize });
  const bytes = Buffer.from(headers.replace("%", `${Buffer.byteLength(body)}`) + body);
  for (const byte of bytes) {
    client.write(Buffer.of(byte));
    if (byte === 0x7d || byte === 0x0a) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await client.answered(1);
  expect(client.answers.get(1)?.result).toBeDefined();
  client.close();
  await client.ended;
});

test("an initialize that says nothing of the client is refused, and may come again", async () => {
  const client = new Client();
  client.say({ ...initialize, params: { processId: null, rootUri: null, capabilities: null } });
  client.say({ ...initialize, id: 2, params: undefined }, { ...initialize, id: 3 });
  client.close();
  await client.ended;
  expect(codes(client)).toEqual([
    [1, -32602],
    [2, -32602],
    [3, undefined],
  ]);
});

test.each([
  "{abc}",
  "null",
  "7",
  "[]",
  "{}",
  '{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}',
  '{"jsonrpc": "2.0", "method": "$/cancelRequest"}',
  '{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": null}',
  '{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {}}',
  '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "untitled:b.app.json"}}}',
  '{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "untitled:a.app.json"}}}',
  '{"jsonrpc": "2.0", "method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": [{}], "removed": []}}}',
])("a body that is no JSON, or no message of the protocol, is left out: %s", async (body) => {
  const client = new Client();
  client.say(initialize);
  client.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  const symbols = { id: 3, method: "workspace/symbol", params: { query: "" } };
  client.say({ method: "textDocument/didOpen", params: { textDocument } }, hover(2), symbols);
  client.close();
  await client.ended;
  expect(codes(client)).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ]);
});
