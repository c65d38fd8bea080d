import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { appWith } from "./generate.ts";

export interface MemoryRow {
  readonly what: string;
  /** Megabytes of resident memory. */
  readonly ours: number;
  readonly reference: number;
  /** How many more megabytes there may be. */
  readonly budget: number;
}

const EDITS = 4_000;

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
    const child = spawn(process.execPath, [bin, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
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

  /** The least of a few readings: the collector runs when it likes. */
  async settled(): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let reading = 0; reading < 5; reading++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const kilobytes = Number(
        execFileSync("ps", ["-o", "rss=", "-p", `${this.process.pid}`], { encoding: "utf8" }),
      );
      least = Math.min(least, kilobytes / 1024);
    }
    return least;
  }

  end(): void {
    this.connection.dispose();
    this.process.kill();
  }
}
