import type { Json } from "@configc/runtime";
import { DBOS } from "@dbos-inc/dbos-sdk";

/** What the process does with runs; one engine at a time, for DBOS has one of itself in each process. */
export interface Runner {
  /** @param id undefined: of a run that an earlier version began */
  job(queue: string, key: string, input: Json, id: string | undefined): Promise<Json>;
  scheduled(name: string): Promise<void>;
}

let runner: Runner | undefined;

/** @throws Error if another engine of the process is at work */
export function engage(next: Runner): void {
  if (runner !== undefined) throw new Error("A process has one worker at a time. Close the other one first.");
  runner = next;
}

export function disengage(old: Runner): void {
  if (runner === old) runner = undefined;
}

// Workflows are known by name to all processes and versions, and registered before anything is launched: these names stay.
export const job = DBOS.registerWorkflow(
  async (queue: string, key: string, input: Json, id?: string): Promise<Json> =>
    (await runner?.job(queue, key, input, id)) ?? null,
  { name: "configc.job" },
);

export const scheduled = DBOS.registerWorkflow(
  async (_at: Date, context: unknown): Promise<void> => {
    await runner?.scheduled(String(context));
  },
  { name: "configc.scheduled" },
);
