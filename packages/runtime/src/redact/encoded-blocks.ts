import { SHORTEST } from "./mask.ts";
import { isControl, type Prefilter } from "./prefilter.ts";
import { decodeUtf8 } from "./utf8.ts";
import type { Piece, Scan, Span } from "./views.ts";

/** Stands behind a text that was cut, so that every reading of it shows where that was. */
export const CUT = "\uffff";

/** Bytes as pairs of hex digits, glued or with the same few signs between them: so many at least. */
const LEAST_PAIRS = 4;

const DIGIT = 1;
const BETWEEN = 2;
const kinds = new Uint8Array(128);
for (const sign of " \t:,;_+-") kinds[sign.charCodeAt(0)] = BETWEEN;
const digits = new Uint8Array(128);
for (const sign of "0123456789abcdefABCDEF") {
  kinds[sign.charCodeAt(0)] = DIGIT;
  digits[sign.charCodeAt(0)] = Number.parseInt(sign, 16);
}

/** Texts that bytes in hex may be. */
export function hexBytes(sieve: Prefilter): Scan {
  return function* (text) {
    for (let start = nextPairs(text, 0); start >= 0; ) {
      const end = endOfPairs(text, start);
      yield* hexTexts(text, start, end, sieve);
      // In front of glued digits another one may stand that isn't theirs.
      if (!/[^\da-f]/i.test(text.slice(start, end)))
        yield* hexTexts(text, start + 1, end + (isDigit(text, end) ? 1 : 0), sieve);
      start = nextPairs(text, end);
    }
  };
}

/** Where the next pairs begin, of which there are enough; -1 if there are none. */
function nextPairs(text: string, from: number): number {
  const last = text.length - 2 * LEAST_PAIRS;
  for (let at = from; at <= last; ) {
    // A pair that begins here or at the next place has this digit.
    if (kinds[text.charCodeAt(at + 1)] !== DIGIT) at += 2;
    else if (isDigit(text, at) && endOfPairs(text, at) >= 0) return at;
    else at++;
  }
  return -1;
}

function isDigit(text: string, at: number): boolean {
  return kinds[text.charCodeAt(at)] === DIGIT;
}

function isPair(text: string, at: number): boolean {
  return isDigit(text, at) && isDigit(text, at + 1);
}

function byteAt(text: string, at: number): number {
  return (digits[text.charCodeAt(at)]! << 4) | digits[text.charCodeAt(at + 1)]!;
}

/** Where the pairs end that begin at a place; -1 where they are too few. */
function endOfPairs(text: string, start: number): number {
  let end = start + 2;
  let pairs = 1;
  for (;;) {
    let next = end;
    while (next < end + 2 && kinds[text.charCodeAt(next)] === BETWEEN) next++;
    if (text[next] === "0" && (text[next + 1] === "x" || text[next + 1] === "X")) next += 2;
    if (!isPair(text, next)) return pairs < LEAST_PAIRS ? -1 : end;
    end = next + 2;
    pairs++;
  }
}

/** The stretches of bytes that may have a secret: hashes and ids have only short ones. */
function* hexTexts(text: string, start: number, end: number, sieve: Prefilter): Iterable<Piece> {
  let first = start;
  let bytes = 0;
  for (let at = start; at < end - 1; ) {
    if (!isPair(text, at)) {
      at++;
      continue;
    }
    if (sieve.mayBe[byteAt(text, at)] === 1) {
      if (bytes++ === 0) first = at;
    } else {
      if (bytes >= sieve.least) yield hexPiece(text, first, at);
      bytes = 0;
    }
    at += 2;
  }
  // Before a cut, half of a secret is enough.
  if (bytes >= sieve.least || (bytes >= SHORTEST && text.slice(end, end + CUT_BEHIND).includes(CUT)))
    yield hexPiece(text, first, end);
}

/** Signs that may stand between the last pair and a cut. */
const CUT_BEHIND = 7;

function hexPiece(text: string, start: number, stop: number): Piece {
  let binary = "";
  const places: number[] = [];
  for (let at = start; at < stop - 1; ) {
    if (isPair(text, at)) {
      binary += String.fromCharCode(byteAt(text, at));
      places.push(at);
      at += 2;
    } else at++;
  }
  const { text: bytes, at } = decodeUtf8(binary);
  const end = places.at(-1)! + 2;
  const place = (index: number): number => at?.[index] ?? index;
  return atCut(text, /[ \t:,;_+-]{0,2}(?:0x?)?[\da-f]?\uffff/iy, {
    start: places[0]!,
    end,
    text: bytes,
    from: (index) => places[place(index)] ?? end,
    to: (index) => places[place(index) - 1]! + 2,
  });
}

/** Four digits that stand for three characters of ASCII, but for control characters other than breaks and tabs. */
const likely = "[CDI-Za-f][+AC-HQS-Xgi-nw0-3yz][AEIMQUYcgkosw048BFJNRVZdhlptx159][\\w+/-]";
const likelyPair = new RegExp(`${likely}${likely}`, "g");

/** Whether there may be something to decode at all; most texts have nothing. */
export const mayBeEncoded = new RegExp(
  `[%&\\\\=\\r\\n\\u0085\\u00ad\\u2028\\u2029\\u200b-\\u200d\\u2060\\ufeff]|<w?br|[\\da-fA-F]{2}(?:[ \\t:,;_+-]{0,2}(?:0[xX])?[\\da-fA-F]{2}){3}|${likely}${likely}`,
);

const NONE = 64;
const values = new Uint8Array(128).fill(NONE);
for (const [value, digit] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries())
  values[digit.charCodeAt(0)] = value;
values["-".charCodeAt(0)] = 62;
values["_".charCodeAt(0)] = 63;

/**
 * What is text in base64, in either alphabet, wherever it begins: of the four ways to take digits in fours, only the right one
 * gives text for long.
 */
export function base64Texts(sieve: Prefilter): Scan {
  return function* (text) {
    const ends = [0, 0, 0, 0];
    const pair = new RegExp(likelyPair);
    for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
      const { index } = match;
      // The next pair may begin within this one, at another of the four.
      pair.lastIndex = index + 1;
      const least = ends[index % 4]!;
      if (index < least) continue;
      const [start, end] = textAround(text, index, least);
      const binary = atob(text.slice(start, end).replaceAll("-", "+").replaceAll("_", "/"));
      const piece =
        sieve.passes(binary) || text.slice(end, end + CUT_BEHIND).includes(CUT)
          ? base64Piece(text, start, end, binary)
          : undefined;
      ends[index % 4] = piece?.end ?? end;
      if (piece !== undefined) yield piece;
    }
  };
}

/** Eight digits, grown to both sides by what may be text in other characters. */
function textAround(text: string, from: number, least: number): Span {
  let start = from;
  while (start - 4 >= least && isText(text, start - 4)) start -= 4;
  let end = from + 8;
  while (isText(text, end)) end += 4;
  const rest = [0, 1, 2].findIndex((more) => valueAt(text, end + more) === NONE);
  if (rest === 2 || rest === -1) end += rest === 2 ? 2 : 3;
  return [start, end];
}

function base64Piece(text: string, start: number, end: number, binary: string): Piece {
  const { text: decoded, at } = decodeUtf8(binary);
  const bytes = (index: number): number => at?.[index] ?? index;
  return atCut(text, /[\w+/-]?=*\uffff/y, {
    start,
    end,
    text: decoded,
    from: (index) => start + Math.floor((bytes(index) * 4) / 3),
    to: (index) => start + Math.ceil((bytes(index) * 4) / 3),
  });
}

function valueAt(text: string, at: number): number {
  return values[text.charCodeAt(at)] ?? NONE;
}

/** Whether four digits stand for bytes that a text may have. */
function isText(text: string, at: number): boolean {
  let value = 0;
  for (let index = at; index < at + 4; index++) {
    const digit = valueAt(text, index);
    if (digit === NONE) return false;
    value = (value << 6) | digit;
  }
  return !isControl(value >> 16) && !isControl((value >> 8) & 0xff) && !isControl(value & 0xff);
}

/** With the mark of the cut, if that is where it ends, or would but for half a digit. */
function atCut(text: string, rest: RegExp, piece: Piece): Piece {
  const { end, text: decoded, from, to } = piece;
  rest.lastIndex = end;
  if (!rest.test(text)) return piece;
  const stop = rest.lastIndex;
  return {
    ...piece,
    end: stop,
    text: decoded + CUT,
    from: (index) => (index < decoded.length ? from!(index) : end),
    to: (index) => (index <= decoded.length ? to!(index) : stop),
  };
}
