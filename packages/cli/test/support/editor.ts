import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { configc, startConfigc } from "./cli.ts";

/** An editor that has started the server of the command as it was built. */
export interface Editor {
  readonly client: ProtocolConnection;
  close(): void;
}

/**
 * @param capabilities of the editor
 * @param listen is given the connection before anything is sent
 */
export async function openEditor(
  capabilities: object = {},
  listen: (client: ProtocolConnection) => void = () => undefined,
): Promise<Editor> {
  // Also sees to it that there is a build.
  configc(["--version"]);
  const server = startConfigc(["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const client = createProtocolConnection(
    new StreamMessageReader(server.stdout!),
    new StreamMessageWriter(server.stdin!),
  );
  listen(client);
  client.listen();
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities });
  await client.sendNotification("initialized", {});
  return {
    client,
    close() {
      client.dispose();
      server.kill();
    },
  };
}
