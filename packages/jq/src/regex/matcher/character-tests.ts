import { digit, newline, space, word } from "../syntax/character-sets.ts";
import type { CharacterSet } from "../syntax/tree.ts";
import { caseVariants } from "./case-folding.ts";

/** Whether a code point belongs to a set. */
export type CharacterTest = (code: number) => boolean;

const ASCII = 128;

/** A test that knows the answers for ASCII by heart. */
export function tabulated(test: CharacterTest): CharacterTest {
  const known = new Uint8Array(ASCII);
  for (let code = 0; code < ASCII; code++) known[code] = test(code) ? 1 : 0;
  return (code) => (code < ASCII ? known[code] === 1 : test(code));
}

/** The tests of sets that patterns share, each made at its first use: most programs have no pattern, and tables of Unicode take time. */
const shared = new Map<CharacterSet, CharacterTest | undefined>(
  [digit, newline, space, word].map((set) => [set, undefined]),
);

export function testOf(set: CharacterSet): CharacterTest {
  return sharedTestOf(set) ?? tabulated(fresh(set));
}

function sharedTestOf(set: CharacterSet): CharacterTest | undefined {
  if (!shared.has(set)) return undefined;
  let test = shared.get(set);
  if (test === undefined) shared.set(set, (test = tabulated(fresh(set))));
  return test;
}

function fresh(set: CharacterSet): CharacterTest {
  switch (set.kind) {
    case "range": {
      const { from, to } = set;
      return (code) => from <= code && code <= to;
    }
    case "property": {
      const expression = new RegExp(`[${set.source}]`, "u");
      return (code) => expression.test(String.fromCodePoint(code));
    }
    case "union": {
      const tests = set.of.map(part);
      return (code) => tests.some((test) => test(code));
    }
    case "not": {
      const test = part(set.of);
      return (code) => !test(code);
    }
    case "cases": {
      const test = part(set.of);
      return (code) => caseVariants(code).some(test);
    }
  }
}

/** Of a set within another, whose answers for ASCII will be known. */
function part(set: CharacterSet): CharacterTest {
  return sharedTestOf(set) ?? fresh(set);
}
