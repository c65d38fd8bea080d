import { matchesGlob } from "./match.ts";
import { type Glob, parseGlob } from "./syntax.ts";

/** A pattern that can be asked; the path has `/` between its names. */
export function globOf(pattern: string): (path: string) => boolean {
  const glob = parseGlob(pattern);
  const test = quickTest(glob);
  return (path) => test(path) && matchesGlob(glob, path);
}

/** Most paths don't end as the pattern does: that is seen at once. */
function quickTest(glob: Glob): (path: string) => boolean {
  let end = "";
  for (const part of glob.kind === "sequence" ? glob.of.toReversed() : []) {
    if (part.kind !== "text") break;
    end = part.text + end;
  }
  return (path) => path.endsWith(end);
}
