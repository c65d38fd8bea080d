import type { Span } from "./syntax-tree.ts";

/** What can be wrong with a document as JSON. Each has a rule of the same name in the area `syntax`. */
export type SyntaxProblemKind =
  | "empty-document"
  | "content-after-end"
  | "unexpected-token"
  | "missing-comma"
  | "trailing-comma"
  | "missing-colon"
  | "missing-value"
  | "unclosed-bracket"
  | "missing-opener"
  | "unclosed-string"
  | "unopened-string"
  | "line-break-in-string"
  | "unescaped-quote"
  | "other-quotes"
  | "invalid-string"
  | "invalid-number"
  | "unquoted-name"
  | "comment"
  | "foreign-blank"
  | "merge-conflict"
  | "duplicate-member"
  | "nesting"
  | "encoding";

export interface SyntaxProblem {
  readonly kind: SyntaxProblemKind;
  readonly span: Span;
  /** The source text concerned, or the name of a repeated member. */
  readonly text: string;
  /** What would be accepted here, or what is missing. */
  readonly expected?: string;
  /** The other place: the first member of that name; where a missing bracket belongs; the end of a merge conflict. */
  readonly other?: Span;
}

/**
 * The problems as they are told: tokens side by side on one line, none of which can stand there, are one, such as the words of a
 * comment without its `//`.
 */
export function told(problems: readonly SyntaxProblem[], text: string): readonly SyntaxProblem[] {
  const found: SyntaxProblem[] = [];
  for (const problem of problems) {
    const last = found.at(-1);
    const beside =
      last?.kind === "unexpected-token" &&
      problem.kind === "unexpected-token" &&
      last.expected === problem.expected &&
      last.span.end <= problem.span.start &&
      /^[ \t]*$/.test(text.slice(last.span.end, problem.span.start));
    if (!beside) {
      found.push(problem);
      continue;
    }
    const span = { start: last.span.start, end: problem.span.end };
    found[found.length - 1] = {
      ...last,
      span,
      text: text.slice(span.start, Math.min(span.end, span.start + LONGEST)),
    };
  }
  return found;
}

/** Of the source text, as much as a message may show. */
const LONGEST = 80;

/** What may come from a slip elsewhere. */
export const misleading: ReadonlySet<SyntaxProblemKind> = new Set<SyntaxProblemKind>([
  "content-after-end",
  "unexpected-token",
  "missing-comma",
  "missing-colon",
  "missing-value",
  "unclosed-bracket",
  "unclosed-string",
  "unquoted-name",
]);
