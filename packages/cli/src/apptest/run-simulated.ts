import type { JsonObject } from "@configc/jq";
import { readWorld, simulate } from "@configc/simulate";
import type { LoadedConfig } from "../run/config.ts";
import { compileKnown } from "../simulate/compile-known.ts";
import { readWorldFileBeside } from "../simulate/read-world-file.ts";
import type { Judged } from "./case-result.ts";

/** Runs a workflow in one world of a simulated service: no law may break there. */
export async function runSimulated(
  given: JsonObject,
  pointer: string,
  { file, app: { workflows } }: LoadedConfig,
  signal: AbortSignal,
): Promise<Judged> {
  const refused = (problem: string): Judged => ({ reasons: [problem], beside: [problem] });
  const workflow = workflows.find((each) => each.pointer === pointer);
  if (workflow === undefined)
    return refused("A case with `world` runs a workflow: `run` has to name one, as workflows.NAME.");
  const read = readWorld(given);
  if ("problems" in read) return refused(`\`world\` can't be used. ${read.problems.join(" ")}`);
  const { app } = await compileKnown(file, "test");
  const known = readWorldFileBeside(file, app);
  const { parts } = await simulate(app, {
    only: [workflow.name],
    worlds: [read.world],
    ...(known === undefined ? {} : { world: known }),
    signal,
  });
  if (parts.every(({ worlds }) => worlds === 0)) {
    const why = parts.flatMap(({ untried }) => untried ?? []);
    return refused(`It couldn't be simulated: ${why.join("; ") || "the workflow is of another kind"}.`);
  }
  const [failure] = parts.flatMap(({ failures }) => failures);
  if (failure === undefined) return { reasons: [], beside: [] };
  const { law, message, story, cure } = failure;
  const told = [`${law}: ${message}`, ...story.map((line) => `  ${line}`), `cure: ${cure}`].join("\n");
  return { reasons: [told], beside: [told] };
}
