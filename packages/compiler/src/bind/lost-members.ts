import type { Document } from "../parse/document.ts";
import type { SyntaxProblem } from "../parse/syntax-problem.ts";
import type { ObjectNode } from "../parse/syntax-tree.ts";

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
  "trailing-comma",
  "unquoted-name",
]);

/**
 * Whether a mistake in its JSON may have swallowed some of an object's members: then nothing is said to be missing in it (D2).
 */
export function mayHaveLostMembers({ problems }: Document, { start, end }: ObjectNode): boolean {
  return problems.some(({ kind, span }) => start <= span.start && span.start < end && !harmless.has(kind));
}
