import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const paths = new Map<string, string>();

/**
 * Bundles a script of the tests with the sources of our packages, so that each process of it begins at once. To be bundled it is run without
 * arguments: then it must do nothing. Each process of tests bundles it once.
 *
 * @param script path from the root, such as `test/crash/crash-worker.ts`
 * @returns path of the module
 */
export function bundled(script: string): string {
  const known = paths.get(script);
  if (known !== undefined) return known;
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", script], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${script} can't be bundled: ${stderr}`);
  const path = `${root}node_modules/.cache/configc/${basename(script, ".ts")}.mjs`;
  paths.set(script, path);
  return path;
}
