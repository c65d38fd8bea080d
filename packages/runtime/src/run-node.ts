import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "./errors.ts";
import { runPipeline } from "./pipeline/run-pipeline.ts";
import { pollOnce } from "./polling/poll-once.ts";
import type { RunOptions } from "./run-options.ts";
import type { Runtime } from "./runtime.ts";
import type { Search } from "./step.ts";

/** What of an app can be run by itself. */
export type NodeKind = "command" | "polling" | "workflow";

/**
 * What a node of an app is run as.
 *
 * @param pointer JSON Pointer in the config
 * @returns undefined where nothing can be run: a webhook intake, a section
 */
export function nodeKind({ commands, workflows, intakes }: App, pointer: string): NodeKind | undefined {
  if (Object.hasOwn(commands, pointer)) return "command";
  if (workflows.some((each) => each.pointer === pointer)) return "workflow";
  return intakes.some((each) => each.pointer === pointer && each.type === "polling") ? "polling" : undefined;
}

/**
 * Runs what stands at a place, as `configc run` does: a command gives its output, a polling intake what one cycle gave (`PollResult`),
 * a workflow what its pipeline made of an item (`PipelineResult`). Nothing is kept in the store.
 *
 * @param pointer JSON Pointer in the config
 * @throws RunError `NotFound` where nothing can be run, or of the command that fails
 */
export async function runNode(
  runtime: Pick<Runtime, "app" | "run">,
  pointer: string,
  options: RunOptions = {},
): Promise<Json> {
  const { workflows, intakes } = runtime.app;
  switch (nodeKind(runtime.app, pointer)) {
    case "command":
      return await runtime.run(pointer, options);
    case "polling":
      return { ...(await pollOnce(runtime, at(intakes, pointer), options)) } as unknown as Json;
    case "workflow":
      return { ...(await runPipeline(runtime, at(workflows, pointer), options)) };
    case undefined:
      throw new RunError(
        "NotFound",
        `There is no command, polling intake or workflow at \`${pointer}\`.`,
        undefined,
      );
  }
}

function at<T extends { readonly pointer: string }>(all: readonly T[], pointer: string): T {
  return all.find((each) => each.pointer === pointer) as T;
}

/**
 * What is typed into the form field whose options a command gives, as the parameter that the field names (D43).
 *
 * @param pointer of the command
 * @returns undefined where nothing is typed, and where the field has no `search_term`
 */
export function searchAt({ workflows }: App, pointer: string, term: string | undefined): Search | undefined {
  if (term === undefined) return undefined;
  const fields = workflows.flatMap(({ setup }) => setup.select?.fields ?? []);
  const parameter = fields.find((field) => pointer.startsWith(`${field.pointer}/`))?.searchTerm;
  return parameter === undefined ? undefined : { parameter, term };
}
