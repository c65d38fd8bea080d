import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { configs as meaningConfigs } from "../meaning/mistake.ts";
import { Config } from "./config.ts";
import type { Kind } from "./kind.ts";

const examples = validConfigs().map((config) => new Config(config));

/** Of other kinds than the examples: for mistakes of meaning, which depend on what an app does. */
const others = [...meaningConfigs].map(
  ([name, text]) => new Config({ path: `test/meaning/configs/${name}.app.json`, text }),
);

/** Every document in which mistakes are made; none has anything wrong with it. */
export const documents: readonly Config[] = [...examples, ...others];

/** The documents in which mistakes of a kind are made. */
export function documentsFor({ name }: Kind): readonly Config[] {
  return name.startsWith("meaning/") ? documents : examples;
}
