import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolError } from "./tool-error.ts";

/** The folder that an agent works in. It reads and writes nothing outside of it, by links neither. */
export class Workspace {
  readonly root: string;

  /** @param root a folder that exists */
  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /**
   * @param path as an agent gave it, relative to the workspace
   * @returns the same path, relative, as commands take it
   * @throws ToolError if it leads out of the workspace, or could be taken for an option
   */
  inside(path: string): string {
    const absolute = resolve(this.root, path);
    const real = this.realPath(absolute);
    if (!isBelow(this.root, absolute) || !isBelow(this.root, real))
      throw new ToolError(
        `${path} is outside of the workspace. Give a path below ${basename(this.root)}, the folder that the server was started in.`,
      );
    const shown = relative(this.root, absolute).split(sep).join("/");
    return shown === "" ? "." : `./${shown}`;
  }

  absolute(path: string): string {
    return join(this.root, this.inside(path));
  }

  /** Where a path leads, as far as it exists. */
  private realPath(path: string): string {
    try {
      return realpathSync(path);
    } catch {
      const parent = dirname(path);
      return parent === path ? path : join(this.realPath(parent), basename(path));
    }
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}
