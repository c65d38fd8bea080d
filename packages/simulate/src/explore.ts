import type { Breach } from "./laws/law.ts";
import type { AnyWorld, Failure, PartReport, Verdict } from "./report.ts";
import { shrink } from "./shrink.ts";
import type { Cure } from "./story/cure.ts";
import { Verdicts } from "./verdicts.ts";
import type { Condition } from "./world/conditions.ts";

/** One way of data in an app: how a world is run with it, and what must hold there. */
export interface Trial<W extends AnyWorld, L> {
  /** Planned ones, and then those of the seeds. */
  worlds(): Iterable<W>;
  run(world: W): Promise<L>;
  /** Whether a world would take minutes after what was found: then it is left out. */
  isTooDear?(world: W, failures: readonly Failure[]): boolean;
  /** In the order in which a breach is told: what else is broken is most likely a consequence. */
  laws(world: W): readonly TriedLaw<L>[];
  /** What has to be so at the service, a phrase each. */
  needs(log: L): readonly string[];
  /** All that the world supposes: each has its own verdict. By default what it needs. */
  conditions?(log: L): readonly Condition[];
  /** Worlds that are a little less than one, the largest steps first. */
  smaller(world: W): Iterable<W>;
  /** Requests and items of a world: how dear it is to run. */
  cost(log: L): number;
  /** Adds what happened to the sums of the report. */
  count(log: L): void;
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

/** The laws as a report has them. */
export function judgedLaws(
  laws: Iterable<{ readonly name: string; readonly summary: string }>,
  failures: readonly Failure[],
): PartReport["laws"] {
  return [...laws].map(({ name, summary }) => ({
    name,
    summary,
    isBroken: failures.some(({ law }) => law === name),
  }));
}

/** A law as it is judged in a trial, with all that speaks for the app. */
export interface TriedLaw<L> {
  readonly name: string;
  readonly breach: (log: L) => Promise<Breach | undefined>;
}

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

/** What was found in all worlds that were tried. */
interface Explored {
  readonly worlds: number;
  readonly failures: readonly Failure[];
  readonly hypotheses: readonly Verdict[];
}

/** Tries an app in world after world, and keeps the smallest one in which each law breaks. */
export async function explore<W extends AnyWorld, L>(trial: Trial<W, L>, effort: Effort): Promise<Explored> {
  return await new Exploration(trial, effort).run();
}

class Exploration<W extends AnyWorld, L> {
  readonly #trial: Trial<W, L>;
  readonly #effort: Effort;
  readonly #failures: Failure[] = [];
  readonly #verdicts = new Verdicts();
  #worlds = 0;

  constructor(trial: Trial<W, L>, effort: Effort) {
    this.#trial = trial;
    this.#effort = effort;
  }

  async run(): Promise<Explored> {
    for (const world of this.#trial.worlds()) {
      if (this.#isOver()) break;
      if (this.#trial.isTooDear?.(world, this.#failures) === true) continue;
      await this.#try(world);
    }
    return { worlds: this.#worlds, failures: this.#failures, hypotheses: this.#verdicts.result() };
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
    trial.count(log);
    const conditions = conditionsIn(trial, log);
    let isBroken = false;
    for (const law of trial.laws(world)) {
      if ((await law.breach(log)) === undefined) continue;
      isBroken = true;
      const failure = this.#known(law, log) ?? (await this.#keep(law, world, trial.cost(log)));
      if (failure !== undefined) this.#verdicts.broken(conditions, failure);
      break;
    }
    if (!isBroken) this.#verdicts.held(conditions);
    this.#effort.onWorld?.(this.#worlds, this.#failures.length);
  }

  /** A law that is broken in one way is told once. */
  #known({ name }: TriedLaw<L>, log: L): Failure | undefined {
    const needs = this.#trial.needs(log);
    return this.#failures.find(
      (failure) =>
        failure.law === name &&
        failure.needs.every((need) => needs.some((each) => kindOf(each) === kindOf(need))),
    );
  }

  /** @returns the failure that it shows, new or known; undefined where it can't be told */
  async #keep(law: TriedLaw<L>, world: W, cost: number): Promise<Failure | undefined> {
    const trial = this.#trial;
    const shows = async (candidate: W): Promise<boolean> =>
      (await law.breach(await trial.run(candidate))) !== undefined;
    const most = Math.max(24, Math.floor(SHRINK_COST / Math.max(1, cost)));
    const smallest = await shrink(world, (each) => trial.smaller(each), shows, most);
    const log = await trial.run(smallest);
    const known = this.#known(law, log);
    if (known !== undefined) return known;
    const breach = await law.breach(log);
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

function conditionsIn<W extends AnyWorld, L>(trial: Trial<W, L>, log: L): readonly Condition[] {
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
