import type { Arguments } from "../command-line/arguments.ts";
import type { VerbSpec } from "../command-line/verb.ts";
import { bash } from "../completion/bash.ts";
import { type CompletedVerb, completedVerbs } from "../completion/candidates.ts";
import { fish } from "../completion/fish.ts";
import { zsh } from "../completion/zsh.ts";
import { print } from "../terminal/output.ts";

const scripts: Readonly<Record<string, (verbs: readonly CompletedVerb[]) => string>> = { bash, zsh, fish };

export function run(args: Arguments, verbs: readonly VerbSpec[]): number {
  print(scripts[args.operands[0] ?? ""]?.(completedVerbs(verbs)) ?? "");
  return 0;
}
