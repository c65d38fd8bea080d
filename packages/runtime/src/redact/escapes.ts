import { entityOf } from "./entities.ts";
import { decodeUtf8 } from "./utf8.ts";
import type { Piece } from "./views.ts";

const inScripts =
  /\\(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|(x[\da-f]{2}(?:\\x[\da-f]{2}){0,999})|([\\/"'bfnrt]))/gi;
const short: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The escapes of JSON and JavaScript. */
export function* scriptEscapes(text: string): Iterable<Piece> {
  for (const { index: start, 0: whole, 1: braced, 2: unit, 3: bytes, 4: letter } of text.matchAll(
    inScripts,
  )) {
    if (bytes !== undefined) {
      yield bytesOf(start, whole, "\\x");
      continue;
    }
    const stands = letter ?? characterOf(Number.parseInt(braced ?? unit!, 16));
    if (stands !== undefined)
      yield {
        start,
        end: start + whole.length,
        text: letter === undefined ? stands : (short[letter] ?? letter),
      };
  }
}

const inPages =
  /&(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|([a-z]\w{1,10}));|((?:%[\da-f]{2}){1,999})|%u([\da-f]{4})/gi;

/** The entities of HTML, and the percent signs of URLs. */
export function* pageEscapes(text: string): Iterable<Piece> {
  for (const { index: start, 0: whole, 1: decimal, 2: hex, 3: name, 4: percents, 5: old } of text.matchAll(
    inPages,
  )) {
    if (percents !== undefined) {
      yield bytesOf(start, whole, "%");
      continue;
    }
    const code = hex ?? old;
    const stands =
      name !== undefined
        ? entityOf(name)
        : characterOf(code === undefined ? Number(decimal) : Number.parseInt(code, 16));
    if (stands !== undefined) yield { start, end: start + whole.length, text: stands };
  }
}

/** The escapes of quoted-printable. */
export function* quotedBytes(text: string): Iterable<Piece> {
  for (const { index, 0: whole } of text.matchAll(/(?:=[\dA-F]{2}){1,999}/gi))
    yield bytesOf(index, whole, "=");
}

/** The line breaks of quoted-printable that mean nothing. */
export const softBreaks = /=\r?\n/g;

const places = "[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]+|<w?br\\s*\\/?>|&shy;";

/** The signs of a break that are characters. */
export const breakSigns = /[\r\n\u0085\u2028\u2029\u00ad\u200b-\u200d\u2060\ufeff]/;

/** Breaks, with what indents the next line, and characters that only say where a line may be broken. */
export const breaks = new RegExp(`[\\r\\n\\u0085\\u2028\\u2029]\\s*|${places}`, "gi");

/** Breaks and all blanks: where a text with blanks was broken, nobody knows which of them are its own. */
export const blanks = new RegExp(`\\s+|${places}`, "gi");

/** Bytes of two hex digits, each behind a sign. */
function bytesOf(start: number, whole: string, sign: string): Piece {
  const each = sign.length + 2;
  const codes: number[] = [];
  for (let at = sign.length; at < whole.length; at += each)
    codes.push(Number.parseInt(whole.slice(at, at + 2), 16));
  const { text, at } = decodeUtf8(codes.map((code) => String.fromCharCode(code)).join(""));
  return {
    start,
    end: start + whole.length,
    text,
    from: (index) => start + (at?.[index] ?? index) * each,
  };
}

function characterOf(point: number): string | undefined {
  return point > 0x10ffff ? undefined : String.fromCodePoint(point);
}
