import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { JsonNode, Span, StringNode } from "../parse/syntax-tree.ts";
import { findNode } from "./find-node.ts";

/**
 * Where in the document a command failed: inside a jq program at its own character, else at the command's span.
 *
 * @param pointer of the command, as the runtime tells it
 * @param offset in the decoded text of its program, if it failed there
 * @param span of the command, if it is known
 */
export function failureSpan(
  model: Model,
  { pointer, offset, span }: { pointer: string; offset?: number | undefined; span?: Span | undefined },
): Span | undefined {
  if (offset === undefined || span === undefined) return span;
  const found = findNode(model, pointer);
  const program = "node" in found ? programOf(found.node) : undefined;
  return program === undefined
    ? span
    : spanOf(model.document, { node: program, from: offset, to: offset + 1 });
}

/** The text of a command's program: that of a `!jq`, or the one by which a `!switch` chooses. */
function programOf(command: JsonNode): StringNode | undefined {
  if (command.kind !== "object") return undefined;
  const choice = command.get("!switch");
  const program = command.get("!jq") ?? (choice?.kind === "object" ? choice.get("jq") : undefined);
  return program?.kind === "string" ? program : undefined;
}
