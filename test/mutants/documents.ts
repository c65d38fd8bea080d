import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { configsIn } from "../support/mistakes/configs.ts";
import { Config } from "./config.ts";
import type { Kind } from "./kind.ts";

const examples = validConfigs().map((config) => new Config(config));

const configsOf = (folders: readonly string[]): readonly Config[] =>
  folders.flatMap((folder) =>
    [...configsIn(new URL(`../../test/${folder}/configs/`, import.meta.url))].map(
      ([name, config]) => new Config({ path: `test/${folder}/configs/${name}.app.json`, ...config }),
    ),
  );

/** Of other kinds than the examples: for mistakes of meaning, which depend on what an app does. */
const others = configsOf(["meaning", "blind/first", "blind/second"]);
/** Of yet other kinds, with more places where two things can be exchanged. */
const more = configsOf(["blind/thirtyfifth", "blind/thirtysixth"]);

/** Every document in which mistakes are made; none has anything wrong with it. */
export const documents: readonly Config[] = [...examples, ...others, ...more];

/** The documents in which mistakes of a kind are made. */
export function documentsFor({ name }: Kind): readonly Config[] {
  if (name.startsWith("exchanges/")) return documents;
  return name.startsWith("meaning/") ? [...examples, ...others] : examples;
}
