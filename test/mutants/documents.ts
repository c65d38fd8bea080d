import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { configsIn } from "../support/mistakes/configs.ts";
import { Config } from "./config.ts";
import type { Kind } from "./kind.ts";

const examples = validConfigs().map((config) => new Config(config));

/** Of other kinds than the examples: for mistakes of meaning, which depend on what an app does. */
const others = ["test/meaning/configs/", "test/blind/first/configs/", "test/blind/second/configs/"].flatMap(
  (folder) =>
    [...configsIn(new URL(`../../${folder}`, import.meta.url))].map(
      ([name, config]) => new Config({ path: `${folder}${name}.app.json`, ...config }),
    ),
);

/** Every document in which mistakes are made; none has anything wrong with it. */
export const documents: readonly Config[] = [...examples, ...others];

/** The documents in which mistakes of a kind are made. */
export function documentsFor({ name }: Kind): readonly Config[] {
  return name.startsWith("meaning/") ? documents : examples;
}
