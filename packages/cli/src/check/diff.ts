import { relative, sep } from "node:path";
import { formatPatch, structuredPatch } from "diff";

/** What a fix would change, as a unified diff that `git apply` understands. */
export function unifiedDiff(absolute: string, before: string, after: string): string {
  const path = relative("", absolute).split(sep).join("/");
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
  });
  // Without the line of equal signs that other tools begin a patch with.
  return formatPatch(patch).replace(/^=+\n/, "");
}
