import type { Json } from "@configc/jq";
import type { RunOptions, Runtime } from "@configc/runtime";
import type { Runnable } from "./config.ts";

/** Runs what was named: a command gives its output, an intake what a cycle gave, a workflow what its pipeline made of an item. */
export async function execute(
  runtime: Runtime,
  { kind, pointer }: Runnable,
  options: RunOptions,
): Promise<Json> {
  switch (kind) {
    case "command":
      return await runtime.run(pointer, options);
    default:
      throw new Error(`${kind} can't be run yet`);
  }
}
