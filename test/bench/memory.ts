import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { appWith } from "./generate.ts";

export interface MemoryRow {
  readonly what: string;
  /** Megabytes. */
  readonly ours: number;
  readonly reference: number;
  /** How many more megabytes there may be. */
  readonly budget: number;
}

const EDITS = 4_000;
/** Edits that each make a jq program that was never there. */
const PROGRAMS = 6_000;
/** Tells the heap of the server. */
const REPORT = fileURLToPath(new URL("report-heap.cjs", import.meta.url));

/**
 * Resident memory of the installed server: with ten documents of 100 kB against none, and after 4,000 edits of one of them
 * against the first 1,000, by which the engine has made of the heap what it wants.
 */
export async function memoryRows(): Promise<MemoryRow[]> {
  const server = await Server.start();
  const empty = await server.settled();
  const text = appWith(20);
  for (let index = 0; index < 10; index++) await server.open(`untitled:${index}.app.json`, text);
  const full = await server.settled();

  const at = text.indexOf('"label": "') + '"label": "'.length;
  const position = {
    line: text.slice(0, at).split("\n").length - 1,
    character: at - text.lastIndexOf("\n", at) - 1,
  };
  let early = 0;
  for (let edit = 1; edit <= EDITS; edit++) {
    // In and out by turns, so that the document doesn't grow.
    const end = { ...position, character: position.character + (edit % 2 === 0 ? 1 : 0) };
    await server.edit("untitled:0.app.json", edit + 1, { start: position, end }, edit % 2 === 0 ? "" : "x");
    if (edit === EDITS / 4) early = await server.settled();
  }
  const late = await server.settled();
  server.end();
  return [
    ...(await programRows(text)),
    {
      what: "memory of the server, ten documents of 100 kB to none",
      ours: full,
      reference: empty,
      budget: 60,
    },
    {
      what: "memory of the server, after 4,000 edits to after 1,000",
      ours: late,
      reference: early,
      budget: 20,
    },
  ];
}

/** What edits of a jq program leave behind, in a server with one document. */
async function programRows(text: string): Promise<MemoryRow[]> {
  const server = await Server.start();
  await server.open("untitled:0.app.json", text);
  const at = text.indexOf('"!jq": "', text.length >> 1) + '"!jq": "'.length;
  const line = text.slice(0, at).split("\n").length - 1;
  const character = at - text.lastIndexOf("\n", at) - 1;
  let length = 0;
  let [heap, resident] = [0, 0];
  for (let edit = 1; edit <= PROGRAMS; edit++) {
    const range = { start: { line, character }, end: { line, character: character + length } };
    const newText = `{n: ${edit}} as $each | `;
    length = newText.length;
    await server.edit("untitled:0.app.json", edit + 1, range, newText);
    if (edit === 1) [heap, resident] = [await server.heap(), await server.settled()];
  }
  const after = await server.settled();
  const what = `after ${PROGRAMS.toLocaleString("en")} edits that each make a new jq program, to the first`;
  const rows = [
    { what: `resident memory of the server ${what}`, ours: after, reference: resident, budget: 150 },
    { what: `its heap after a collection, ${what}`, ours: await server.heap(), reference: heap, budget: 60 },
  ];
  server.end();
  return rows;
}

/** As a table like that of the other rows, but for a difference instead of a ratio. */
export function memoryTable(rows: readonly MemoryRow[]): string {
  const lines = rows.map(({ what, ours, reference, budget }) => {
    const more = ours - reference;
    return `| ${what} | ${ours.toFixed(0)} MB | ${reference.toFixed(0)} MB | ${more.toFixed(0)} MB | ≤ +${budget} MB | ${more <= budget ? "met" : "NOT met"} |`;
  });
  return `| what | ours | reference | more | budget | |\n|---|---|---|---|---|---|\n${lines.join("\n")}\n`;
}

class Server {
  private readonly process: ChildProcess;
  private readonly connection: ProtocolConnection;
  private published: ((version: number | undefined) => void) | undefined;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.connection = createProtocolConnection(
      new StreamMessageReader(process.stdout!),
      new StreamMessageWriter(process.stdin!),
    );
    this.connection.onNotification("textDocument/publishDiagnostics", ({ version }: { version?: number }) =>
      this.published?.(version),
    );
    this.connection.listen();
  }

  static async start(): Promise<Server> {
    const bin = resolve("packages/cli/bin/configc.js");
    const child = spawn(process.execPath, ["--require", REPORT, bin, "lsp", "--stdio"], {
      stdio: ["pipe", "pipe", "inherit", "pipe"],
    });
    const server = new Server(child);
    const connection = server.connection;
    await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification("initialized", {});
    return server;
  }

  async open(uri: string, text: string): Promise<void> {
    const done = this.diagnosed(1);
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "appconfig", version: 1, text },
    });
    await done;
  }

  async edit(uri: string, version: number, range: unknown, text: string): Promise<void> {
    const done = this.diagnosed(version);
    await this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
    await done;
  }

  private diagnosed(wanted: number): Promise<void> {
    return new Promise((resolve) => {
      this.published = (version) => void (version === wanted && resolve());
    });
  }

  /** The least reading in a pause in which the server comes to rest. */
  async settled(): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let reading = 0; reading < 12; reading++) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const kilobytes = Number(
        execFileSync("ps", ["-o", "rss=", "-p", `${this.process.pid}`], { encoding: "utf8" }),
      );
      least = Math.min(least, kilobytes / 1024);
    }
    return least;
  }

  /** Megabytes of heap in use, once what is garbage is collected. */
  async heap(): Promise<number> {
    const told = once(this.process.stdio[3] as Readable, "data");
    this.process.kill("SIGUSR2");
    return Number(`${(await told)[0]}`) / 1024 / 1024;
  }

  end(): void {
    this.connection.dispose();
    this.process.kill();
  }
}
