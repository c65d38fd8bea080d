import { harmlessLine } from "@configc/runtime/internal";
import { createConnection, ProposedFeatures, StreamMessageWriter } from "vscode-languageserver/node";
import { ByteReader, HeaderError } from "./byte-reader.ts";
import type { ServerOptions } from "./feature.ts";
import { collectWhenIdle } from "./idle-collection.ts";
import { cancelsQueued, LifecycleReader } from "./lifecycle.ts";
import { startServer } from "./server.ts";

/** Milliseconds between two looks whether all is answered that a client asked before it was gone, … */
const LOOK = 20;
/** … and how often that is looked at: a run that takes longer has nobody left to be for. */
const LOOKS = 500;

/**
 * Serves one client over standard input and output; nothing else may write there. When the client closes its end, or says what
 * is no message, so that no other can be told from it, the process ends: with 1, unless the client had shut the server down.
 */
export function startStdioServer(options: ServerOptions = {}): void {
  const reader = new LifecycleReader(new ByteReader(process.stdin), new StreamMessageWriter(process.stdout));
  const end = (): never => process.exit(reader.isShutDown ? 0 : 1);
  process.stdin.once("end", () => {
    let looks = 0;
    setInterval(() => (reader.isIdle || ++looks > LOOKS) && end(), LOOK);
  });
  // Nobody reads any more.
  process.stdout.on("error", end);
  reader.onError((error) => {
    // A message whose body can't be read is left out, and the next one counts; after a wrong header there is no next one.
    if (!(error instanceof HeaderError)) return;
    note(`the client's messages can't be read: ${error.message}.`);
    end();
  });
  reader.onPartialMessage(({ waitingTime }) =>
    note(
      `the rest of a message has been missing for ${waitingTime / 1_000} s: its Content-Length may be wrong.`,
    ),
  );
  startServer(createConnection(ProposedFeatures.all, reader, reader.writer, cancelsQueued), options);
  collectWhenIdle(process.stdin);
}

/** One line on standard error, which editors show in their log. A client's words do nothing there. */
function note(text: string): void {
  process.stderr.write(`configc: ${harmlessLine(text)}\n`);
}
