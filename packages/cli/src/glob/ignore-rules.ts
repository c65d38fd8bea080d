import { globOf } from "./glob.ts";

/** A line of a `.gitignore`. */
export interface IgnoreRule {
  readonly takesBack: boolean;
  readonly foldersOnly: boolean;
  /** A path from the folder of the file. */
  readonly matches: (path: string) => boolean;
}

/**
 * The lines of a `.gitignore`, as git's documentation of the format says.
 *
 * @param isFolded whether capitals make no difference, as git has it where the file system has it
 */
export function ignoreRules(
  text: string,
  isFolded = process.platform === "win32" || process.platform === "darwin",
): IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line) => ruleOf(withoutBlanks(line.replace(/\r$/, "")), isFolded));
}

/**
 * What the last rule says that matches a path or a folder above it; undefined where none does.
 *
 * A folder that is left out can't be entered any more, so what is in it can't be taken back.
 */
export function verdictOf(
  rules: readonly IgnoreRule[],
  path: string,
  isFolder: boolean,
): "left out" | "taken back" | undefined {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    if (ownVerdict(rules, path.slice(0, slash), true) === "left out") return "left out";
  return ownVerdict(rules, path, isFolder);
}

function ownVerdict(rules: readonly IgnoreRule[], path: string, isFolder: boolean) {
  const rule = rules.findLast(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(path));
  if (rule === undefined) return undefined;
  return rule.takesBack ? "taken back" : "left out";
}

function ruleOf(line: string, isFolded: boolean): IgnoreRule[] {
  if (line === "" || line.startsWith("#")) return [];
  const takesBack = line.startsWith("!");
  const written = takesBack ? line.slice(1) : line;
  const foldersOnly = written.endsWith("/");
  const plain = foldersOnly ? written.slice(0, -1) : written;
  if (plain === "") return [];
  // A slash within says where to begin; without one, a name is left out at any depth.
  const anchored = withoutGroups(plain.includes("/") ? plain.replace(/^\//, "") : `**/${plain}`);
  const glob = globOf(isFolded ? anchored.toLowerCase() : anchored);
  return [{ takesBack, foldersOnly, matches: isFolded ? (path) => glob(path.toLowerCase()) : glob }];
}

/** Blanks at the end don't count, but for one behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes++;
  return line.slice(0, end < line.length && backslashes % 2 === 1 ? end + 1 : end);
}

/** Git knows no braces and no groups. */
function withoutGroups(pattern: string): string {
  return pattern.replace(/\\.|[{(]/gs, (each) => (each.length > 1 ? each : `\\${each}`));
}
