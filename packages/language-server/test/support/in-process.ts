import { PassThrough } from "node:stream";
import {
  createConnection,
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { ServerOptions } from "../../src/feature.ts";
import { startServer } from "../../src/server.ts";

/** A client of a server in this process: for what the server is given by whoever starts it. */
export async function clientOf(options: ServerOptions): Promise<ProtocolConnection> {
  const [there, back] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(new StreamMessageReader(there), new StreamMessageWriter(back)), options);
  const client = createProtocolConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  client.listen();
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  await client.sendNotification("initialized", {});
  return client;
}
