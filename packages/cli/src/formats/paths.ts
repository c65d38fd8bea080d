import { relative, sep } from "node:path";

/** A path as services want it: from the current folder, which in CI is the repository's root, with slashes. */
export function relativePath(path: string): string {
  return path === "-" ? path : relative("", path).split(sep).join("/");
}
