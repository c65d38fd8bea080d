import type { App } from "@configc/compiler";
import {
  type Json,
  nodeKind,
  pollOnce,
  type RunOptions,
  type Runtime,
  runNode,
  runPipeline,
} from "@configc/runtime";

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
  { node, given }: Plan,
  runtime: { readonly app: App; readonly run: Runtime["run"] },
  options: RunOptions,
  inPart: InPart,
): Promise<Json> {
  const { app } = runtime;
  switch (nodeKind(app, node)) {
    case "polling": {
      const intake = app.intakes.find(({ pointer }) => pointer === node);
      return await inPart(node, `poll ${intake?.name ?? node}`, undefined, () =>
        runNode(runtime, node, options),
      );
    }
    case "workflow": {
      const workflow = app.workflows.find(({ pointer }) => pointer === node);
      if (workflow === undefined) break;
      const intake = app.intakes[workflow.intake ?? -1];
      const one = async (label: string, input: Json | undefined, rest: RunOptions): Promise<Json> =>
        await inPart(node, label, input, async () => ({
          ...(await runPipeline(runtime, workflow, { ...rest, ...(input === undefined ? {} : { input }) })),
        }));
      return await inPart(node, `workflow ${workflow.name}`, undefined, async () => {
        if (given.input !== undefined || intake?.type !== "polling")
          return await one("item", given.input, options);
        const cycle = await inPart(intake.pointer, `poll ${intake.name}`, undefined, async () => ({
          ...(await pollOnce(runtime, intake, options)),
        }));
        const items: Json[] = [];
        const context = { ...options.context, polling_state: cycle.polling_state };
        for (const [index, item] of cycle.results.entries())
          items.push(
            await one(`item ${index + 1} of ${cycle.results.length}`, item, { ...options, context }),
          );
        return { items, polling_state: cycle.polling_state };
      });
    }
    default:
  }
  return await runNode(runtime, node, options);
}
