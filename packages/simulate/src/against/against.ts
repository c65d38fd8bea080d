import type { App, AppWorkflow } from "@configc/compiler";
import { runsSucceed } from "../laws/runs-succeed.ts";
import type { AnyWorld, Failure, PartReport } from "../report.ts";
import { type SimulateOptions, simulate } from "../simulate.ts";
import { type HandOverOptions, handOver } from "./hand-over.ts";

/** What two versions of an app do in the same worlds; plain JSON. */
export interface AgainstReport {
  readonly version: 1;
  readonly parts: readonly AgainstPart[];
}

/** One workflow that both versions have. */
export interface AgainstPart {
  readonly workflow: string;
  /** Worlds in which either version or both ran. */
  readonly worlds: number;
  readonly findings: readonly AgainstFinding[];
  /** What couldn't be tried: never passed, never failed. */
  readonly notTried: readonly string[];
}

/**
 * Which version breaks a law: `new` and `old` alone, `both`, or neither by itself: `hand-over`, where the new version goes on with what
 * the old one kept.
 */
export type Cause = "new" | "old" | "both" | "hand-over";

/** A law that is broken, and by what. */
export interface AgainstFinding {
  readonly cause: Cause;
  readonly failure: Failure;
}

/**
 * Runs two versions of an app in the same worlds, each alone, and the new one with what the old one kept half-way.
 *
 * @param app the new version
 * @param old the version that customers use
 * @returns for each workflow of both which laws break, and by what
 */
export async function simulateAgainst(
  app: App,
  old: App,
  options: SimulateOptions = {},
): Promise<AgainstReport> {
  const { only = [], time = 10_000, now = Date.now } = options;
  const both = app.workflows.flatMap((workflow) => {
    const before = old.workflows.find(({ name }) => name === workflow.name);
    const names = [workflow.name, ...intakesOf(app, workflow)];
    const isChosen = only.length === 0 || only.some((name) => names.includes(name));
    return before === undefined || !isChosen ? [] : [{ workflow, before }];
  });
  const parts: AgainstPart[] = [];
  for (const { workflow, before } of both) {
    const each = { ...options, now, time: time / (3 * both.length) };
    parts.push(await new Comparison(app, old, workflow, before, each).run());
    if (options.signal?.aborted === true) break;
  }
  return { version: 1, parts };
}

function intakesOf({ intakes }: App, { intake, historicalIntake }: AppWorkflow): readonly string[] {
  return [intake, historicalIntake].flatMap((index) =>
    index === undefined ? [] : (intakes[index]?.name ?? []),
  );
}

class Comparison {
  readonly #app: App;
  readonly #old: App;
  readonly #workflow: AppWorkflow;
  readonly #before: AppWorkflow;
  readonly #options: HandOverOptions;

  constructor(app: App, old: App, workflow: AppWorkflow, before: AppWorkflow, options: HandOverOptions) {
    this.#app = app;
    this.#old = old;
    this.#workflow = workflow;
    this.#before = before;
    this.#options = options;
  }

  async run(): Promise<AgainstPart> {
    const { name } = this.#workflow;
    const now = await this.#alone(this.#app);
    const then = await this.#alone(this.#old);
    const taken = await handOver(
      { app: this.#app, old: this.#old, workflow: this.#workflow, before: this.#before },
      this.#options,
    );
    const findings: AgainstFinding[] = [];
    const add = (cause: Cause, failure: Failure): void => {
      const isKnown = findings.some(
        (each) =>
          each.cause === cause && each.failure.law === failure.law && each.failure.way === failure.way,
      );
      if (!isKnown) findings.push({ cause, failure });
    };
    for (const failure of failuresOf(now))
      add((await this.#breaks(this.#old, failure)) ? "both" : "new", failure);
    for (const failure of failuresOf(then))
      if (!(await this.#breaks(this.#app, failure))) add("old", failure);
    for (const failure of "failures" in taken ? taken.failures : [])
      if (!(await this.#breaks(this.#app, failure)) && !(await this.#breaks(this.#old, failure)))
        add("hand-over", { ...failure, cure: cures.get(failure.law) ?? failure.cure });
    return {
      workflow: name,
      worlds: [...now, ...then, taken].reduce((sum, { worlds }) => sum + worlds, 0),
      findings,
      notTried: [
        ...[...now, ...then].flatMap(({ untried }) => untried ?? []),
        ...("reason" in taken ? [`the hand-over: ${taken.reason}`] : []),
      ].filter((each, index, all) => all.indexOf(each) === index),
    };
  }

  async #alone(app: App, worlds?: readonly AnyWorld[]): Promise<readonly PartReport[]> {
    const { parts } = await simulate(app, {
      ...this.#options,
      only: [this.#workflow.name],
      ...(worlds === undefined ? {} : { worlds }),
    });
    return parts;
  }

  /** Whether a version breaks a law in the world in which another one does. */
  async #breaks(app: App, { law, world }: Failure): Promise<boolean> {
    return failuresOf(await this.#alone(app, [world])).some((failure) => failure.law === law);
  }
}

/** What is missing in a run that goes on with kept state is what the old version called otherwise, or didn't keep. */
const OTHER_STATE =
  "Give what the new version reads a default (`| default`), or keep the names of the old version: the state that it left has no others.";

const OTHER_SAVED =
  "Keep the names under which the old version saved what it needs of its webhooks, or read those too: nothing is saved under others until the customer goes through the setup again.";

const cures: ReadonlyMap<string, string> = new Map([
  [runsSucceed.name, OTHER_STATE],
  ["genuine-accepted", OTHER_SAVED],
  ["nothing-orphaned", OTHER_SAVED],
]);

function failuresOf(parts: readonly PartReport[]): readonly Failure[] {
  return parts.flatMap(({ failures }) => failures);
}
