import type { BracketEdit } from "./bracket-edit.ts";
import { editsAt } from "./bracket-edits.ts";
import { Path } from "./bracket-path.ts";
import { tokensOf } from "./tokens.ts";

/** A way with so many more misfits than another one isn't the likeliest any more. */
const HOPELESS = 4;
/** More ways at once than any document of a person's has. */
const MAX_PATHS = 64;

/**
 * The one bracket that is missing, too many or of the wrong kind, where only one is: of all that would make the brackets pair up, the
 * one with which the language misses or doesn't know the fewest names and values where they stand; the last of several.
 *
 * All of them are followed at once. Ways that have come to the same open containers go on alike, so there are never more than a few
 * for each level, and the time is linear.
 *
 * @returns undefined if no single bracket explains the document
 */
export function likelyBracket(text: string, start: number): BracketEdit | undefined {
  const tokens = tokensOf(text, start);
  if (tokens === undefined) return undefined;
  let asIs: Path | undefined = new Path();
  let edited: Path[] = [];
  for (let at = 0; at < tokens.kinds.length; at++) {
    const ways = asIs === undefined ? [] : editsAt(asIs, at, tokens);
    const next: Path[] = [];
    for (const path of edited) if (path.take(tokens, at)) join(next, path);
    for (const path of ways) join(next, path);
    edited = likeliest(next);
    if (asIs?.take(tokens, at) === false) asIs = undefined;
    if ((asIs === undefined && edited.length === 0) || edited.length > MAX_PATHS) return undefined;
  }
  let best: Path | undefined;
  for (const path of edited) if (best === undefined || path.cost <= best.cost) best = path;
  return best?.edit;
}

/** Those that may still turn out to be the likeliest. */
function likeliest(paths: readonly Path[]): Path[] {
  let fewest = Number.POSITIVE_INFINITY;
  for (const { misfits } of paths) fewest = Math.min(fewest, misfits);
  return paths.filter(({ misfits }) => misfits < fewest + HOPELESS);
}

/** Adds a way, unless another has come to the same point better; of ways as good, the last: there the brackets stop to pair up. */
function join(paths: Path[], path: Path): void {
  const index = paths.findIndex((other) => other.isAt(path));
  if (index < 0) paths.push(path);
  else if (path.cost <= paths[index]!.cost) paths[index] = path;
}
