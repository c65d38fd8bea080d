import type { Json } from "@configc/jq";
import { pollOnce, type RunOptions, type Runtime, runPipeline } from "@configc/runtime";
import type { Runnable } from "./config.ts";

/** Runs what was named: a command gives its output, an intake what a cycle gave, a workflow what its pipeline made of an item. */
export async function execute(
  runtime: Runtime,
  { kind, pointer }: Runnable,
  options: RunOptions,
): Promise<Json> {
  const { intakes, workflows } = runtime.app;
  switch (kind) {
    case "command":
      return await runtime.run(pointer, options);
    case "polling":
      return { ...(await pollOnce(runtime, named(intakes, pointer), options)) } as unknown as Json;
    case "workflow":
      return { ...(await runPipeline(runtime, named(workflows, pointer), options)) };
  }
}

function named<T extends { readonly pointer: string }>(all: readonly T[], pointer: string): T {
  const found = all.find((each) => each.pointer === pointer);
  if (found === undefined) throw new Error(`nothing at ${pointer}`);
  return found;
}
