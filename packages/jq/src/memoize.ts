import { ownCopy } from "./own-copy.ts";

/** Texts of at most that many characters are kept: their sum is what is bounded. */
const LONGEST = 1_000;
/** Of longer ones, such as a long comment that is asked for every name in a program, the last few are. */
const LONGEST_OF_FEW = 50_000;
const FEW = 4;

/** Stands for undefined, which is a result like others: most names say nothing. */
const nothing = Symbol("nothing");

/**
 * A function of a text that keeps what it gave.
 *
 * @param make always gives the same for the same text
 * @param limit of how many texts; with one more it begins anew
 */
export function memoize<Result>(make: (text: string) => Result, limit: number): (text: string) => Result {
  const short = new Map<string, Result | typeof nothing>();
  const long = new Map<string, Result | typeof nothing>();
  return (text) => {
    const [known, most] = text.length > LONGEST ? [long, FEW] : [short, limit];
    const kept = known.get(text);
    if (kept !== undefined) return kept === nothing ? (undefined as Result) : kept;
    if (text.length > LONGEST_OF_FEW) return make(text);
    const own = ownCopy(text);
    const result = make(own);
    if (known.size >= most) known.clear();
    known.set(own, result === undefined ? nothing : result);
    return result;
  };
}
