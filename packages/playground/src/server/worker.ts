import type { Sample } from "@configc/compiler";
import { readSamples } from "@configc/compiler/internal";
import { startServer } from "@configc/language-server";
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from "vscode-languageserver/browser";
import { SAMPLES, type SamplesParams } from "./protocol.ts";

/**
 * Entry of the language server's worker. It is told the recorded answers of the document that is open, and takes the types of
 * responses from them.
 */
let responses: readonly Sample[] = [];
let changed: () => void = () => undefined;

const connection = createConnection(
  ProposedFeatures.all,
  new BrowserMessageReader(globalThis),
  new BrowserMessageWriter(globalThis),
);
connection.onNotification(SAMPLES, ({ name, exchanges }: SamplesParams) => {
  const read = readSamples(name, exchanges);
  responses = "samples" in read ? read.samples : [];
  changed();
});
startServer(connection, {
  samplesOf(_uri, onChange) {
    changed = onChange;
    return { responses };
  },
});
