import { relative, resolve, sep } from "node:path";
import { globOf } from "./glob.ts";

export type Matcher = (absolute: string) => boolean;

/**
 * Matches absolute paths against globs that are meant below a folder. A pattern without a slash matches names at any depth, as
 * in `.gitignore`, and a folder's name everything in it. One with `!` before it takes back what those before it match.
 */
export function globMatcher(folder: string, patterns: readonly string[]): Matcher {
  const steps = patterns.map((pattern) => ({
    taken: !takesBack(pattern),
    matches: globsOf(takesBack(pattern) ? pattern.slice(1) : pattern).map(globOf),
  }));
  return (absolute) => {
    const path = pathFrom(folder, absolute);
    return steps.findLast(({ matches }) => matches.some((each) => each(path)))?.taken ?? false;
  };
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

/** What a glob has and a path usually hasn't. */
const SPECIAL = /[*?[\]{}]|[!@+]\(/;

export function isGlob(text: string): boolean {
  return SPECIAL.test(text);
}

/** A glob of the command line: the folder to look through, and what to take there. */
export function operandGlob(pattern: string): { readonly base: string; readonly matches: Matcher } {
  const start = pattern.lastIndexOf("/", pattern.search(SPECIAL));
  const base = pattern.slice(0, Math.max(start, start === 0 ? 1 : 0));
  const matches = globOf(pattern.slice(start + 1).replace(/^\.\//, ""));
  const folder = resolve(base);
  return { base, matches: (absolute) => matches(pathFrom(folder, absolute)) };
}

function pathFrom(folder: string, absolute: string): string {
  return relative(folder, absolute).split(sep).join("/");
}
