import { spawn } from "node:child_process";
import { type CancellationToken, type TextDocument, workspace } from "vscode";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageclient/node";
import type { Ask, Renewed } from "./run.ts";

/** How long a run may take to end by itself once it is cancelled: a jq program can't be interrupted from inside. */
const PATIENCE = 1_500;

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
        askOnce<Result>(connection, document, method, params, token, renewed),
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
  connection.listen();
  const capabilities = { workspace: { configuration: true } };
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification("initialized", {});
  await settled;
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: document.getText() },
  });
  return await connection.sendRequest<Result>(method, params, token);
}
