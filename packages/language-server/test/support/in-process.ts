import { PassThrough } from "node:stream";
import {
  type ClientCapabilities,
  createConnection,
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { ServerOptions } from "../../src/feature.ts";
import { startServer } from "../../src/server.ts";

/**
 * A client of a server in this process: for what the server is given by whoever starts it, and for many kinds of clients.
 *
 * @param prepare sets up what the client answers
 * @param folders URIs of the workspace's
 */
export async function clientOf(
  options: ServerOptions = {},
  capabilities: ClientCapabilities = {},
  prepare: (client: ProtocolConnection) => void = () => {},
  folders: readonly string[] = [],
): Promise<ProtocolConnection> {
  const [there, back] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(new StreamMessageReader(there), new StreamMessageWriter(back)), options);
  const client = createProtocolConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  prepare(client);
  client.listen();
  const workspaceFolders = folders.map((uri) => ({ uri, name: uri }));
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities, workspaceFolders });
  await client.sendNotification("initialized", {});
  return client;
}
