import { relative, resolve, sep } from "node:path";
import picomatch from "picomatch";

export type Matcher = (absolute: string) => boolean;

/**
 * Matches absolute paths against globs that are meant below a folder. A pattern without a slash matches names at any depth, as
 * in `.gitignore`, and a folder's name everything in it. One with `!` before it takes back what those before it match.
 */
export function globMatcher(folder: string, patterns: readonly string[]): Matcher {
  if (!patterns.some(takesBack)) return matcher(folder, patterns.flatMap(globsOf));
  const steps = patterns.map((pattern) => ({
    taken: !takesBack(pattern),
    matches: matcher(folder, globsOf(takesBack(pattern) ? pattern.slice(1) : pattern)),
  }));
  return (absolute) => steps.findLast(({ matches }) => matches(absolute))?.taken ?? false;
}

/** Whether a pattern takes back what others match; `!(…)` is a glob of its own. */
export function takesBack(pattern: string): boolean {
  return /^!(?!\()/.test(pattern);
}

function globsOf(pattern: string): readonly string[] {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  const anywhere = plain.includes("/") ? plain : `**/${plain}`;
  return [anywhere, `${anywhere}/**`];
}

/** A glob of the command line: the folder to look through, and what to take there. */
export function operandGlob(pattern: string): { readonly base: string; readonly matches: Matcher } {
  const { base, glob } = picomatch.scan(pattern);
  return { base, matches: matcher(resolve(base), [glob]) };
}

function matcher(folder: string, globs: readonly string[]): Matcher {
  const matches = picomatch([...globs], { dot: true });
  return (absolute) => matches(relative(folder, absolute).split(sep).join("/"));
}
