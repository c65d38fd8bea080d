import type { Cursor } from "./cursor.ts";
import { type Node, RegexError } from "./tree.ts";

/** How often something is repeated. */
type Quantifier = Omit<Extract<Node, { kind: "repeat" }>, "kind" | "body">;

const MAX_REPEAT = 100_000;

/**
 * Reads a quantifier.
 *
 * @returns undefined if there is none here
 * @throws RegexError
 */
export function readQuantifier(cursor: Cursor): Quantifier | undefined {
  const character = cursor.peek();
  if (character === "*" || character === "+" || character === "?") {
    cursor.at++;
    const range = { min: character === "+" ? 1 : 0, max: character === "?" ? 1 : Number.POSITIVE_INFINITY };
    if (cursor.take("?")) return { ...range, mode: "lazy" };
    return { ...range, mode: cursor.take("+") ? "possessive" : "greedy" };
  }
  const match = cursor.read(/\{(\d{1,20})(,(\d{0,20}))?\}/y);
  if (match === undefined) return undefined;
  const min = Number(match[1]);
  const max = match[2] === undefined ? min : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY))
    throw new RegexError("too big number for repeat range");
  if (max < min) throw new RegexError("upper is smaller than lower in repeat range");
  if (cursor.take("?")) return { min, max, mode: "lazy" };
  return { min, max, mode: min !== max && cursor.take("+") ? "possessive" : "greedy" };
}
