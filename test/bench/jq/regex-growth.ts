import { NativeRegex, nativeOf } from "../../../packages/jq/src/regex/native/native.ts";
import { readPattern } from "../../../packages/jq/src/regex/pattern.ts";
import { accepted } from "../../../packages/jq/test/regex/table.ts";

const SIZE = 20_000;

/**
 * How the time of JavaScript's engine grows on texts that repeat one or two characters which occur in the pattern, for each pattern
 * of the table that is left to it. What takes a text squared would take seconds.
 */
export function growthOfRegexes(): string {
  const lines = ["| pattern | texts | slowest, ns a character | with twice the text |", "|---|---|---|---|"];
  for (const [pattern, flags = ""] of accepted) {
    const native = nativeOf(readPattern(pattern, flags));
    if (!(native instanceof NativeRegex)) throw new Error(`${pattern}: ${native.message}`);
    let slowest = { time: 0, growth: 0 };
    const texts = wordsFor(pattern).flatMap((word) => [
      [word, ""],
      [word, "!"],
    ]);
    for (const [word, end] of texts as [string, string][]) {
      const make = (size: number) => `${word.repeat(size / word.length)}${end}`;
      const time = timeOf(native, make(SIZE));
      if (time > slowest.time) slowest = { time, growth: timeOf(native, make(2 * SIZE)) / time };
    }
    const shown = pattern.replaceAll("|", "\\|");
    const nanoseconds = (slowest.time * 1e6) / SIZE;
    lines.push(
      `| \`${shown}\` | ${texts.length} | ${nanoseconds.toFixed(1)} | ${slowest.growth.toFixed(1)}× |`,
    );
  }
  return lines.join("\n");
}

/** All words of one and of two characters that the pattern tells apart, about. */
function wordsFor(pattern: string): string[] {
  const letters = [...new Set([...pattern.replace(/\\[a-zA-Z]/g, ""), "a", "1", " ", "-"])].slice(-12);
  return [...letters, ...letters.flatMap((first) => letters.map((second) => first + second))];
}

/** Milliseconds to find all matches of a text: the best of a few. */
function timeOf(native: NativeRegex, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    for (let from = 0; from <= text.length; ) {
      const slots = native.search(text, from);
      if (slots === undefined || slots === "none") break;
      from = Math.max(slots[1]!, slots[0]! + 1);
    }
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
