import { parseRegex } from "./syntax/parse.ts";
import { type Regex, RegexError } from "./syntax/tree.ts";

/**
 * jq's letters: `g`lobal, `i`gnore case, e`x`tended, `s`ingle line, `m` (dot matches line ends), `p` (both of these), `n`ot
 * empty, `l`ongest.
 */
const LETTERS = /^[gixsmnpl]*$/;

/**
 * Reads a pattern with jq's flags.
 *
 * @throws RegexError in jq's words
 */
export function readPattern(pattern: string, flags: string): Regex {
  if (!LETTERS.test(flags)) throw new RegexError(`${flags} is not a valid modifier string`);
  try {
    return parseRegex(pattern, {
      ignoreCase: flags.includes("i"),
      extended: flags.includes("x"),
      dotAll: /[pm]/.test(flags),
      lines: false,
    });
  } catch (error) {
    if (error instanceof RegexError) throw new RegexError(`Regex failure: ${error.message}`);
    throw error;
  }
}

/**
 * What is wrong with a pattern, for who checks programs before they run.
 *
 * @returns Oniguruma's words; undefined for a regular expression
 */
export function regexProblem(pattern: string, flags = ""): string | undefined {
  try {
    readPattern(pattern, flags);
    return undefined;
  } catch (error) {
    if (error instanceof RegexError) return error.message;
    throw error;
  }
}
