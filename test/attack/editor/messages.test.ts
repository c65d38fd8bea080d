import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type Attack, attacks, complaintsOf, runChild } from "../harness/index.ts";

const command = fileURLToPath(new URL("../../../packages/cli/bin/configc.js", import.meta.url));

interface MessageAttack extends Attack {
  /** What the server is sent after it was initialised: messages, or bytes as they are. */
  readonly sent: readonly (object | string)[];
  /** Whether it can still tell where the next message begins, so that it answers one. Default: yes. */
  readonly answers?: false;
}

const uri = "file:///nowhere/a.app.json";
const open = (text: string) => ({
  method: "textDocument/didOpen",
  params: { textDocument: { uri, languageId: "appconfig", version: 1, text } },
});
const change = (start: unknown, end: unknown, text: string) => ({
  method: "textDocument/didChange",
  params: { textDocument: { uri, version: 2 }, contentChanges: [{ range: { start, end }, text }] },
});
const at = (method: string, position: unknown, more: object = {}) => ({
  id: 7,
  method,
  params: { textDocument: { uri }, position, ...more },
});
const huge = { line: 2 ** 31, character: 2 ** 53 };
const positions = [huge, { line: -1, character: -1 }, { line: 0.5, character: "x" }, null, {}];
const methods = ["hover", "completion", "definition", "references", "rename", "signatureHelp"];

const cases: readonly MessageAttack[] = [
  { name: "a body that is no JSON", sent: ["Content-Length: 3\r\n\r\n{{{"] },
  { name: "a body of null", sent: ["Content-Length: 4\r\n\r\nnull"] },
  { name: "a body that is a list", sent: ["Content-Length: 2\r\n\r\n[]"] },
  { name: "a body of no bytes", sent: ["Content-Length: 0\r\n\r\n"] },
  { name: "lists 100,000 deep", sent: [framed(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)] },
  {
    name: "parameters 100,000 deep",
    sent: [
      framed(
        `{"jsonrpc":"2.0","id":3,"method":"configc/runStep","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      ),
    ],
  },
  {
    name: "names that reach prototypes",
    sent: [
      framed(
        '{"jsonrpc":"2.0","id":3,"method":"workspace/executeCommand","params":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
      ),
    ],
  },
  {
    name: "methods that are members of objects",
    sent: ["__proto__", "constructor", "toString"].map((method) => ({ id: 9, method, params: {} })),
  },
  { name: "a header without an end", sent: ["x".repeat(1_000_000)], answers: false },
  { name: "a length below nothing", sent: ["Content-Length: -5\r\n\r\n{}"], answers: false },
  { name: "a length beyond any memory", sent: ["Content-Length: 99999999999999\r\n\r\n{}"], answers: false },
  { name: "a length that is a word", sent: ["Content-Length: ten\r\n\r\n{}"], answers: false },
  {
    name: "a document that was never opened",
    sent: [
      change({ line: 0, character: 0 }, { line: 0, character: 0 }, "x"),
      at("textDocument/hover", { line: 0, character: 0 }),
    ],
  },
  {
    name: "a change with its end before its start",
    sent: [open('{"a": 1}'), change({ line: 5, character: 9 }, { line: 0, character: 1 }, "x")],
  },
  ...positions.map((position) => ({
    name: `positions like ${JSON.stringify(position)}`,
    sent: [
      open('{"$version": "2", "workflows": [{"name": "é\ud83d"}]}'),
      change(position, position, "x"),
      ...methods.map((method) => at(`textDocument/${method}`, position, { newName: "x", context: {} })),
    ],
  })),
  {
    name: "addresses that aren't files",
    sent: ["", "x", "http://[", "file://%00", "untitled:\u0000", "data:,x"].map((text) => ({
      method: "textDocument/didOpen",
      params: { textDocument: { uri: text, languageId: "appconfig", version: 1, text: "{}" } },
    })),
  },
  {
    name: "a document 100,000 levels deep",
    sent: [open("[".repeat(100_000)), at("textDocument/hover", { line: 0, character: 50_000 })],
  },
  {
    name: "a thousand documents",
    sent: Array.from({ length: 1_000 }, (_, n) => ({
      method: "textDocument/didOpen",
      params: {
        textDocument: {
          uri: `file:///n/${n}.app.json`,
          languageId: "appconfig",
          version: 1,
          text: `{"$version": "2", "x${n}": 1}`,
        },
      },
    })),
  },
];

/** A server for editors outlives what it is sent; where it can't tell any more what a message is, it ends and says so. */
attacks(
  "a message",
  cases.map((each) => ({ ceiling: 600, ...each })),
  async ({ sent, answers }) => {
    const initialize = {
      id: 1,
      method: "initialize",
      params: { processId: null, rootUri: null, capabilities: {} },
    };
    const last = { id: 99, method: "shutdown" };
    const input = [initialize, { method: "initialized", params: {} }, ...sent, last]
      .map((each) => (typeof each === "string" ? each : framed(JSON.stringify({ jsonrpc: "2.0", ...each }))))
      .join("");
    const ended = await runChild(command, ["lsp", "--stdio"], { input, until: answered });
    // The protocol's library says in a message of its own that a body was too deep for it.
    expect(complaintsOf({ ...ended, stdout: "" })).toEqual([]);
    expect(ended.stdout.includes(answered)).toBe(answers ?? true);
    return ended;
  },
);

/** The beginning of the answer to the last message. */
const answered = '"id":99,"result":null';

function framed(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
