import { readFileSync, statSync } from "node:fs";

/**
 * What tells this build of the command from every other one, on this version of Node: what one has found holds for no other.
 *
 * @returns undefined if the command isn't run from a build
 */
export function buildId(): string | undefined {
  const here = import.meta.url;
  if (!here.endsWith(".cjs")) return undefined;
  try {
    const id = readFileSync(new URL("build-id", here), "utf8");
    // Somebody may have changed a file of the build since.
    const states = ["main.cjs", "modules.cjs"].map((name) => {
      const { size, mtimeMs } = statSync(new URL(name, here));
      return `${size}-${mtimeMs}`;
    });
    return [id.trim(), ...states, process.version, process.versions.icu, process.versions.tz].join(":");
  } catch {
    return undefined;
  }
}
