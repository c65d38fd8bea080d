import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";

const server = fileURLToPath(new URL("../../extension/dist/server.cjs", import.meta.url));

/** A server of the extension with one open document. */
export interface Session {
  request<Result>(method: string, params: object): Promise<Result>;
  /** Of its process. */
  readonly id: number;
  end(): void;
}

/** Starts the server that the extension brings along: it has to be built. */
export async function startSession(uri: string, text: string): Promise<Session> {
  const process_ = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(process_.stdout),
    new StreamMessageWriter(process_.stdin),
  );
  connection.listen();
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
  return {
    request: (method, params) => connection.sendRequest(method, params),
    id: process_.pid ?? 0,
    end() {
      connection.dispose();
      process_.kill();
    },
  };
}
