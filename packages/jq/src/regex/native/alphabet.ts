import { type CharacterTest, testOf } from "../matcher/character-tests.ts";
import { digit, LAST_CODE, space, word } from "../syntax/character-sets.ts";
import type { PlainSet } from "../syntax/tree.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

/** Characters that no set tells apart, by the numbers of the sets that they belong to. */
export type Letter = readonly boolean[];

/** A character, or beyond ASCII all of a range that have the same properties. */
interface Sample {
  readonly code: number;
  readonly has: (property: Extract<PlainSet, { kind: "property" }>) => boolean;
}

const ASCII = 0x80;
const MOST_RANGES = 50;
const MOST_PROPERTIES = 3;

/**
 * All letters that texts may consist of, as far as the sets of a pattern tell them apart. Beyond ASCII some may not exist in
 * Unicode: of a property but digits, words and blanks it isn't known with which others it goes together.
 *
 * @throws Declined if there are too many
 */
export function alphabetOf(sets: readonly PlainSet[]): readonly Letter[] {
  const samples = samplesOf(sets);
  // Those that the sets so far don't tell apart have the same number.
  let kinds: readonly number[] = samples.map(() => 0);
  for (const set of sets) {
    const split = new Map<number, number>();
    kinds = samples.map((sample, index) => {
      const kind = kinds[index]! * 2 + (contains(set, sample) ? 1 : 0);
      const known = split.get(kind) ?? split.size;
      split.set(kind, known);
      return known;
    });
  }
  const letters: Letter[] = [];
  for (const [index, sample] of samples.entries())
    letters[kinds[index]!] ??= sets.map((set) => contains(set, sample));
  return letters;
}

function contains(set: PlainSet, sample: Sample): boolean {
  switch (set.kind) {
    case "range":
      return set.from <= sample.code && sample.code <= set.to;
    case "property":
      return sample.has(set);
    case "union":
      return set.of.some((each) => contains(each, sample));
    case "not":
      return !contains(set.of, sample);
  }
}

function samplesOf(sets: readonly PlainSet[]): readonly Sample[] {
  const { bounds, properties } = partsOf(sets);
  if (bounds.length > MOST_RANGES) throw new UnsupportedPattern("many ranges of characters");
  if (properties.size > MOST_PROPERTIES) throw new UnsupportedPattern("many properties of characters");
  const character = (code: number): Sample => {
    return { code, has: (property) => (properties.get(property.source) ?? testOf(property))(code) };
  };
  const unknown = [...properties.keys()];
  const samples = Array.from({ length: ASCII }, (_, code) => character(code));
  for (const [index, from] of bounds.entries()) {
    const to = bounds[index + 1] ?? LAST_CODE + 1;
    if (to === from + 1) {
      samples.push(character(from));
      continue;
    }
    // Blanks are no words, and digits are some.
    for (const known of [[], [space], [word], [word, digit]]) {
      for (let chosen = 0; chosen < 1 << unknown.length; chosen++) {
        const has: Sample["has"] = (property) => {
          const at = unknown.indexOf(property.source);
          return at < 0 ? known.includes(property) : (chosen & (1 << at)) !== 0;
        };
        samples.push({ code: from, has });
      }
    }
  }
  return samples;
}

interface Parts {
  /** Where ranges begin or end beyond ASCII, in ascending order. */
  readonly bounds: readonly number[];
  /** Properties of which nothing is known beyond ASCII, by their source. */
  readonly properties: ReadonlyMap<string, CharacterTest>;
}

function partsOf(sets: readonly PlainSet[]): Parts {
  const bounds = new Set([ASCII]);
  const properties = new Map<string, CharacterTest>();
  const visit = (set: PlainSet): void => {
    if (set.kind === "union") set.of.forEach(visit);
    else if (set.kind === "not") visit(set.of);
    else if (set.kind === "range") {
      for (const bound of [set.from, set.to + 1]) if (bound > ASCII && bound <= LAST_CODE) bounds.add(bound);
    } else if (set !== digit && set !== word && set !== space) properties.set(set.source, testOf(set));
  };
  sets.forEach(visit);
  return { bounds: [...bounds].sort((a, b) => a - b), properties };
}
