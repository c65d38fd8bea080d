/** A part of a text, from the first character to before the second. */
export type Span = readonly [start: number, end: number];

/** A part of a text that stands for another text. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where the character at that index of `text` begins in the source; without it, all stand for the whole piece. */
  readonly from?: (index: number) => number;
  /** Where it ends; without it, where the next one begins. */
  readonly to?: (index: number) => number;
}

/** Finds what can be decoded in a text, from left to right. */
export type Scan = (text: string) => Iterable<Piece>;

/** Another reading of a text. */
export interface View {
  readonly text: string;
  /** The parts of the text that was read, of ascending parts of this one. */
  readonly back: (spans: readonly Span[]) => Span[];
}

/** Between what was taken from different places. */
const GAP = "\0";

/** The text with what can be decoded in place of what stands for it; undefined where that is nothing. */
export function replaced(text: string, scan: Scan): View | undefined {
  return viewOf(text, scan, true);
}

/** Only what can be decoded; undefined where that is nothing. Pieces may overlap. */
export function extracted(text: string, scan: Scan): View | undefined {
  return viewOf(text, scan, false);
}

/** The text without what matches; undefined where nothing does. */
export function without(text: string, pattern: RegExp): View | undefined {
  const rest = text.replace(pattern, "");
  if (rest.length === text.length) return undefined;
  return { text: rest, back: (spans) => sourcesOf(text, gone(text, pattern), true, spans) };
}

function* gone(text: string, pattern: RegExp): Iterable<Piece> {
  for (const { index, 0: whole } of text.matchAll(pattern))
    yield { start: index, end: index + whole.length, text: "" };
}

/** Nothing is kept for the way back, which is rarely gone: it looks for the pieces once more. */
function viewOf(text: string, scan: Scan, inPlace: boolean): View | undefined {
  const parts: string[] = [];
  let end = 0;
  for (const piece of scan(text)) {
    parts.push(inPlace ? text.slice(end, piece.start) : GAP, piece.text);
    end = piece.end;
  }
  if (parts.length === 0) return undefined;
  if (inPlace) parts.push(text.slice(end));
  return { text: parts.join(""), back: (spans) => sourcesOf(text, scan(text), inPlace, spans) };
}

function sourcesOf(text: string, pieces: Iterable<Piece>, inPlace: boolean, spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  const walk = new Walk(pieces, inPlace, text.length);
  for (const [start, end] of spans) found.push([walk.startOf(start), walk.endOf(end)]);
  return found.sort(([a], [b]) => a - b);
}

/** Goes along a view and its source at once. Parts may share characters, so it stays at a piece until it is past. */
class Walk {
  readonly #pieces: Iterator<Piece>;
  readonly #inPlace: boolean;
  readonly #length: number;
  /** Of the piece, in the view; what stands before it from `#copied` on is a copy. */
  #at = 0;
  #copied = 0;
  #source = 0;
  #piece: Piece | undefined;

  constructor(pieces: Iterable<Piece>, inPlace: boolean, length: number) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#inPlace = inPlace;
    this.#length = length;
    this.#next();
  }

  startOf(index: number): number {
    this.#pass(index);
    const piece = this.#piece;
    if (piece === undefined || index < this.#at) return this.#copy(index);
    return piece.from?.(index - this.#at) ?? piece.start;
  }

  endOf(index: number): number {
    this.#pass(index - 1);
    const piece = this.#piece;
    if (piece === undefined || index <= this.#at) return this.#copy(index);
    return piece.to?.(index - this.#at) ?? piece.from?.(index - this.#at) ?? piece.end;
  }

  /** To the piece that the character is in or before. */
  #pass(index: number): void {
    while (this.#piece !== undefined && index >= this.#at + this.#piece.text.length) this.#next();
  }

  #copy(index: number): number {
    return Math.min(this.#source + index - this.#copied, this.#length);
  }

  #next(): void {
    if (this.#piece !== undefined) {
      this.#copied = this.#at + this.#piece.text.length;
      this.#source = this.#piece.end;
    }
    const next = this.#pieces.next();
    this.#piece = next.done === true ? undefined : next.value;
    if (this.#piece === undefined) return;
    this.#at = this.#copied + (this.#inPlace ? this.#piece.start - this.#source : GAP.length);
  }
}
