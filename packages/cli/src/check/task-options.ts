import { formats } from "../formats/names.ts";
import type { CheckOptions } from "./options.ts";

/** What is wanted of a file. */
export interface TaskOptions {
  readonly fix: CheckOptions["fix"];
  /** Whether findings carry their fixes. */
  readonly fixes: boolean;
  /** Whether they say where types come from. */
  readonly because: boolean;
}

export function taskOptions({ fix, outputs }: Pick<CheckOptions, "fix" | "outputs">): TaskOptions {
  return {
    fix,
    fixes: outputs.some(({ format }) => formats[format].showsFixes),
    because: outputs.some(({ format }) => format === "pretty"),
  };
}
