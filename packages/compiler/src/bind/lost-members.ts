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
  "missing-opener",
  "other-quotes",
  "trailing-comma",
  "unquoted-name",
]);

/**
 * Whether a mistake in its JSON may have swallowed some of an object's members: then nothing is said to be missing in it (D2).
 */
export function mayHaveLostMembers({ problems, root }: Document, { start, end }: ObjectNode): boolean {
  return problems.some(({ kind, span }) => {
    if (harmless.has(kind)) return false;
    // Of the objects that the end of the document cuts off, only the outermost is reported.
    const cutOff = kind === "unclosed-bracket" && end === root?.end;
    return cutOff || (start <= span.start && span.start < end);
  });
}
