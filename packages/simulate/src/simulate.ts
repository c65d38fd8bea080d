import type { App, AppWorkflow, WorldFile } from "@configc/compiler";
import { CoverageOf } from "./coverage/coverage.ts";
import type { AnyWorld, PartReport, Report } from "./report.ts";
import { isWebhook, outboundOf, pollingOf, polls, setupOf, webhookOf } from "./workflow-parts.ts";

/** How an app is simulated. */
export interface SimulateOptions {
  /** Names of workflows and intakes; by default all. */
  readonly only?: readonly string[];
  /** What is known of the service (D50). */
  readonly world?: WorldFile;
  /** Random worlds for each workflow, after the planned ones. Default: as many as there is time for. */
  readonly seeds?: number;
  /** The first seed. Default 1. */
  readonly seed?: number;
  /** Days of the longest world. Default 7. */
  readonly days?: number;
  /** Worlds to try instead of planned and random ones: `world` of an earlier `Failure`, or `readWorld`. */
  readonly worlds?: readonly AnyWorld[];
  /** Milliseconds for all of it; it counts only without `seeds`. Default 10,000. */
  readonly time?: number;
  /** A clock in milliseconds, for `time`: the processor's time is fairer than that of a wall. Default: `Date.now`. */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
  /** Is told after each world. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a simulation is. */
export interface Progress {
  readonly workflow: string;
  /** Of that workflow, until now. */
  readonly worlds: number;
  readonly failures: number;
}

/**
 * Runs an app against a service that is derived from it, in many small worlds, and tells the smallest one in which each law is broken.
 * No network is used, and with `seeds` the same report comes out on every machine.
 *
 * @param app from `compile` of `@configc/compiler`; with `withKnown` what documents and samples say of the service counts too
 * @returns what was found; what couldn't be tried says why
 */
export async function simulate(app: App, options: SimulateOptions = {}): Promise<Report> {
  const { only = [], now = Date.now, time = 10_000, signal, onProgress } = options;
  const chosen = app.workflows.filter((workflow) => isChosen(app, workflow, only));
  const pointers = only.length === 0 ? undefined : chosen.flatMap((each) => pointersOf(app, each));
  const coverage = new CoverageOf(app, pointers);
  const began = now();
  const parts: PartReport[] = [];
  const setups: PartReport[] = [];
  for (const [index, workflow] of chosen.entries()) {
    if (signal?.aborted === true) break;
    const effort = {
      ...seedsOf(options),
      // What one workflow leaves of its share, the later ones have.
      time: began + (time * (index + 1)) / chosen.length,
      now,
      signal,
      onWorld: (worlds: number, failures: number) =>
        onProgress?.({ workflow: workflow.name, worlds, failures }),
      coverage,
    };
    setups.push(...(await setupOf(app, workflow, effort)));
    if (isWebhook(app, workflow)) parts.push(await webhookOf(app, workflow, effort, options.world));
    else if (workflow.direction === "outbound") parts.push(await outboundOf(app, workflow, effort));
    if (!polls(app, workflow)) continue;
    parts.push(await pollingOf(app, workflow, { ...effort, days: options.days }, options.world));
  }
  return { version: 1, parts: [...parts, ...setups], coverage: coverage.result() };
}

function isChosen({ intakes }: App, workflow: AppWorkflow, only: readonly string[]): boolean {
  const { name, intake, historicalIntake } = workflow;
  const names = [
    name,
    ...[intake, historicalIntake].map((index) => (index === undefined ? undefined : intakes[index]?.name)),
  ];
  return only.length === 0 || only.some((each) => names.includes(each));
}

/** Where the commands of a workflow and its intakes are. */
function pointersOf({ intakes }: App, { pointer, intake, historicalIntake }: AppWorkflow): readonly string[] {
  return [pointer, ...[intake, historicalIntake].flatMap((index) => intakes[index ?? -1]?.pointer ?? [])];
}

/** Which worlds are tried: with worlds of their own, none at random. */
function seedsOf({ seeds, seed, worlds }: SimulateOptions) {
  return {
    ...(seeds === undefined ? {} : { seeds }),
    ...(seed === undefined ? {} : { seed }),
    ...(worlds === undefined ? {} : { worlds, seeds: 0 }),
  };
}
