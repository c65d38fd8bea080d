import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { RunStepProgress, RunStepResult } from "@configc/language-server";
import { type CancellationToken, env, type TextDocument, type Uri, workspace } from "vscode";
import {
  createProtocolConnection,
  ProgressType,
  type ProtocolConnection,
  type ShowDocumentParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageclient/node";
import type { Ask, Renewed, Start } from "./run.ts";

/** How long a run may take to end by itself once it is cancelled: a jq program can't be interrupted from inside. */
const PATIENCE = 1_500;
const progress = new ProgressType<RunStepProgress>();
const PROGRESS = "run";

/**
 * Does each run in a server of its own: editing never waits for it, and a run that doesn't end can be ended from outside. The server
 * of a run stays until its values aren't wanted any more.
 *
 * @param module the server's program
 * @param renewed keeps renewed credentials
 */
export function runsInProcess(
  module: string,
  renewed: (change: Renewed) => Promise<void>,
): { readonly ask: Ask; readonly start: Start } {
  return {
    async ask<Result>(document: TextDocument, method: string, params: object, token: CancellationToken) {
      const server = new RunServer(module, renewed);
      try {
        await server.open(document);
        return await server.request<Result>(method, params, token);
      } finally {
        server.end();
      }
    },
    start(document, params, token, onProgress) {
      const server = new RunServer(module, renewed);
      server.onProgress(onProgress);
      const run = async (): Promise<RunStepResult> => {
        await server.open(document);
        const asked = { ...params, keep: true, partialResultToken: PROGRESS };
        return await server.request("configc/runStep", asked, token);
      };
      return { result: run(), ask: server.request.bind(server), end: () => server.end() };
    },
  };
}

/** A server in a process of its own, for one document. */
class RunServer {
  readonly #server: ChildProcessByStdio<Writable, Readable, null>;
  readonly #connection: ProtocolConnection;
  readonly #ended: Promise<never>;
  #isCancelled = false;

  constructor(module: string, renewed: (change: Renewed) => Promise<void>) {
    this.#server = spawn(process.execPath, [module], {
      stdio: ["pipe", "pipe", "ignore"],
      // In a desktop's extension host the executable is the editor, not Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    });
    this.#connection = createProtocolConnection(
      new StreamMessageReader(this.#server.stdout),
      new StreamMessageWriter(this.#server.stdin),
    );
    this.#ended = new Promise<never>((_, reject) => {
      this.#server.once("error", reject);
      this.#server.once("exit", () =>
        reject(new Error(this.#isCancelled ? "Cancelled." : "The run is no longer kept. Run it again.")),
      );
    });
    this.#ended.catch(() => undefined);
    this.#connection.onRequest("configc/credentialRenewed", async (change: Renewed) => {
      await renewed(change);
      return null;
    });
    this.#connection.onRequest("window/showDocument", async ({ uri: address }: ShowDocumentParams) => ({
      // As text: a `Uri` would decode the address, and what is sent on wouldn't be what was signed. The editor takes both.
      success: await env.openExternal(address as unknown as Uri),
    }));
  }

  onProgress(told: (progress: RunStepProgress) => void): void {
    this.#connection.onProgress(progress, PROGRESS, told);
  }

  /** To be done first. */
  async open(document: TextDocument): Promise<void> {
    const uri = document.uri.toString();
    const settled = new Promise<void>((resolve) => {
      this.#connection.onRequest("workspace/configuration", () => {
        // Its answer is sent before what follows.
        setImmediate(resolve);
        return [workspace.getConfiguration("configc", document.uri)];
      });
    });
    this.#connection.listen();
    const capabilities = {
      workspace: { configuration: true },
      window: { showDocument: { support: true } },
    };
    const initialized = async (): Promise<void> => {
      const params = { processId: process.pid, rootUri: null, capabilities };
      await this.#connection.sendRequest("initialize", params);
      await this.#connection.sendNotification("initialized", {});
      await settled;
      await this.#connection.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "appconfig", version: 1, text: document.getText() },
      });
    };
    await Promise.race([this.#ended, initialized()]);
  }

  /** @throws Error when the server has ended */
  async request<Result>(method: string, params: object, token?: CancellationToken): Promise<Result> {
    let kill: NodeJS.Timeout | undefined;
    const cancelling =
      method === "configc/runStep"
        ? token?.onCancellationRequested(() => {
            this.#isCancelled = true;
            kill = setTimeout(() => this.#server.kill("SIGKILL"), PATIENCE);
          })
        : undefined;
    try {
      return await Promise.race([this.#ended, this.#send<Result>(method, params, token)]);
    } finally {
      clearTimeout(kill);
      cancelling?.dispose();
    }
  }

  /** Without a token there must be none: an absent one would be a second parameter. */
  #send<Result>(method: string, params: object, token: CancellationToken | undefined): Promise<Result> {
    return token === undefined
      ? this.#connection.sendRequest<Result>(method, params)
      : this.#connection.sendRequest<Result>(method, params, token);
  }

  end(): void {
    this.#connection.dispose();
    this.#server.kill();
  }
}
