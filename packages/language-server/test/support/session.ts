import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import {
  type ClientCapabilities,
  createProtocolConnection,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { sources } from "../../../../scripts/sources.mjs";

/** Marks the cursor in a document of a test; two of them mark a range. */
export const CURSOR = "┆";

/** A document opened in the server, without its marks. */
export interface Opened {
  readonly uri: string;
  readonly document: TextDocument;
  /** Where the marks were. */
  readonly positions: readonly Position[];
}

/** The real server in its own process, spoken to over stdio. */
export class Session {
  readonly published: PublishDiagnosticsParams[] = [];
  readonly connection: ProtocolConnection;
  initialized: InitializeResult | undefined;
  private readonly process: ChildProcess;
  private opened = 0;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.connection = createProtocolConnection(
      new StreamMessageReader(process.stdout!),
      new StreamMessageWriter(process.stdin!),
    );
    this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.published.push(params);
    });
    this.connection.listen();
  }

  /** @param prepare sets up what the client answers */
  static async start(
    capabilities: ClientCapabilities = {},
    prepare: (connection: ProtocolConnection) => void = () => {},
  ): Promise<Session> {
    const server = spawn(process.execPath, [await takeBundle(), "--stdio"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const session = new Session(server);
    prepare(session.connection);
    const ended = new Promise<never>((_, reject) => {
      server.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    });
    const initialized = session.request<InitializeResult>("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities,
    });
    session.initialized = await Promise.race([initialized, ended]);
    ended.catch(() => {});
    await session.connection.sendNotification("initialized", {});
    return session;
  }

  request<T>(method: string, params: unknown): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  /** Opens a document with marks; its name is its own. */
  async open(marked: string, name = `test-${++this.opened}.app.json`): Promise<Opened> {
    const parts = marked.split(CURSOR);
    const text = parts.join("");
    const uri = `untitled:${name}`;
    const document = TextDocument.create(uri, "appconfig", 1, text);
    let offset = 0;
    const positions = parts.slice(0, -1).map((part) => document.positionAt((offset += part.length)));
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "appconfig", version: 1, text },
    });
    return { uri, document, positions };
  }

  /** Asks about the first mark. */
  async at<T>(method: string, marked: string, more: object = {}): Promise<{ result: T; opened: Opened }> {
    const opened = await this.open(marked);
    const position = opened.positions[0];
    const result = await this.request<T>(method, { textDocument: { uri: opened.uri }, position, ...more });
    return { result, opened };
  }

  dispose(): void {
    this.connection.dispose();
    this.process.kill();
    leaveBundle();
  }
}

/** The text of a range, for tests that read better with it. */
export function textOf({ document }: Opened, range: Range): string {
  return document.getText(range);
}

/** Made for the first who needs it, removed after the last. */
let bundled: Promise<string> | undefined;
let users = 0;

/** The entry for a process, as one file: whoever takes it has to leave it. */
export function takeBundle(): Promise<string> {
  users++;
  bundled ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "configc-lsp-"));
    const outfile = join(folder, "server.cjs");
    await build({
      entryPoints: [fileURLToPath(new URL("../../src/node.ts", import.meta.url))],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
      alias: sources,
      logLevel: "error",
    });
    return outfile;
  })();
  return bundled;
}

export function leaveBundle(): void {
  if (--users > 0 || bundled === undefined) return;
  void bundled.then((file) => rmSync(dirname(file), { recursive: true, force: true }));
  bundled = undefined;
}
