import type { Model } from "@configc/compiler";
import { findNode } from "@configc/compiler/internal";
import { compiled } from "./compiled.ts";
import type { Source, Span } from "./protocol.ts";

/** Where the key of a command stands. */
export function place(source: Source, pointer: string): Span | undefined {
  return keyAt(compiled(source).model, pointer);
}

/** A command may go on for pages; its key says which it is. */
export function keyAt(model: Model, pointer: string): Span | undefined {
  const found = findNode(model, pointer);
  if (!("node" in found) || found.node.kind !== "object") return undefined;
  const key = found.node.members.find(({ name }) => name.startsWith("!"))?.key;
  return key === undefined ? undefined : { start: key.start, end: key.end };
}
