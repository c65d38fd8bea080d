import { Matcher, type MatchOptions, type Slots } from "./matcher.ts";
import { type Options, parseRegex } from "./parse.ts";
import { assemble, type Program } from "./program.ts";
import { RegexError } from "./syntax.ts";

/** jq's letters: `g`lobal, `i`gnore case, e`x`tended, `s`ingle line, `n`ot empty, `p` (`s` and dot matches all), `l`ongest. */
const LETTERS = /^[gixsnpl]*$/;

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
    const has = (letter: string) => flags.includes(letter);
    const options: Options = {
      ignoreCase: has("i"),
      extended: has("x"),
      dotAll: has("p"),
      lines: false,
    };
    this.program = assemble(parseRegex(pattern, options));
    this.global = has("g");
    this.options = { longest: has("l"), notEmpty: has("n") };
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

/** @throws RegexError */
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
    if (!isFlags(flags)) return new RegexError(`${flags} is not a valid modifier string`);
    return new CompiledRegex(pattern, flags);
  } catch (error) {
    if (error instanceof RegexError) return new RegexError(`Regex failure: ${error.message}`);
    throw error;
  }
}

function isFlags(flags: string): boolean {
  return LETTERS.test(flags);
}

/**
 * What is wrong with a pattern, for who checks programs before they run.
 *
 * @returns Oniguruma's words; undefined for a regular expression
 */
export function regexProblem(pattern: string, flags = ""): string | undefined {
  try {
    compileRegex(pattern, flags);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}
