import type { App, AppIntake, AppWorkflow } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import { type Effects, type Json, type RunOptions, type Runtime, runPipeline } from "@configc/runtime";
import { nodeKind, pollOnce, runNode } from "@configc/runtime/internal";

/** What is debugged. */
export interface Plan {
  /** JSON Pointer of a command, a polling intake or a workflow. */
  readonly node: string;
  /** What it is given. A workflow without an input polls its intake once, and runs its pipeline on each item. */
  readonly given: Pick<
    RunOptions,
    | "input"
    | "context"
    | "connection"
    | "auth"
    | "place"
    | "search"
    | "idempotencyKey"
    | "answered"
    | "limits"
  >;
  /** Polls as often, each time with the state that the time before left. Of a workflow or a polling intake. */
  readonly cycles?: number;
}

/** Effects that may be others in each cycle. */
export interface CycledEffects extends Effects {
  /** Is called before each cycle, by its index. */
  readonly beginCycle?: (index: number) => void;
}

/** Lets something happen as a part of the run, which a person knows by a name. */
export type InPart = <T extends Json>(
  node: string,
  label: string,
  input: Json | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/** Runs what is to be debugged. @throws RunError of the command that fails */
export async function perform(
  { node, given, cycles }: Plan,
  runtime: Performing,
  options: RunOptions,
  inPart: InPart,
): Promise<Json> {
  const { app } = runtime;
  switch (nodeKind(app, node)) {
    case "polling": {
      const intake = app.intakes.find(({ pointer }) => pointer === node);
      if (intake === undefined) break;
      if (cycles !== undefined)
        return await inCycles(cycles, intake.pointer, runtime, options, inPart, (own) =>
          polled(intake, runtime, own, inPart),
        );
      return await inPart(node, `poll ${intake.name}`, undefined, () => runNode(runtime, node, options));
    }
    case "workflow": {
      const workflow = app.workflows.find(({ pointer }) => pointer === node);
      if (workflow === undefined) break;
      const intake = app.intakes[workflow.intake ?? -1];
      return await inPart(node, `workflow ${workflow.name}`, undefined, async () => {
        if (given.input !== undefined || intake?.type !== "polling")
          return await carried(workflow, "item", given.input, runtime, options, inPart);
        if (cycles === undefined) return await cycle(workflow, intake, runtime, options, inPart);
        return await inCycles(cycles, intake.pointer, runtime, options, inPart, (own) =>
          cycle(workflow, intake, runtime, own, inPart),
        );
      });
    }
    default:
  }
  return await runNode(runtime, node, options);
}

/** What runs things in a debugged run. */
interface Performing {
  readonly app: App;
  readonly run: Runtime["run"];
  readonly beginCycle?: CycledEffects["beginCycle"];
}

/** Polls several times. The clock and the service may be others each time; what was saved stays. */
async function inCycles(
  count: number,
  node: string,
  { beginCycle }: Performing,
  options: RunOptions,
  inPart: InPart,
  one: (options: RunOptions) => Promise<JsonObject>,
): Promise<Json> {
  const cycles: JsonObject[] = [];
  let { context } = options;
  for (let index = 0; index < count; index++) {
    beginCycle?.(index);
    const given = await inPart(node, `cycle ${index + 1} of ${count}`, undefined, () =>
      one({ ...options, ...(context === undefined ? {} : { context }) }),
    );
    context = { ...context, polling_state: given["polling_state"] as JsonObject };
    cycles.push(given);
  }
  return { cycles };
}

async function polled(
  intake: AppIntake,
  runtime: Performing,
  options: RunOptions,
  inPart: InPart,
): Promise<JsonObject> {
  return await inPart(intake.pointer, `poll ${intake.name}`, undefined, async () => ({
    ...(await pollOnce(runtime, intake, options)),
  }));
}

/** One cycle of polling, and each of its items through the pipeline. */
async function cycle(
  workflow: AppWorkflow,
  intake: AppIntake,
  runtime: Performing,
  options: RunOptions,
  inPart: InPart,
): Promise<JsonObject> {
  const { results, polling_state } = (await polled(intake, runtime, options, inPart)) as {
    readonly results: readonly Json[];
    readonly polling_state: JsonObject;
  };
  const context = { ...options.context, polling_state };
  const items: Json[] = [];
  for (const [index, item] of results.entries()) {
    const label = `item ${index + 1} of ${results.length}`;
    items.push(await carried(workflow, label, item, runtime, { ...options, context }, inPart));
  }
  return { items, polling_state };
}

/** An item, or nothing, through the pipeline. */
async function carried(
  workflow: AppWorkflow,
  label: string,
  input: Json | undefined,
  runtime: Performing,
  options: RunOptions,
  inPart: InPart,
): Promise<JsonObject> {
  return await inPart(workflow.pointer, label, input, async () => ({
    ...(await runPipeline(runtime, workflow, { ...options, ...(input === undefined ? {} : { input }) })),
  }));
}
