import type { BracketEdit } from "./recovery/bracket-edit.ts";
import { likelyBracket } from "./recovery/likely-bracket.ts";
import { misfitsOf } from "./recovery/shape.ts";
import { Scanner, Token } from "./scanner.ts";
import { hang, type Segment, segmentsOf } from "./segments.ts";
import { misleading, type SyntaxProblem, type SyntaxProblemKind } from "./syntax-problem.ts";
import type { Anchor, JsonNode, Span } from "./syntax-tree.ts";
import { type Reading, type ReadingOptions, read } from "./tree-builder.ts";

/** What other segments may have a part in: how deep they are, and whether a conflict begins or ends in them. */
const unsettling: ReadonlySet<SyntaxProblemKind> = new Set<SyntaxProblemKind>(["nesting", "merge-conflict"]);

/** The likeliest reading of a document. */
export interface Tree extends Pick<Reading, "root" | "problems"> {
  /** Whether each mistake lies in a segment whose brackets pair up: then the others read the same whatever becomes of that one. */
  readonly settled: boolean;
}

/**
 * Builds a syntax tree of any text (D2): what is broken is reported once and skipped, everything else stands in the tree.
 *
 * @param text the document; a byte order mark is accepted
 * @param jsonc whether comments and trailing commas are part of the format (`.jsonc`, D1)
 */
export function buildTree(text: string, jsonc: boolean): Tree {
  const options = { jsonc, comments: mayHaveComments(text, jsonc), around: 0, indentation: 0 };
  const plain = read(text, "plain", options);
  if (plain.problems.length === 0) return { ...plain, settled: true };
  const segments = segmentsOf(plain.root);
  const settled = plain.closed && isSettled(plain.problems, segments);
  if (!plain.problems.some(isMisleading)) return { ...plain, settled };
  const reread = settled ? withSegmentReread(plain, segments, text, jsonc) : undefined;
  return reread ?? { ...carefully(plain, text, options), settled: false };
}

/**
 * A quote or bracket changes the meaning of what follows: the reading with the fewest mistakes is the likeliest. Of two with as many,
 * it is the one in which the language knows more.
 */
function carefully(plain: Reading, text: string, options: ReadingOptions): Reading {
  let best = plain;
  for (const care of ["lines", "layout"] as const) {
    const reading = read(text, care, options);
    if (reading.problems.length <= best.problems.length) best = reading;
  }
  const [{ kind } = { kind: undefined }, ...others] = best.problems;
  if (kind === undefined || (others.length === 0 && !doubtful.has(kind))) return best;
  const edit = likelyBracket(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (edit === undefined) return best;
  const reading = read(text, "plain", { ...options, edit });
  const fewer =
    best.problems.length - reading.problems.length || misfitsOf(best.root) - misfitsOf(reading.root);
  if (fewer === 0) return kind === "unescaped-quote" || isWithinLine(edit, text) ? reading : best;
  return fewer > 0 ? reading : best;
}

/** What is told of one mistake where a bracket may be the likelier one. */
const doubtful: ReadonlySet<SyntaxProblem["kind"]> = new Set([
  "content-after-end",
  "unclosed-bracket",
  "unescaped-quote",
  "unexpected-token",
]);

/** Whether a bracket is missing where indentation can't tell its place. */
function isWithinLine({ at, behind, problem }: BracketEdit, text: string): boolean {
  return behind !== undefined && !text.slice(problem.span.start, at).includes("\n");
}

/** Where all that may come from a slip elsewhere is in one segment, that one alone is read with care. */
function withSegmentReread(
  plain: Reading,
  segments: readonly Segment[],
  text: string,
  jsonc: boolean,
): Tree | undefined {
  const misread = misreadSegments(plain.problems, segments);
  const [segment] = misread;
  if (segment === undefined || misread.length > 1) return undefined;
  const reading = readSegment(text, segment, segment.parent, jsonc);
  if (reading === undefined) return undefined;
  const { node, parent, start } = segment;
  const { root } = reading;
  root.parent = parent;
  const anchor: Anchor = { offset: 0 };
  hang(root, anchor);
  anchor.offset = start;
  if (parent.kind === "array") parent.items[parent.items.indexOf(node)] = root;
  else parent.value = root;
  return { ...plain, problems: withProblemsOf(plain.problems, segment, 0, reading), settled: true };
}

/** A segment by itself. */
interface SegmentReading extends Reading {
  /** At offsets from its beginning. */
  readonly root: JsonNode;
}

/**
 * Reads one segment of a document, as it reads in the whole.
 *
 * @param text the document
 * @param span where the segment is, if its brackets pair up
 * @param parent what it stands in
 * @returns undefined if the text around it may have a part in what it means
 */
export function readSegment(
  text: string,
  { start, end }: Span,
  parent: Segment["parent"],
  jsonc: boolean,
): SegmentReading | undefined {
  const own = text.slice(start, end);
  const line = text.lastIndexOf("\n", start) + 1;
  const options = {
    jsonc,
    comments: /\/[/*]/.test(own) && mayHaveComments(text, jsonc),
    around: parent.kind === "array" ? 2 : 1,
    indentation: text.slice(line, start).search(/[^ \t]|$/),
  };
  const plain = read(own, "plain", options);
  if (!isWhole(plain, own) || plain.problems.some(({ kind }) => unsettling.has(kind))) return undefined;
  if (!plain.problems.some(isMisleading)) return plain;
  if (!pairsUp(own, options.comments)) return undefined;
  let best: SegmentReading = plain;
  for (const care of ["lines", "layout"] as const) {
    // Its brackets pair up: layout explains less than one slip with a quote does.
    if (care === "layout" && best.problems.length === 1) break;
    const reading = read(own, care, options);
    if (isWhole(reading, own) && reading.problems.length <= best.problems.length) best = reading;
  }
  return best;
}

/** Whether a text is one object or list from beginning to end. */
function isWhole(reading: Reading, text: string): reading is SegmentReading {
  const { root, problems } = reading;
  if (root?.kind !== "object" && root?.kind !== "array") return false;
  return (
    root.start === 0 && root.end === text.length && !problems.some(({ kind }) => kind === "content-after-end")
  );
}

/** Whether each bracket of a text has the other one of its pair, the first one at the end. */
function pairsUp(text: string, comments: boolean): boolean {
  const scanner = new Scanner(text, 0, comments);
  const closers: number[] = [];
  for (let token = scanner.scan(); token !== Token.End; token = scanner.scan()) {
    if (token === Token.OpenBrace) closers.push(Token.CloseBrace);
    else if (token === Token.OpenBracket) closers.push(Token.CloseBracket);
    else if (token === Token.CloseBrace || token === Token.CloseBracket) {
      if (closers.pop() !== token) return false;
      if (closers.length === 0) return scanner.end === text.length;
    }
  }
  return false;
}

/** Whether mistakes lie in segments, and say nothing of what is around these. */
function isSettled(problems: readonly SyntaxProblem[], segments: readonly Segment[]): boolean {
  return problems.every(
    ({ kind, span }) => !unsettling.has(kind) && segmentAround(span, segments) !== undefined,
  );
}

/** The segments with mistakes that may come from a slip elsewhere. */
export function misreadSegments(
  problems: readonly SyntaxProblem[],
  segments: readonly Segment[],
): readonly Segment[] {
  const found = problems.filter(isMisleading).flatMap(({ span }) => segmentAround(span, segments) ?? []);
  return [...new Set(found)];
}

/**
 * The segment that a mistake lies in, found by halving: there may be many of both. A comma that is missing behind a segment is told
 * of at its last character, and lies in none.
 */
function segmentAround({ start }: Span, segments: readonly Segment[]): Segment | undefined {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.start <= start) low = middle + 1;
    else high = middle;
  }
  const segment = segments[low - 1];
  return segment !== undefined && start < segment.end - 1 ? segment : undefined;
}

/**
 * The problems of a document, those of one segment replaced.
 *
 * @param delta by how much what stands behind the segment has moved
 * @param reading the segment's new one
 */
export function withProblemsOf(
  problems: readonly SyntaxProblem[],
  segment: Span,
  delta: number,
  reading: SegmentReading,
): readonly SyntaxProblem[] {
  return [
    ...problems.filter(({ span }) => span.start < segment.start),
    ...reading.problems.map((problem) => moved(problem, segment.start)),
    ...problems.filter(({ span }) => span.start >= segment.end).map((problem) => moved(problem, delta)),
  ];
}

function moved(problem: SyntaxProblem, by: number): SyntaxProblem {
  const shifted = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const { span, other } = problem;
  return { ...problem, span: shifted(span), ...(other === undefined ? {} : { other: shifted(other) }) };
}

function isMisleading({ kind }: SyntaxProblem): boolean {
  return misleading.has(kind);
}

/** Without a slash outside a URL there is no comment to see. */
function mayHaveComments(text: string, jsonc: boolean): boolean {
  return !jsonc && /\/\*|(?:^|[^:])\/\//.test(text);
}
