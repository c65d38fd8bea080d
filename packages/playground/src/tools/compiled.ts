import { type Compilation, compile } from "@configc/compiler";
import { readSamples } from "@configc/compiler/internal";
import type { Source } from "./protocol.ts";

/** Compiles a document as the language server's worker does, with what is recorded for it. */
export function compiled({ name, text, exchanges }: Source): Compilation {
  const read = readSamples("a recorded answer", exchanges);
  return compile(text, { uri: name, samples: { responses: "samples" in read ? read.samples : [] } });
}
