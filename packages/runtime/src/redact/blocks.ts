import { SHORTEST } from "./shown.ts";
import { decodeUtf8 } from "./utf8.ts";
import type { Piece } from "./views.ts";

/** Stands behind a text that was cut, so that every reading of it shows where that was. */
export const CUT = "\uffff";

/** Bytes as pairs of hex digits, glued or with the same few signs between them. A pattern without an end may overflow its stack. */
const hexRun = /[\da-f]{2}(?:[ \t:,;_+-]{0,2}(?:0x)?[\da-f]{2}){3,999}/gi;
const hexMore = /(?:[ \t:,;_+-]{0,2}(?:0x)?[\da-f]{2}){1,999}/iy;

export function* hexBytes(text: string): Iterable<Piece> {
  const run = new RegExp(hexRun);
  for (let match = run.exec(text); match !== null; match = run.exec(text)) {
    const start = match.index;
    let end = run.lastIndex;
    for (hexMore.lastIndex = end; hexMore.test(text); hexMore.lastIndex = end) end = hexMore.lastIndex;
    run.lastIndex = end;
    const whole = text.slice(start, end);
    yield* hexTexts(text, start, whole.matchAll(/[\da-f]{2}/gi));
    // In front of glued digits another one may stand that isn't theirs.
    if (!/[^\da-f]/i.test(whole))
      yield* hexTexts(text, start + 1, `${whole.slice(1)}${text[end] ?? ""}`.matchAll(/[\da-f]{2}/gi));
  }
}

/** The stretches of bytes that a text may have: hashes and ids have only short ones. */
function* hexTexts(text: string, start: number, pairs: Iterable<RegExpExecArray>): Iterable<Piece> {
  let binary = "";
  let places: number[] = [];
  for (const { index, 0: pair } of pairs) {
    const byte = Number.parseInt(pair, 16);
    if (!isControl(byte)) {
      binary += String.fromCharCode(byte);
      places.push(start + index);
      continue;
    }
    if (places.length >= SHORTEST) yield hexPiece(text, binary, places);
    binary = "";
    places = [];
  }
  if (places.length >= SHORTEST) yield hexPiece(text, binary, places);
}

function hexPiece(text: string, binary: string, places: readonly number[]): Piece {
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
export function* base64Texts(text: string): Iterable<Piece> {
  const ends = [0, 0, 0, 0];
  const pair = new RegExp(likelyPair);
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    const { index } = match;
    // The next pair may begin within this one, at another of the four.
    pair.lastIndex = index + 1;
    const least = ends[index % 4]!;
    if (index < least) continue;
    const piece = base64Piece(text, index, least);
    ends[index % 4] = piece.end;
    yield piece;
  }
}

/** Grown to both sides by what may be text in other characters. */
function base64Piece(text: string, from: number, least: number): Piece {
  let start = from;
  while (start - 4 >= least && isText(text, start - 4)) start -= 4;
  let end = from + 8;
  while (isText(text, end)) end += 4;
  const rest = [0, 1, 2].findIndex((more) => valueAt(text, end + more) === NONE);
  if (rest === 2 || rest === -1) end += rest === 2 ? 2 : 3;
  const { text: decoded, at } = decodeUtf8(
    atob(text.slice(start, end).replaceAll("-", "+").replaceAll("_", "/")),
  );
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

function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
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
