import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { startServer } from "./server.ts";

/** Entry of a server process: the transport (`--node-ipc`, `--stdio`, `--socket`) is read from the command line. */
startServer(createConnection(ProposedFeatures.all));
