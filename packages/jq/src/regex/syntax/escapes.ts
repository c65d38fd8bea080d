import { anything, digit, newline, not, propertySet, range, space, word } from "./character-sets.ts";
import type { Cursor } from "./cursor.ts";
import { type Node, type PlainSet, RegexError } from "./tree.ts";

/** What an escape stands for: characters, mostly one; a set; or a part of a pattern, outside classes. */
export interface Escape {
  readonly codes?: readonly number[];
  readonly set?: PlainSet;
  readonly node?: Node;
}

/** No character has this code. */
const NONE = -1;

/** Reads an escape, from its backslash on, that stands for characters or a set. */
export function readEscape(cursor: Cursor, inClass: boolean): Escape {
  cursor.at++;
  const start = cursor.at;
  const code = cursor.next();
  const letter = String.fromCodePoint(code);
  if (Object.hasOwn(sets, letter)) return { set: sets[letter]! };
  if (Object.hasOwn(controls, letter)) return { codes: [controls[letter]!] };
  if (!inClass && Object.hasOwn(wholes, letter)) return wholes[letter]!;
  switch (letter) {
    case "x":
      return { codes: braced(cursor, 16) ?? bytes(cursor, start) };
    case "o":
      return { codes: braced(cursor, 8) ?? [code] };
    case "c":
      if (cursor.done) throw new RegexError("end pattern at control");
      if (cursor.peek() === "\\") return { codes: readEscape(cursor, true).codes?.map(control) ?? [NONE] };
      return { codes: [control(cursor.next())] };
    case "p":
    case "P":
      return cursor.take("{") ? property(cursor, letter === "P") : { codes: [code] };
  }
  return { codes: /[0-7]/.test(letter) ? bytes(cursor, start) : [code] };
}

function control(code: number): number {
  return code & 0x1f;
}

/** `{61 62}` behind `\x` or `\o`; undefined for anything else in braces, which stands for itself. */
function braced(cursor: Cursor, base: 8 | 16): number[] | undefined {
  const start = cursor.at;
  if (!cursor.take("{")) return undefined;
  const digits = base === 16 ? /\s*([0-9A-Fa-f]+)/y : /\s*([0-7]+)/y;
  const codes: number[] = [];
  for (let match = cursor.read(digits); match !== undefined; match = cursor.read(digits)) {
    const number = match[1]!.replace(/^0+/, "");
    if (base === 16 && number.length > 8) throw new RegexError("too long wide-char value");
    if (Number.parseInt(number, base) > 0xffffffff) throw new RegexError("too big number");
    const code = Number.parseInt(number || "0", base);
    codes.push(code > 0x10ffff ? NONE : code);
  }
  if (codes.length > 0 && cursor.read(/\s*\}/y)) return codes;
  if (codes.length > 0) throw new RegexError("invalid code point value");
  if (/[0-9]/.test(cursor.peek() ?? "")) throw new RegexError("too long wide-char value");
  cursor.at = start;
  return base === 16 && cursor.peek(1) !== undefined ? [0x78] : undefined;
}

/** `\xHH` or `\OOO`, from behind the backslash on: a byte of UTF-8. Bytes that are not ASCII are followed by the rest of a character. */
function bytes(cursor: Cursor, start: number): number[] {
  cursor.at = start;
  const lead = byte(cursor)!;
  if (lead < 0x80) return [lead];
  if (lead < 0xc0) throw new RegexError("invalid code point value");
  const more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
  if (more === 0) return [NONE];
  let code = lead & (0x3f >> more);
  for (let i = 0; i < more; i++) {
    const next = cursor.take("\\") ? byte(cursor) : undefined;
    if (next === undefined) throw new RegexError("too short multibyte code string");
    code = (code << 6) | (next & 0x3f);
  }
  return [code];
}

function byte(cursor: Cursor): number | undefined {
  const hexadecimal = cursor.read(/x([0-9A-Fa-f]{0,2})/y);
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal[1] || "0", 16);
  const octal = cursor.read(/[0-7]{1,3}/y);
  return octal === undefined ? undefined : Number.parseInt(octal[0], 8) & 0xff;
}

/** Behind `\p{`. */
function property(cursor: Cursor, negated: boolean): Escape {
  const match = cursor.read(/(\^?)([^{}()|]*)\}/y);
  if (match === undefined) throw new RegexError("end pattern with unmatched parenthesis");
  const set = propertySet(match[2]!);
  return { set: negated !== (match[1] === "^") ? not(set) : set };
}

const sets: Readonly<Record<string, PlainSet>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, a: 7, e: 27 };

const lineBreak: Node = {
  kind: "atomic",
  body: {
    kind: "alternatives",
    items: [
      {
        kind: "sequence",
        items: [
          { kind: "character", code: 13 },
          { kind: "character", code: 10 },
        ],
      },
      {
        kind: "set",
        set: { kind: "union", of: [range(10, 13), range(0x85, 0x85), range(0x2028, 0x2029)] },
      },
    ],
  },
};

/** Letters in a class. */
const wholes: Readonly<Record<string, Escape>> = {
  N: { set: not(newline) },
  O: { set: anything },
  R: { node: lineBreak },
  X: { node: { kind: "grapheme" } },
};
