import type { Formatter } from "../formats/format.ts";
import type { ParseSettings } from "../settings/read.ts";

/** What a check needs the compiler for; `verbs/modules.ts` has it. */
export interface CompilerModules {
  readonly checking: typeof import("./checking.ts");
  readonly parseSettings: ParseSettings;
  readonly sarif: Formatter;
}

/** Loads the compiler, which takes longer than all that a check does where it knows every finding. */
export type LoadCompiler = () => Promise<CompilerModules>;
