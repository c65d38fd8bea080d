import { Matcher, type MatchOptions, type Slots } from "./matcher/matcher.ts";
import { assemble, type Program } from "./matcher/program.ts";
import { readPattern } from "./pattern.ts";
import { RegexError } from "./syntax/tree.ts";

/** A match, with UTF-16 offsets; `-1` where a group took no part. */
export interface RegexMatch {
  readonly slots: Slots;
  readonly names: readonly (string | undefined)[];
}

/** A compiled regular expression with its flags. */
export class CompiledRegex {
  private readonly program: Program;
  private readonly global: boolean;
  private readonly options: MatchOptions;

  /** @throws RegexError */
  constructor(pattern: string, flags: string) {
    this.program = assemble(readPattern(pattern, flags));
    this.global = flags.includes("g");
    this.options = { longest: flags.includes("l"), notEmpty: flags.includes("n") };
  }

  /**
   * The matches of a text: the first one, or all that don't overlap if global.
   *
   * @param tick counts a step of the search; it may throw
   */
  *matches(text: string, tick: () => void, global = this.global): Generator<RegexMatch> {
    const matcher = new Matcher(this.program, text, tick);
    const { names } = this.program;
    let from = 0;
    while (from <= text.length) {
      const slots = matcher.search(from, this.options);
      if (slots === undefined) return;
      yield { slots, names };
      if (!global) return;
      const [start, end] = slots as [number, number];
      // After an empty match the next one begins a character further on.
      from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    }
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
