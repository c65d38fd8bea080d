import type { Change } from "./change.ts";
import { LineMap, type Position } from "./line-map.ts";
import { buildTree, type Tree } from "./readings.ts";
import { type Lease, type Segment, segmentsOf } from "./segments.ts";
import { documentOffset } from "./string-map.ts";
import type { SyntaxProblem } from "./syntax-problem.ts";
import type { JsonNode, Span, StringNode, SyntaxNode } from "./syntax-tree.ts";

/** A document with its syntax tree: the result of the first phase. */
export interface Document {
  readonly text: string;
  /** Decides the format only: a name that ends in `.jsonc` allows comments and trailing commas (D1). */
  readonly uri: string;
  readonly jsonc: boolean;
  readonly root: JsonNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly settled: Tree["settled"];
  /** Line and column of an offset; the line table is made when the first one is asked for. */
  position(offset: number): Position;
  readonly lines: LineMap;
  /** The parts that other versions of the document may share. */
  readonly segments: readonly Segment[];
  readonly lease: Lease;
  linesAfter(text: string, change: Change): LineMap | undefined;
  /** Takes shared segments back from another version, so that the tree can be read. */
  hold(): void;
}

/**
 * Where something is: a node, or a part of a string in offsets of its decoded value. The span in the document is worked out
 * when it is shown, so nothing embedded needs to know of escapes.
 */
export type Location = SyntaxNode | StringPart | Span;

export interface StringPart {
  readonly node: StringNode;
  /** UTF-16 offsets in `node.value`. */
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a document; never fails (D2).
 *
 * @param source the text, or its bytes: bytes that aren't UTF-8 become a problem at the first bad one
 * @param uri name of the document
 */
export function parseDocument(source: string | Uint8Array, uri: string): Document {
  const { text, problem } =
    typeof source === "string" ? { text: source, problem: undefined } : decode(source);
  const jsonc = uri.endsWith(".jsonc");
  const tree = buildTree(text, jsonc);
  if (problem === undefined) return new ParsedDocument(text, uri, jsonc, tree);
  // Of a file in another encoding from its start on, what looks like JSON is chance.
  const root = problem.span.start === 0 ? undefined : tree.root;
  return new ParsedDocument(text, uri, jsonc, { ...tree, root, problems: [problem], settled: false });
}

/**
 * A class for the sake of `lines`: an accessor in an object literal gives each object a hidden class of its own, which keeps
 * the whole tree alive until the next full collection.
 */
export class ParsedDocument implements Document {
  readonly text: string;
  readonly uri: string;
  readonly jsonc: boolean;
  readonly root: JsonNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly settled: boolean;
  readonly lease: Lease;
  private lineMap: LineMap | undefined = undefined;
  private parts: readonly Segment[] | undefined = undefined;

  constructor(
    text: string,
    uri: string,
    jsonc: boolean,
    { root, problems, settled }: Tree,
    shared?: {
      readonly segments: readonly Segment[];
      readonly lease: Lease;
      readonly lines: LineMap | undefined;
    },
  ) {
    this.text = text;
    this.uri = uri;
    this.jsonc = jsonc;
    this.root = root;
    this.problems = problems;
    this.settled = settled;
    this.parts = shared?.segments;
    this.lineMap = shared?.lines;
    this.lease = shared?.lease ?? { holder: this };
  }

  get segments(): readonly Segment[] {
    this.parts ??= segmentsOf(this.root);
    return this.parts;
  }

  hold(): void {
    if (this.lease.holder === this) return;
    for (const { node, anchor, parent, start } of this.segments) {
      node.parent = parent;
      anchor.offset = start;
    }
    this.lease.holder = this;
  }

  get lines(): LineMap {
    this.lineMap ??= new LineMap(this.text);
    return this.lineMap;
  }

  /** The lines of the next version, if anybody has asked for those of this one. */
  linesAfter(text: string, change: Change): LineMap | undefined {
    return this.lineMap && new LineMap(text, { lines: this.lineMap, change });
  }

  position(offset: number): Position {
    return this.lines.position(offset);
  }
}

/** Span of a location in the document's text. */
export function spanOf(document: Document, location: Location): Span {
  if ("from" in location) {
    const { node, from, to } = location;
    const start = documentOffset(document.text, node, from);
    return { start, end: Math.max(start, documentOffset(document.text, node, to)) };
  }
  return { start: location.start, end: location.end };
}

function decode(bytes: Uint8Array): { text: string; problem: SyntaxProblem | undefined } {
  if (isWide(bytes)) {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { text, problem: notUtf8(text, 0) };
  }
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      problem: undefined,
    };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { text, problem: notUtf8(text, Math.max(0, text.indexOf("\ufffd"))) };
  }
}

function notUtf8(text: string, at: number): SyntaxProblem {
  return { kind: "encoding", span: { start: at, end: at + 1 }, text: text.slice(at, at + 1) };
}

/** UTF-16 or UTF-32 without a mark, which is valid UTF-8 with a NUL beside each letter: JSON begins with two that are ASCII. */
function isWide(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0 && bytes[1] !== 0) return false;
  const nulls = [...bytes.subarray(0, 4)].map((byte) => (byte === 0 ? "0" : "x")).join("");
  return ["0x0x", "x0x0", "000x", "x000"].includes(nulls);
}
