import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { GitIgnore } from "../glob/git-ignore.ts";
import type { Matcher } from "../glob/matcher.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { failureOf } from "./failure.ts";
import type { Failure, Found, Source } from "./source.ts";

const NEVER = new Set(["node_modules", ".git"]);
export const CONFIG_NAME = /\.app\.jsonc?$/;

/**
 * Looks through a folder for configs, in the order of names. Links to folders aren't followed: they could go in circles.
 *
 * @param path as given; empty is the current folder
 * @param matches takes files by a glob instead of by the settings' `files`
 */
export function discover(path: string, settings: SettingsFinder, matches?: Matcher): Found {
  const sources: Source[] = [];
  const failures: Failure[] = [];
  const folders: string[] = [];
  const start = resolve(path);
  // A stack instead of recursion: folders may be nested deeply. The last one is looked at next.
  const pending = [{ absolute: start, path, git: GitIgnore.above(start) }];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const git = folder.git.enter(folder.absolute);
    let entries: Dirent[];
    try {
      entries = readdirSync(folder.absolute, { withFileTypes: true });
    } catch (error) {
      failures.push(failureOf(folder.path, error));
      continue;
    }
    folders.push(folder.absolute);
    const project = settings.ofFolder(folder.absolute);
    const below: typeof pending = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (NEVER.has(entry.name)) continue;
      const absolute = join(folder.absolute, entry.name);
      const own = join(folder.path, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder && !isWanted(absolute, entry)) continue;
      if (git.leavesOut(absolute, isFolder) || project?.excludes(absolute, isFolder)) continue;
      if (isFolder) below.push({ absolute, path: own, git });
      else sources.push({ path: own, absolute });
    }
    pending.push(...below.reverse());

    function isWanted(absolute: string, entry: Dirent): boolean {
      const wanted = matches ?? project?.includes;
      const named = wanted === undefined ? CONFIG_NAME.test(entry.name) : wanted(absolute);
      return named && (entry.isFile() || (entry.isSymbolicLink() && !isFolderLink(absolute)));
    }
  }
  return { sources, failures, folders };
}

/** A link that leads nowhere is no folder: it is reported when it is opened. */
function isFolderLink(absolute: string): boolean {
  try {
    return statSync(absolute).isDirectory();
  } catch {
    return false;
  }
}
