import { caseVariants } from "../matcher/case-folding.ts";
import { digit, range, space, word } from "../syntax/character-sets.ts";
import type { CharacterSet, PlainSet } from "../syntax/tree.ts";
import type { Plain } from "./plain-tree.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

const ASCII = 0x80;

/** Characters that are equal to two or three letters of ASCII when case doesn't count. */
const LIGATURES: Readonly<Record<string, readonly number[]>> = {
  ss: [0xdf, 0x1e9e],
  ff: [0xfb00],
  fi: [0xfb01],
  fl: [0xfb02],
  ffi: [0xfb03],
  ffl: [0xfb04],
  st: [0xfb05, 0xfb06],
};

/** More letters in a row that ligatures may stand for have too many spellings. */
const MOST_TIED = 4;

/**
 * A text without regard to case, as sets of characters: `K` is `k`, `K` or the sign of the Kelvin.
 *
 * @throws Declined beyond ASCII, whose cases take long to find out
 */
export function plainFolded(codes: readonly number[]): Plain {
  if (codes.some((code) => code < 0 || code >= ASCII))
    throw new UnsupportedPattern("letters beyond ASCII, of any case");
  const text = String.fromCharCode(...codes).toLowerCase();
  const items: Plain[] = [];
  for (let at = 0; at < text.length; ) {
    const end = tiedEnd(text, at);
    const spellings = spell(text.slice(at, end));
    items.push(spellings.length === 1 ? spellings[0]! : { kind: "alternatives", items: spellings });
    at = end;
  }
  return { kind: "sequence", items };
}

/** Where the letters end that ligatures, each overlapping the one before, may stand for; or one letter. */
function tiedEnd(text: string, from: number): number {
  let end = from + 1;
  for (let at = from; at < end; at++) {
    for (const ligature of Object.keys(LIGATURES))
      if (text.startsWith(ligature, at)) end = Math.max(end, at + ligature.length);
  }
  if (end - from > MOST_TIED) throw new UnsupportedPattern("many letters that ligatures may stand for");
  return end;
}

/** All ways to write a text with and without ligatures. */
function spell(text: string): Plain[] {
  if (text === "") return [{ kind: "sequence", items: [] }];
  const choices: [string, readonly number[]][] = [[text[0]!, caseVariants(text.charCodeAt(0))]];
  for (const [ligature, codes] of Object.entries(LIGATURES))
    if (text.startsWith(ligature)) choices.push([ligature, codes]);
  return choices.flatMap(([taken, codes]) => {
    const first: Plain = { kind: "set", set: anyOf(codes) };
    return spell(text.slice(taken.length)).map((rest): Plain => ({ kind: "sequence", items: [first, rest] }));
  });
}

/**
 * A set with its cases written out.
 *
 * @throws Declined if they aren't known without looking at all of Unicode
 */
export function plainSet(set: CharacterSet): PlainSet {
  switch (set.kind) {
    case "range":
    case "property":
      return set;
    case "union":
      return { kind: "union", of: set.of.map(plainSet) };
    case "not":
      return { kind: "not", of: plainSet(set.of) };
    case "cases":
      return withCases(set.of);
  }
}

function withCases(set: PlainSet): PlainSet {
  switch (set.kind) {
    case "range": {
      if (set.to >= ASCII) throw new UnsupportedPattern("letters beyond ASCII, of any case");
      const codes: number[] = [];
      for (let code = Math.max(0, set.from); code <= set.to; code++) codes.push(...caseVariants(code));
      return anyOf(codes);
    }
    case "union":
      return { kind: "union", of: set.of.map(withCases) };
    default: {
      const positive = set.kind === "not" ? set.of : set;
      // A letter, digit or mark stays one in any case, and blanks have no case.
      if (positive !== digit && positive !== word && positive !== space)
        throw new UnsupportedPattern("a property of characters, of any case");
      return set;
    }
  }
}

function anyOf(codes: readonly number[]): PlainSet {
  const sorted = [...new Set(codes)].sort((a, b) => a - b);
  const ranges: PlainSet[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    ranges.push(range(sorted[at]!, sorted[end]!));
    at = end + 1;
  }
  return ranges.length === 1 ? ranges[0]! : { kind: "union", of: ranges };
}
