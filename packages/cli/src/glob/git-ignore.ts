import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { type IgnoreRule, ignoreRules, verdictOf } from "./ignore-rules.ts";

interface Rules {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

/**
 * What git leaves out in a folder: the rules of its `.gitignore` and of those above, up to the repository's root, and the
 * repository's and the user's own. Outside a repository, `.gitignore` files count from the starting folder on.
 */
export class GitIgnore {
  /** Outermost first. */
  private readonly levels: readonly Rules[];

  private constructor(levels: readonly Rules[]) {
    this.levels = levels;
  }

  /** The rules for a folder to start from. If they leave out that very folder, it was named on purpose: they don't count. */
  static above(folder: string): GitIgnore {
    const chain: string[] = [];
    let root = folder;
    while (!existsSync(join(root, ".git"))) {
      const parent = dirname(root);
      if (parent === root) return new GitIgnore([]);
      chain.unshift(root);
      root = parent;
    }
    if (root === folder) return new GitIgnore([]);
    // The starting folder itself is entered like any other.
    const outer = [root, ...chain.slice(0, -1)].reduce(
      (rules: GitIgnore, each) => rules.enter(each),
      new GitIgnore([]),
    );
    const left = chain.some((each) => outer.leavesOut(each, true));
    return left ? new GitIgnore([]) : outer;
  }

  /** The rules inside a folder: a repository within another one starts anew. */
  enter(folder: string): GitIgnore {
    const isRoot = existsSync(join(folder, ".git"));
    const files = isRoot
      ? [userFile(), join(folder, ".git", "info", "exclude"), join(folder, ".gitignore")]
      : [join(folder, ".gitignore")];
    const added = files.flatMap((file) => rulesIn(file, folder));
    if (added.length === 0 && !isRoot) return this;
    return new GitIgnore(isRoot ? added : [...this.levels, ...added]);
  }

  leavesOut(absolute: string, isFolder: boolean): boolean {
    for (let i = this.levels.length - 1; i >= 0; i--) {
      const { folder, rules } = this.levels[i]!;
      const path = relative(folder, absolute).split(sep).join("/");
      const verdict = verdictOf(rules, path, isFolder);
      if (verdict !== undefined) return verdict === "left out";
    }
    return false;
  }
}

function userFile(): string {
  return join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git", "ignore");
}

function rulesIn(file: string, folder: string): Rules[] {
  if (!existsSync(file)) return [];
  try {
    return [{ folder, rules: ignoreRules(readFileSync(file, "utf8")) }];
  } catch {
    return [];
  }
}
