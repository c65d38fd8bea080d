import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Samples } from "@configc/compiler";
import { SampleFiles } from "@configc/language-server/samples";

/** A config that is right, and what is known of its service: some state in a world file what they assume. */
export interface RightConfig {
  readonly text: string;
  readonly samples: Samples;
}

const read = new Map<string, ReadonlyMap<string, RightConfig>>();

/** Every `*.app.json` of a folder, by its name without the ending. The same objects each time: what is found in one is kept by it. */
export function configsIn(folder: URL): ReadonlyMap<string, RightConfig> {
  const configs = read.get(folder.href) ?? readConfigs(folder);
  read.set(folder.href, configs);
  return configs;
}

function readConfigs(folder: URL): ReadonlyMap<string, RightConfig> {
  const files = new SampleFiles((path, problem) => {
    throw new Error(`${path}: ${problem}`);
  });
  const path = fileURLToPath(folder);
  return new Map(
    readdirSync(path)
      .filter((name) => name.endsWith(".app.json"))
      .map((name) => [
        name.replace(/\.app\.json$/, ""),
        { text: readFileSync(path + name, "utf8"), samples: files.of(path + name, undefined) },
      ]),
  );
}
