import { assemble } from "./matcher/assemble.ts";
import { Matcher, type MatchOptions } from "./matcher/matcher.ts";
import type { Program } from "./matcher/program.ts";
import type { Slots } from "./matcher/trail.ts";
import { LONGEST_TEXT, type NativeRegex, nativeOf } from "./native/native.ts";
import { UnsupportedPattern } from "./native/unsupported-pattern.ts";
import { readPattern } from "./pattern.ts";
import { type Regex, RegexError } from "./syntax/tree.ts";

/** A match, with UTF-16 offsets; `-1` where a group took no part. */
export interface RegexMatch {
  readonly slots: Slots;
  readonly names: readonly (string | undefined)[];
}

/** Once a pattern has searched so much text, in UTF-16 units, it is worth to find out whether JavaScript's engine may. */
const MUCH_TEXT = 4_000;
/** JavaScript's engine goes over so many units, about, while the matcher makes a step. */
const UNITS_PER_STEP = 8;

/** A compiled regular expression with its flags. */
class CompiledRegex {
  private readonly regex: Regex;
  private readonly program: Program;
  private readonly global: boolean;
  private readonly options: MatchOptions;
  private searched = 0;
  private native: NativeRegex | UnsupportedPattern | undefined = undefined;

  /** @throws RegexError */
  constructor(pattern: string, flags: string) {
    this.regex = readPattern(pattern, flags);
    this.program = assemble(this.regex);
    this.global = flags.includes("g");
    this.options = { longest: flags.includes("l"), notEmpty: flags.includes("n") };
    if (this.options.longest || this.options.notEmpty)
      this.native = new UnsupportedPattern("a flag of the search");
  }

  /**
   * Gives the matches of a text: the first one, or all that don't overlap if global.
   *
   * @param tick counts a step of the search; it may throw
   * @param take gets each match; false ends the search
   */
  search(text: string, tick: () => void, take: (match: RegexMatch) => boolean): void {
    const search = this.searchOf(text, tick);
    const { names } = this.program;
    let from = 0;
    while (from <= text.length) {
      const slots = search(from);
      if (slots === undefined || !take({ slots, names }) || !this.global) return;
      const [start, end] = slots as [number, number];
      // After an empty match the next one begins a character further on.
      from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    }
  }

  /** Finds the first match from a place on; what JavaScript's engine can't tell, the matcher does from there to the end. */
  private searchOf(text: string, tick: () => void): (from: number) => Slots | undefined {
    let native = this.nativeFor(text);
    let matcher: Matcher | undefined;
    return (from) => {
      const slots = native?.search(text, from);
      if (slots !== undefined) {
        const end = slots === "none" ? text.length : slots[1]!;
        for (let at = from; at <= end; at += UNITS_PER_STEP) tick();
        return slots === "none" ? undefined : slots;
      }
      native = undefined;
      matcher ??= new Matcher(this.program, text, tick);
      return matcher.search(from, this.options);
    };
  }

  private nativeFor(text: string): NativeRegex | undefined {
    if (text.length > LONGEST_TEXT) return undefined;
    if (this.native === undefined) {
      // A call counts as some text, too.
      this.searched += text.length + 20;
      if (this.searched < MUCH_TEXT) return undefined;
      this.native = nativeOf(this.regex);
    }
    return this.native instanceof UnsupportedPattern ? undefined : this.native;
  }
}

const cache = new Map<string, CompiledRegex | RegexError>();
const CACHE_LIMIT = 500;

/** @throws RegexError in jq's words */
export function compileRegex(pattern: string, flags: string): CompiledRegex {
  const key = `${flags}/${pattern}`;
  let known = cache.get(key);
  if (known === undefined) {
    known = compileFresh(pattern, flags);
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(key, known);
  }
  if (known instanceof RegexError) throw known;
  return known;
}

function compileFresh(pattern: string, flags: string): CompiledRegex | RegexError {
  try {
    return new CompiledRegex(pattern, flags);
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
}
