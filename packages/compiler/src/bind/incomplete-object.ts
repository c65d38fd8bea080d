import type { Document } from "../parse/document.ts";
import type { SyntaxProblem } from "../parse/syntax-problem.ts";
import type { JsonNode, ObjectNode } from "../parse/syntax-tree.ts";

/** Mistakes in JSON that cost no member. */
const harmless: ReadonlySet<SyntaxProblem["kind"]> = new Set([
  "comment",
  "content-after-end",
  "duplicate-member",
  "encoding",
  "invalid-number",
  "invalid-string",
  "missing-comma",
  "missing-colon",
  "missing-opener",
  "other-quotes",
  "trailing-comma",
  "unquoted-name",
]);

/**
 * Whether a mistake in its JSON may have swallowed some of an object's members: then nothing is said to be missing in it (D2).
 */
export function mayBeIncomplete(document: Document, node: ObjectNode): boolean {
  const { root, settled } = document;
  // Each mistake is within a value of the document's own.
  return node === root && settled ? false : mayHaveLostWithin(document, node);
}

/** The same for what stands in a member of the document itself, and for that member. */
export function mayLackMember(document: Document, name: string): boolean {
  const { root } = document;
  if (root?.kind !== "object" || mayBeIncomplete(document, root)) return true;
  const value = root.get(name);
  return value !== undefined && mayHaveLostWithin(document, value);
}

function mayHaveLostWithin({ problems, root }: Document, { start, end }: JsonNode): boolean {
  return problems.some(({ kind, span }) => {
    if (harmless.has(kind)) return false;
    // Of the objects that the end of the document cuts off, only the outermost is reported.
    const cutOff = kind === "unclosed-bracket" && end === root?.end;
    return cutOff || (start <= span.start && span.start < end);
  });
}
