import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { assemble } from "../../src/regex/matcher/assemble.ts";
import { Matcher } from "../../src/regex/matcher/matcher.ts";
import { automatonOf } from "../../src/regex/native/automaton.ts";
import { NativeRegex, nativeOf } from "../../src/regex/native/native.ts";
import { mostTries } from "../../src/regex/native/path-count.ts";
import { plain } from "../../src/regex/native/plain.ts";
import { fromRunStarts } from "../../src/regex/native/run-start.ts";
import { UnsupportedPattern } from "../../src/regex/native/unsupported-pattern.ts";
import { readPattern } from "../../src/regex/pattern.ts";
import { compileRegex, type RegexMatch } from "../../src/regex/regex.ts";
import { type Regex, RegexError } from "../../src/regex/syntax/tree.ts";
import { triesOf } from "./backtrack.ts";
import { flagLetters, patterns, texts } from "./generate.ts";
import { accepted, declined } from "./table.ts";

/** More with the variable of this name: 20,000 take a minute or two. */
const RUNS = 250;

/** Undefined for what isn't a regular expression. */
function read(pattern: string, flags: string): Regex | undefined {
  try {
    return readPattern(pattern, flags);
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

function matchesOf(
  regex: ReturnType<typeof compileRegex>,
  text: string,
  tick: () => void,
): readonly RegexMatch[] {
  const found: RegexMatch[] = [];
  regex.search(text, tick, (match) => found.push(match) > 0);
  return found;
}

/** UTF-16 offsets between characters. */
function places(text: string): number[] {
  const all = [0];
  for (const character of text) all.push(all.at(-1)! + character.length);
  return all;
}

describe("what JavaScript's engine is given", () => {
  test("matches there as in the matcher: from every place, with all groups", () => {
    const seen = { accepted: 0, declined: 0, searches: 0, matches: 0, withinRun: 0 };
    fc.assert(
      fc.property(
        patterns,
        flagLetters,
        fc.array(texts, { minLength: 3, maxLength: 6 }),
        (pattern, flags, all) => {
          const regex = read(pattern, flags);
          if (regex === undefined) return;
          const native = nativeOf(regex);
          if (native instanceof UnsupportedPattern) {
            seen.declined++;
            return;
          }
          seen.accepted++;
          const program = assemble(regex);
          for (const text of all) {
            for (const from of places(text)) {
              const ours = new Matcher(program, text, () => {}).search(from, {
                longest: false,
                notEmpty: false,
              });
              const theirs = native.search(text, from);
              seen.searches++;
              if (theirs === undefined) seen.withinRun++;
              else if (String(theirs) !== String(ours ?? "none"))
                throw new Error(
                  `${native.source} on ${JSON.stringify(text)} from ${from}: ${theirs}, not ${ours}`,
                );
              if (ours !== undefined) seen.matches++;
            }
          }
        },
      ),
      { numRuns: Number(process.env["RUNS"] ?? cases(RUNS)), ...seedOf() },
    );
    if (process.env["RUNS"] !== undefined) console.log(JSON.stringify(seen));
    expect(seen.accepted).toBeGreaterThan(seen.declined / 2);
    expect(seen.matches).toBeGreaterThan(seen.searches / 10);
    expect(seen.withinRun).toBeLessThan(seen.searches / 10);
  });

  test("is tried no more often than was counted, on texts that repeat themselves", () => {
    fc.assert(
      fc.property(patterns, flagLetters, texts, texts, texts, (pattern, flags, before, pumped, after) => {
        const regex = read(pattern, flags);
        if (regex === undefined) return;
        const text = before + pumped.repeat(Math.ceil(150 / (pumped.length + 1))) + after;
        for (const automaton of automata(regex)) {
          const most = countedOf(automaton);
          if (most === undefined) continue;
          // What is certain to match isn't counted, and is passed once.
          const bound = (most + automaton.states.length) * (text.length + 1);
          expect(triesOf(automaton, text)).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: Number(process.env["RUNS"] ?? cases(RUNS)), ...seedOf() },
    );
  });
});

describe("what JavaScript's engine is given, and what not", () => {
  for (const [pattern, flags = ""] of accepted) {
    test(`${pattern} with flags "${flags}"`, () => {
      expect(nativeOf(readPattern(pattern, flags))).toBeInstanceOf(NativeRegex);
    });
  }

  test.each(declined)("%s with flags %j: %s", (pattern, flags, reason) => {
    const found = nativeOf(readPattern(pattern, flags));
    expect(found instanceof UnsupportedPattern ? found.message : found.source).toBe(reason);
  });
});

describe("what else keeps a search from JavaScript's engine", () => {
  const matches = (pattern: string, text: string) => {
    const regex = compileRegex(pattern, "g");
    let steps = 0;
    const found = matchesOf(regex, text, () => steps++).map(({ slots }) => text.slice(slots[0], slots[1]));
    return { found, steps };
  };

  test("little text so far: finding out would take longer", () => {
    const short = "ab".repeat(100);
    const first = matches("a[^ab]*b", short);
    for (let i = 0; i < 20; i++) matches("a[^ab]*b", short);
    const later = matches("a[^ab]*b", short);
    expect(later.found).toEqual(first.found);
    expect(later.steps).toBeLessThan(first.steps / 2);
  });

  test("a long text, since it can't be interrupted", () => {
    const { steps } = matches("b+c?", `${"a".repeat(1_000_000)}b`);
    expect(steps).toBeGreaterThan(1_000_000);
  });

  test("a search that begins within a run: the matcher goes on from there", () => {
    const text = `1-22333-44-5${" ".repeat(5000)}66-77888-99`;
    expect(matches("\\d+-\\d\\d", text).found).toEqual(["1-22", "333-44", "66-77", "888-99"]);
  });

  test("an empty match between the halves of a character, which V8 finds", () => {
    const text = `A\u{10ffff}${"A".repeat(5000)}`;
    const offsets = matchesOf(compileRegex("(?<!\\w)a*", "g"), text, () => {}).map(({ slots }) => slots[0]);
    expect(offsets).toEqual([0, 3]);
  });

  test("a loop that takes more memory than the engine has for going back", () => {
    const pattern = `^(?:${"(".repeat(40)}x${")".repeat(40)})*$`;
    const native = nativeOf(readPattern(pattern, "")) as NativeRegex;
    expect(native.search(`${"x".repeat(1000)}!`, 0)).toBe("none");
    expect(native.search(`${"x".repeat(500_000)}!`, 0)).toBeUndefined();
  });
});

function automata(regex: Regex) {
  try {
    const whole = plain(regex.body);
    const runs = fromRunStarts(whole);
    return [whole, ...(runs === undefined ? [] : [runs.pattern])].map(automatonOf);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return [];
    throw error;
  }
}

function countedOf(automaton: ReturnType<typeof automatonOf>): number | undefined {
  try {
    return mostTries(automaton);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

function seedOf(): { seed: number } {
  return { seed: Number(process.env["SEED"] ?? 7) };
}
