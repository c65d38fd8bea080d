import type { Breach, Law } from "./laws/law.ts";
import type { AnyWorld, Failure, PartReport } from "./report.ts";
import { shrink } from "./shrink.ts";
import type { Cure } from "./story/cure.ts";
import { Verdicts } from "./verdicts.ts";
import type { Condition } from "./world/conditions.ts";

/** One way of data in an app: how a world is run with it, and what must hold there. `C`: what laws look at beside the log. */
export interface Trial<W extends AnyWorld, L, C> {
  /** Planned ones, and then those of the seeds. */
  worlds(): Iterable<W>;
  run(world: W): Promise<L>;
  /** Whether a world would take minutes after what was found: then it is left out. */
  isTooDear?(world: W, failures: readonly Failure[]): boolean;
  /** In the order in which a breach is told: what else is broken is most likely a consequence. */
  laws(world: W): readonly Law<L, C>[];
  /** How a law is broken; undefined where it holds, or something speaks for the app. */
  breach(law: Law<L, C>, log: L): Promise<Breach | undefined>;
  /** What has to be so at the service, a phrase each. */
  needs(log: L): readonly string[];
  /** All that the world supposes: each has its own verdict. By default what it needs. */
  conditions?(log: L): readonly Condition[];
  /** Worlds that are a little less than one, the largest steps first. */
  smaller(world: W): Iterable<W>;
  /** Requests and items of a world: how dear it is to run. */
  cost(log: L): number;
  /** What a world adds to the sums of the report. */
  sums(log: L): Sums;
  story(log: L, breach: Breach): readonly string[];
  cure(law: string, log: L, breach: Breach): Cure;
}

/** Which worlds a trial has. */
export interface WorldChoice {
  /** Random ones; as many as there is time for by default. */
  readonly seeds?: number;
  /** The first of the seeds. Default 1. */
  readonly seed?: number;
  /** Instead of planned and random ones. */
  readonly worlds?: readonly AnyWorld[];
}

/** The chosen worlds of a kind, or else the planned ones, and then those of the seeds. */
export function* worldsToTry<W extends AnyWorld>(
  kind: W["kind"],
  { worlds, seeds = Number.POSITIVE_INFINITY, seed = 1 }: WorldChoice,
  planned: Iterable<W>,
  random: (seed: number) => W,
): Generator<W> {
  if (worlds !== undefined) {
    for (const world of worlds) if (world.kind === kind) yield world as W;
    return;
  }
  yield* planned;
  for (let index = 0; index < seeds; index++) yield random(seed + index);
}

/** The laws as a report has them, each once. */
export function judgedLaws(
  laws: readonly { readonly name: string; readonly summary: string }[],
  failures: readonly Failure[],
): PartReport["laws"] {
  const each = new Map(laws.map((law) => [law.name, law]));
  return [...each.values()].map(({ name, summary }) => ({
    name,
    summary,
    isBroken: failures.some(({ law }) => law === name),
  }));
}

/** What happened, in numbers. */
type Sums = Pick<PartReport, "cycles" | "requests" | "arrived" | "again">;

/** How long worlds are tried. */
export interface Effort {
  /** Worlds of a seed, after the planned ones; undefined: as many as there is time for. */
  readonly seeds?: number;
  /** Until when, in milliseconds, by `now`. */
  readonly time: number;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onWorld?: ((worlds: number, failures: number) => void) | undefined;
}

/** What was found in all worlds that were tried: a part of the report. */
type Explored = Sums & Pick<PartReport, "worlds" | "failures" | "hypotheses">;

/** Tries an app in world after world, and keeps the smallest one in which each law breaks. */
export async function explore<W extends AnyWorld, L, C>(
  trial: Trial<W, L, C>,
  effort: Effort,
): Promise<Explored> {
  return await new Exploration(trial, effort).run();
}

class Exploration<W extends AnyWorld, L, C> {
  readonly #trial: Trial<W, L, C>;
  readonly #effort: Effort;
  readonly #failures: Failure[] = [];
  readonly #verdicts = new Verdicts();
  #worlds = 0;
  #sums: Sums = { cycles: 0, requests: 0, arrived: 0, again: 0 };

  constructor(trial: Trial<W, L, C>, effort: Effort) {
    this.#trial = trial;
    this.#effort = effort;
  }

  async run(): Promise<Explored> {
    for (const world of this.#trial.worlds()) {
      if (this.#isOver()) break;
      if (this.#trial.isTooDear?.(world, this.#failures) === true) continue;
      await this.#try(world);
    }
    return {
      worlds: this.#worlds,
      ...this.#sums,
      failures: this.#failures,
      hypotheses: this.#verdicts.result(),
    };
  }

  #isOver(): boolean {
    const { seeds, signal, now, time } = this.#effort;
    if (signal?.aborted === true) return true;
    return seeds === undefined && now() > time && this.#worlds >= LEAST;
  }

  async #try(world: W): Promise<void> {
    const trial = this.#trial;
    const log = await trial.run(world);
    this.#worlds++;
    this.#add(trial.sums(log));
    const conditions = conditionsIn(trial, log);
    let isBroken = false;
    for (const law of trial.laws(world)) {
      if ((await trial.breach(law, log)) === undefined) continue;
      isBroken = true;
      const failure = this.#known(law, log) ?? (await this.#keep(law, world, trial.cost(log)));
      if (failure !== undefined) this.#verdicts.broken(conditions, failure);
      break;
    }
    if (!isBroken) this.#verdicts.held(conditions);
    this.#effort.onWorld?.(this.#worlds, this.#failures.length);
  }

  #add(sums: Sums): void {
    const { cycles, requests, arrived, again } = this.#sums;
    this.#sums = {
      cycles: cycles + sums.cycles,
      requests: requests + sums.requests,
      arrived: arrived + sums.arrived,
      again: again + sums.again,
    };
  }

  /** A law that is broken in one way is told once. */
  #known({ name }: Law<L, C>, log: L): Failure | undefined {
    const needs = this.#trial.needs(log);
    return this.#failures.find(
      (failure) =>
        failure.law === name &&
        failure.needs.every((need) => needs.some((each) => kindOf(each) === kindOf(need))),
    );
  }

  /** @returns the failure that it shows, new or known; undefined where it can't be told */
  async #keep(law: Law<L, C>, world: W, cost: number): Promise<Failure | undefined> {
    const trial = this.#trial;
    const shows = async (candidate: W): Promise<boolean> =>
      (await trial.breach(law, await trial.run(candidate))) !== undefined;
    const most = Math.max(24, Math.floor(SHRINK_COST / Math.max(1, cost)));
    const smallest = await shrink(world, (each) => trial.smaller(each), shows, most);
    const log = await trial.run(smallest);
    const known = this.#known(law, log);
    if (known !== undefined) return known;
    const breach = await trial.breach(law, log);
    if (breach === undefined) return undefined;
    const { pointer, text, way } = trial.cure(law.name, log, breach);
    const alike = this.#failures.find((failure) => failure.law === law.name && failure.way === way);
    if (alike !== undefined) return alike;
    const failure: Failure = {
      way,
      law: law.name,
      message: breach.message,
      needs: trial.needs(log),
      story: trial.story(log, breach),
      cure: text,
      pointer,
      seed: world.seed,
      world: smallest,
    };
    this.#failures.push(failure);
    this.#verdicts.blame(failure, conditionsIn(trial, log));
    return failure;
  }
}

function conditionsIn<W extends AnyWorld, L, C>(trial: Trial<W, L, C>, log: L): readonly Condition[] {
  if (trial.conditions !== undefined) return trial.conditions(log);
  const topic = "what happens";
  const needs = trial.needs(log);
  if (needs.length === 0) return [{ topic, told: "nothing special", isUsual: true }];
  return needs.map((need) => ({ topic, told: need, isUsual: false }));
}

/** Worlds that are tried even where the time is over: a slow machine finds the usual mistakes too. */
const LEAST = 10;

/** Requests and items of all the worlds that are tried to make one smaller. */
const SHRINK_COST = 12_000;

/** Two needs that differ in their numbers only are one. */
function kindOf(need: string): string {
  return need.replaceAll(/\d+/g, "");
}
