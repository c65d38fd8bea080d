import { OnigUnicodePropertyMap } from "oniguruma-parser/unicode";
import { type CharacterSet, type PlainSet, RegexError } from "./tree.ts";

export const LAST_CODE = 0x10ffff;

export const anything: PlainSet = range(0, LAST_CODE);
export const newline: PlainSet = range(10, 10);
export const digit: PlainSet = property("\\p{Nd}");
export const word: PlainSet = property("\\p{L}\\p{M}\\p{N}\\p{Pc}");
export const space: PlainSet = property("\\p{White_Space}");

export function range(from: number, to: number): PlainSet {
  return { kind: "range", from, to };
}

export function not<Set extends CharacterSet>(of: Set): { readonly kind: "not"; readonly of: Set } {
  return { kind: "not", of };
}

function property(source: string): PlainSet {
  return { kind: "property", source };
}

const alphabetic = property("\\p{Alphabetic}");

const posix: Readonly<Record<string, PlainSet>> = {
  alnum: { kind: "union", of: [alphabetic, digit] },
  alpha: alphabetic,
  ascii: range(0, 0x7f),
  blank: property("\\p{Zs}\\t"),
  cntrl: property("\\p{Cc}"),
  digit,
  graph: not(property("\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}")),
  lower: property("\\p{Lowercase}"),
  print: not(property("\\p{Cc}\\p{Cn}\\p{Cs}")),
  punct: property("\\p{P}$+<=>\\^`\\|~"),
  space,
  upper: property("\\p{Uppercase}"),
  word,
  xdigit: property("0-9A-Fa-f"),
};

/** `[:name:]` in a class. */
export function posixSet(name: string): PlainSet {
  if (!Object.hasOwn(posix, name)) throw new RegexError("invalid POSIX bracket type");
  return posix[name]!;
}

/** `\p{name}`: case, blanks, `-` and `_` don't count. */
export function propertySet(name: string): PlainSet {
  const plain = name.toLowerCase().replace(/[\s_-]/g, "");
  if (plain === "any") return anything;
  if (plain === "assigned") return not(property("\\p{Cn}"));
  // Without the symbols that it has as a POSIX class.
  if (plain === "punct") return property("\\p{P}");
  if (Object.hasOwn(posix, plain)) return posix[plain]!;
  const known = OnigUnicodePropertyMap.get(plain);
  if (known !== undefined) {
    for (const candidate of [known, `General_Category=${known}`, `Script=${known}`]) {
      const source = `\\p{${candidate}}`;
      // The engine knows it as another kind of property, or not at all.
      if (isKnown(source)) return property(source);
    }
  }
  throw new RegexError(`invalid character property name {${name}}`);
}

function isKnown(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
