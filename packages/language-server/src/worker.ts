import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from "vscode-languageserver/browser";
import { cancelsQueued, LifecycleReader } from "./lifecycle.ts";
import { startServer } from "./server.ts";

/**
 * Entry of a web worker: messages of the protocol come and go by `postMessage`, as objects. It serves the page, or the
 * extension host, that started the worker.
 */
const reader = new LifecycleReader(
  new BrowserMessageReader(globalThis),
  new BrowserMessageWriter(globalThis),
);
startServer(createConnection(ProposedFeatures.all, reader, reader.writer, cancelsQueued));
