import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { ServerOptions } from "./feature.ts";
import { startServer } from "./server.ts";

/** Serves one client over standard input and output; nothing else may write there. */
export function startStdioServer(options: ServerOptions = {}): void {
  const reader = new StreamMessageReader(process.stdin);
  const writer = new StreamMessageWriter(process.stdout);
  startServer(createConnection(ProposedFeatures.all, reader, writer), options);
}
