import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Samples } from "@configc/compiler";
import { SampleFiles } from "@configc/language-server/samples";

/** A config of the repository that has nothing wrong with it. */
export interface ValidConfig {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  /** Those beside it. */
  readonly samples: Samples;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The examples, except the one that is broken on purpose, and the templates of `configc init`. */
export function validConfigs(): readonly ValidConfig[] {
  const examples = readdirSync(`${root}examples`).filter((name) => name !== "broken" && !name.includes("."));
  const files = new SampleFiles((path, problem) => {
    throw new Error(`${path}: ${problem}`);
  });
  const folders = [...examples.map((name) => `examples/${name}`), "packages/cli/templates"];
  return folders
    .flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}`))
    .filter((path) => /\.app\.jsonc?$/.test(path))
    .map((path) => ({
      path,
      text: readFileSync(root + path, "utf8"),
      samples: files.of(root + path, undefined),
    }));
}
