import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, readWorldFile } from "@configc/compiler";
import { simulate } from "../../src/index.ts";

const root = new URL("../../../../", import.meta.url);

/** Configs that are right, by their path from the root of the repository. @param pattern of files, from there */
export function configsAt(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: fileURLToPath(root) }).sort();
}

/** What is said of a config under the world file beside it: nothing, if it is right and the simulation too. */
export async function alarmsOf(path: string, seeds: number, days: number): Promise<readonly string[]> {
  const { app } = compile(readFileSync(new URL(path, root), "utf8"));
  const beside = new URL(path.replace(/(\.app)?\.jsonc?$/, ".world.json"), root);
  const world = existsSync(beside) ? readWorldFile(JSON.parse(readFileSync(beside, "utf8"))).file : undefined;
  const { parts } = await simulate(app, { seeds, days, ...(world === undefined ? {} : { world }) });
  return parts.flatMap(({ failures }) =>
    failures.map(({ law, message, needs, story }) =>
      [`${law}: ${message} It takes ${needs.join(", ") || "nothing special"}.`, ...story].join("\n"),
    ),
  );
}
