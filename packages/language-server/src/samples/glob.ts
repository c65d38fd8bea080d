import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files that a pattern names, sorted: `*` and `?` within a name, `**` for any folders. Without these it names one file,
 * or a folder with all its JSON files.
 *
 * @param folder that the pattern is meant from
 */
export function filesOf(folder: string, pattern: string): string[] {
  let found = [folder];
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  const isGlob = /[*?]/.test(pattern);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "**") found = found.flatMap((each) => foldersBelow(each));
    else if (/[*?]/.test(segment)) {
      const names = nameMatcher(segment);
      found = found.flatMap((each) =>
        entriesOf(each)
          .filter(({ name, isFolder }) => names.test(name) && (isLast || isFolder))
          .map(({ name }) => join(each, name)),
      );
    } else found = found.map((each) => join(each, segment));
  }
  if (segments.at(-1) === "**") return found.flatMap((each) => jsonFilesIn(each));
  return found.flatMap((each) => {
    const inside = jsonFilesIn(each);
    if (inside.length > 0) return inside;
    // A file that is named by itself should be there.
    return isGlob && !existsSync(each) ? [] : [each];
  });
}

/** The JSON files right in a folder, sorted; none if there is no such folder. */
export function jsonFilesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter(({ name, isFolder }) => !isFolder && name.endsWith(".json"))
    .map(({ name }) => join(folder, name));
}

/** Folders that hold what isn't a project's own. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

function foldersBelow(folder: string): string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    found.push(at);
    for (const { name, isFolder } of entriesOf(at))
      if (isFolder && !SKIPPED.has(name)) pending.push(join(at, name));
  }
  return found.sort();
}

function nameMatcher(segment: string): RegExp {
  const source = segment
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return new RegExp(`^${source}$`);
}

/** Links aren't followed to folders: they could go in circles. */
function entriesOf(folder: string): { readonly name: string; readonly isFolder: boolean }[] {
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
