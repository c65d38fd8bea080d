import { AsyncLocalStorage } from "node:async_hooks";
import type { Observe, ObservedRun } from "@configc/host";
import { savingRunsBy, unobserved } from "@configc/host/internal";
import { type AroundRun, type Clock, RunError, type Vault } from "@configc/runtime";
import { isPutOff } from "@configc/runtime/internal";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Queries } from "../postgres/types.ts";
import { KeptStories } from "./kept-stories.ts";
import { keepSavedRun } from "./saved-runs.ts";
import { Teller } from "./teller.ts";

/** What of its runs a fleet keeps besides their steps. */
export interface TellingOptions {
  readonly database: Queries;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly slot: string;
  /** Which runs are told; never those that found nothing to do. */
  readonly stories: "all" | "failed" | "none";
  /** Failed runs that are saved as files, in all; 0: none. */
  readonly savedFailures: number;
  readonly observe: Observe | undefined;
  readonly log: (error: unknown) => void;
}

/** How a worker's runs are told. */
interface Telling {
  readonly observe: Observe;
  readonly around: AroundRun | undefined;
  /** Writes what waits to be kept. */
  close(): Promise<void>;
}

interface Running extends ObservedRun {
  readonly id: string;
  readonly teller: Teller | undefined;
}

/** Lets each run be told, and its failed commands be saved, as far as that is wanted. */
export function tellingOf(options: TellingOptions): Telling {
  const { database, vault, clock, slot, stories, savedFailures, observe = unobserved, log } = options;
  const saves = savedFailures > 0;
  if (stories === "none" && !saves) return { observe, around: undefined, close: async () => undefined };
  const kept = new KeptStories({ database, vault, failed: log });
  const running = new AsyncLocalStorage<Running>();
  const saving = saves
    ? savingRunsBy(
        "failed",
        async (file, at) => {
          const { app = "", installation = "", version = "", id = "" } = running.getStore() ?? {};
          // Not those of setups, which belong to no run.
          if (id !== "")
            await keepSavedRun(
              database,
              vault,
              savedFailures,
              { app, installation, version, run: id, at },
              file,
            );
        },
        log,
      )
    : undefined;
  return {
    observe: {
      ...observe,
      due: (app, jobs) => observe.due(app, jobs),
      received: (app, outcome) => observe.received?.(app, outcome),
      run(run, work) {
        const id = DBOS.workflowID ?? "";
        return observe.run(run, async (trace) => {
          const teller = stories === "none" ? undefined : new Teller(clock, trace);
          const told = (error?: unknown): void => {
            if (teller !== undefined && id !== "") kept.keep(id, run.installation, teller.story(slot, error));
          };
          try {
            const result = await running.run({ ...run, id, teller }, () => work(teller ?? trace));
            if (stories === "all" && didSomething(result)) told();
            return result;
          } catch (error) {
            const failed = !isPutOff(error) && !(error instanceof RunError && error.kind === "Cancelled");
            if (failed || stories === "all") told(error);
            throw error;
          }
        });
      },
    },
    around(run, work) {
      const teller = running.getStore()?.teller;
      const inner = (): ReturnType<AroundRun> =>
        saving === undefined || running.getStore() === undefined
          ? work(run.effects, run.trace, run.given.parent ?? 0)
          : saving.around(run, work);
      return teller === undefined ? inner() : teller.command(run, inner);
    },
    async close() {
      await saving?.idle();
      await kept.close();
    },
  };
}

/** As the engine decides whether a run is soon forgotten (E51). */
function didSomething(result: object): boolean {
  const { delivered, skipped, failed } = result as Readonly<Record<string, unknown>>;
  return !(delivered === 0 && skipped === 0 && failed === 0);
}
