import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** What makes a pattern name more than one file. */
const WILD = /[*?]|\[[^[\]]+\]/;

/** Alternatives of a pattern that are looked at; more are no list that a person wrote. */
const ALTERNATIVES = 256;

/**
 * The files that a pattern names, sorted: `*`, `?` and `[a-c]` within a name, `**` for any folders, `{a,b}` for either. Without these
 * it names one file, or a folder with all its JSON files.
 *
 * @param folder that the pattern is meant from
 * @param looked collects the folders that were looked through, also where there was none
 */
export function filesOf(folder: string, pattern: string, looked = new Set<string>()): string[] {
  // A name may have brackets and braces in it.
  const alternatives = existsSync(join(folder, pattern)) ? [pattern] : alternativesOf(pattern);
  if (alternatives.length === 1) return filesOfOne(folder, alternatives[0]!, looked);
  const found = alternatives.flatMap((each) => filesOfOne(folder, each, looked));
  return [...new Set(found)].filter((file) => existsSync(file)).sort();
}

/** `a.{x,y}` as `a.x` and `a.y`. */
function alternativesOf(pattern: string): string[] {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((each) => {
      const [braces, list = ""] = /\{([^{},]*,[^{}]*)\}/.exec(each) ?? [];
      return braces === undefined
        ? [each]
        : list.split(",").map((choice) => each.replace(braces, () => choice));
    });
    if (next.length === found.length || next.length > ALTERNATIVES) return found;
    found = next;
  }
}

function filesOfOne(folder: string, pattern: string, looked: Set<string>): string[] {
  let found = [folder];
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  const isGlob = WILD.test(pattern) && !existsSync(join(folder, pattern));
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (isGlob && segment === "**") found = [...new Set(found.flatMap((each) => foldersBelow(each, looked)))];
    else if (isGlob && WILD.test(segment)) {
      const names = nameMatcher(segment);
      found = found.flatMap((each) =>
        entriesOf(each, looked)
          .filter(({ name, isFolder }) => names(name) && (isLast || isFolder))
          .map(({ name }) => join(each, name)),
      );
    } else found = found.map((each) => join(each, segment));
  }
  if (segments.at(-1) === "**") return found.flatMap((each) => jsonFilesIn(each, looked));
  return found.flatMap((each) => {
    const inside = jsonFilesIn(each, looked);
    if (inside.length > 0) return inside;
    // A file that is named by itself should be there.
    return isGlob && !existsSync(each) ? [] : [each];
  });
}

/** The folders in which something may change what a pattern names. All of them exist. */
export function foldersOf(folder: string, pattern: string): string[] {
  const looked = new Set<string>();
  for (const file of filesOf(folder, pattern, looked)) looked.add(dirname(file));
  return [...new Set([...looked].map(nearestFolder))];
}

/** A folder, or the nearest one around it that there is. */
export function nearestFolder(folder: string): string {
  let at = folder;
  while (!isFolder(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The JSON files right in a folder, sorted; none if there is no such folder. */
export function jsonFilesIn(folder: string, looked?: Set<string>): string[] {
  return entriesOf(folder, looked)
    .filter(({ name, isFolder }) => !isFolder && name.endsWith(".json"))
    .map(({ name }) => join(folder, name));
}

/** Folders that hold what isn't a project's own. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

function foldersBelow(folder: string, looked: Set<string>): string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    found.push(at);
    for (const { name, isFolder } of entriesOf(at, looked))
      if (isFolder && !SKIPPED.has(name)) pending.push(join(at, name));
  }
  return found.sort();
}

/** A character of a pattern: undefined for `*`. */
type Atom = ((character: string) => boolean) | undefined;

/**
 * Matches a name against a segment of a pattern. Each `*` but the last one met takes as little as it can, which is enough: so it takes no more steps
 * than the one has characters times the other, whatever somebody wrote.
 */
function nameMatcher(segment: string): (name: string) => boolean {
  const atoms = atomsOf(segment);
  return (name) => {
    const characters = Array.from(name);
    let [at, atom, star, from] = [0, 0, -1, 0];
    while (at < characters.length) {
      if (atom < atoms.length && atoms[atom] === undefined) {
        star = atom++;
        from = at;
      } else if (atoms[atom]?.(characters[at]!) === true) {
        at++;
        atom++;
      } else if (star >= 0) {
        atom = star + 1;
        at = ++from;
      } else return false;
    }
    return atoms.slice(atom).every((each) => each === undefined);
  };
}

function atomsOf(segment: string): Atom[] {
  const atoms: Atom[] = [];
  for (const { 0: found, 1: not, 2: set } of segment.matchAll(/\[(!|\^)?([^[\]]+)\]|[\s\S]/gu)) {
    const isInSet = set === undefined ? undefined : setOf(set);
    if (isInSet !== undefined) atoms.push((character) => isInSet(character) === (not === undefined));
    else if (set !== undefined)
      return Array.from(
        segment,
        (literal): Atom =>
          (each) =>
            each === literal,
      );
    else if (found === "*") atoms.push(undefined);
    else atoms.push((character) => found === "?" || character === found);
  }
  return atoms;
}

/** The characters of `[a-c_]`; undefined for one such as `[z-a]`, which is no set: the segment is meant as it stands then. */
function setOf(set: string): ((character: string) => boolean) | undefined {
  const ranges = Array.from(
    set.matchAll(/([\s\S])-([\s\S])|[\s\S]/gu),
    ([one, first = one, last = one]) => [first, last] as const,
  );
  if (ranges.some(([first, last]) => first > last)) return undefined;
  return (character) => ranges.some(([first, last]) => character >= first && character <= last);
}

/** Links aren't followed to folders: they could go in circles. */
function entriesOf(
  folder: string,
  looked?: Set<string>,
): { readonly name: string; readonly isFolder: boolean }[] {
  looked?.add(folder);
  // Most configs have no samples, and an exception costs more than asking.
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
