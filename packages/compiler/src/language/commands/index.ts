import type { CommandKey, CommandSpec } from "../schema.ts";
import { error } from "./error.ts";
import { extract } from "./extract.ts";
import { http } from "./http.ts";
import { jq } from "./jq.ts";
import { pipe } from "./pipe.ts";
import { print } from "./print.ts";
import { resource } from "./resource.ts";
import { respond } from "./respond.ts";
import { save } from "./save.ts";
import { sha } from "./sha.ts";
import { switchCommand } from "./switch.ts";

export const commandSpecs: readonly CommandSpec[] = [
  pipe,
  http,
  jq,
  save,
  resource,
  switchCommand,
  error,
  print,
  sha,
  extract,
  respond,
];

const byKey: ReadonlyMap<string, CommandSpec> = new Map(commandSpecs.map((spec) => [spec.key, spec]));

export function commandSpec(key: string): CommandSpec | undefined {
  return byKey.get(key);
}

export function isCommandKey(key: string): key is CommandKey {
  return byKey.has(key);
}
