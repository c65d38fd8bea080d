import { spawn } from "node:child_process";
import type { RunStepProgress } from "@configc/language-server";
import { type CancellationToken, env, type TextDocument, type Uri, workspace } from "vscode";
import {
  createProtocolConnection,
  ProgressType,
  type ProtocolConnection,
  type ShowDocumentParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageclient/node";
import type { Ask, Renewed } from "./run.ts";

/** How long a run may take to end by itself once it is cancelled: a jq program can't be interrupted from inside. */
const PATIENCE = 1_500;
const progress = new ProgressType<RunStepProgress>();
const PROGRESS = "run";

/**
 * Runs each step in a server of its own: editing never waits for a run, and a run that doesn't end can be ended from outside.
 *
 * @param module the server's program
 * @param renewed keeps renewed credentials
 */
export function runsInProcess(module: string, renewed: (change: Renewed) => Promise<void>): Ask {
  return async <Result>(
    document: TextDocument,
    method: string,
    params: object,
    token: CancellationToken,
    onProgress?: (progress: RunStepProgress) => void,
  ): Promise<Result> => {
    const server = spawn(process.execPath, [module], {
      stdio: ["pipe", "pipe", "ignore"],
      // In a desktop's extension host the executable is the editor, not Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    const asked = onProgress === undefined ? params : { ...params, partialResultToken: PROGRESS };
    if (onProgress !== undefined) connection.onProgress(progress, PROGRESS, onProgress);
    const ended = new Promise<never>((_, reject) => {
      server.once("error", reject);
      server.once("exit", () =>
        reject(new Error(token.isCancellationRequested ? "Cancelled." : "The run ended.")),
      );
    });
    ended.catch(() => undefined);
    let kill: NodeJS.Timeout | undefined;
    const cancelling = token.onCancellationRequested(() => {
      kill = setTimeout(() => server.kill("SIGKILL"), PATIENCE);
    });
    try {
      return await Promise.race([
        ended,
        askOnce<Result>(connection, document, method, asked, token, renewed),
      ]);
    } finally {
      clearTimeout(kill);
      cancelling.dispose();
      connection.dispose();
      server.kill();
    }
  };
}

async function askOnce<Result>(
  connection: ProtocolConnection,
  document: TextDocument,
  method: string,
  params: object,
  token: CancellationToken,
  renewed: (change: Renewed) => Promise<void>,
): Promise<Result> {
  const uri = document.uri.toString();
  const settled = new Promise<void>((resolve) => {
    connection.onRequest("workspace/configuration", () => {
      // Its answer is sent before what follows.
      setImmediate(resolve);
      return [workspace.getConfiguration("configc", document.uri)];
    });
  });
  connection.onRequest("configc/credentialRenewed", async (change: Renewed) => {
    await renewed(change);
    return null;
  });
  connection.onRequest("window/showDocument", async ({ uri: address }: ShowDocumentParams) => ({
    // As text: a `Uri` would decode the address, and what is sent on wouldn't be what was signed. The editor takes both.
    success: await env.openExternal(address as unknown as Uri),
  }));
  connection.listen();
  const capabilities = {
    workspace: { configuration: true },
    window: { showDocument: { support: true } },
  };
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification("initialized", {});
  await settled;
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: document.getText() },
  });
  return await connection.sendRequest<Result>(method, params, token);
}
