import { existsSync, readdirSync, readFileSync } from "node:fs";
import { compile, readWorldFile } from "@configc/compiler";
import { simulate } from "../../src/index.ts";

const root = new URL("../../../../", import.meta.url);

/** The configs in a folder, by their paths from the root of the repository. */
export function configsIn(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, root))
    .filter((name) => /\.app\.jsonc?$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}

/** What is said of a config for certain under the world file beside it: nothing, if it is right and the simulation too. */
export async function alarmsOf(path: string, seeds: number, days: number): Promise<readonly string[]> {
  const { app } = compile(readFileSync(new URL(path, root), "utf8"));
  const beside = new URL(path.replace(/(\.app)?\.jsonc?$/, ".world.json"), root);
  const world = existsSync(beside) ? readWorldFile(JSON.parse(readFileSync(beside, "utf8"))).file : undefined;
  const { parts } = await simulate(app, { seeds, days, ...(world === undefined ? {} : { world }) });
  return parts.flatMap(({ failures, missing }) => [
    ...failures
      .filter(({ isDoubtful }) => !isDoubtful)
      .map(({ law, message, needs, story }) =>
        [`${law}: ${message} It takes ${needs.join(", ") || "nothing special"}.`, ...story].join("\n"),
      ),
    ...(missing === undefined
      ? []
      : [`hardly-arrives: ${missing.records} of ${missing.of}: ${missing.because}`]),
  ]);
}
