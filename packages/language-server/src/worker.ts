import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from "vscode-languageserver/browser";
import { startServer } from "./server.ts";

/**
 * Entry of a web worker: messages of the protocol come and go by `postMessage`, as objects. It serves the page, or the
 * extension host, that started the worker.
 */
const reader = new BrowserMessageReader(globalThis);
const writer = new BrowserMessageWriter(globalThis);
startServer(createConnection(ProposedFeatures.all, reader, writer));
