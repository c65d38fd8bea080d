import { everythingArrives } from "./laws/everything-arrives.ts";
import { faultsOnlyDelay } from "./laws/faults-only-delay.ts";
import { faultLaws, pollingLaws } from "./laws/index.ts";
import type { Breach, Law } from "./laws/law.ts";
import { runsSucceed } from "./laws/runs-succeed.ts";
import { somethingArrives } from "./laws/something-arrives.ts";
import { LeftOut } from "./polling/left-out.ts";
import { runWorld, type Subject, type WorldLog } from "./polling/run.ts";
import type { AnyWorld, Failure, PartReport } from "./report.ts";
import { errorBodyOf } from "./service/error-body.ts";
import { shrink } from "./shrink.ts";
import { cureOf } from "./story/cure.ts";
import { rolesTold } from "./story/roles-told.ts";
import { tellStory } from "./story/tell-story.ts";
import type { Hypotheses } from "./world/hypotheses.ts";
import { needsOf } from "./world/needs.ts";
import { type Extent, type Happening, plannedWorlds, randomWorld, SMALL, type World } from "./world/world.ts";

/** How far a simulation goes. */
export interface ExploreOptions {
  /** Worlds of a seed, after the planned ones. Default: as many as there is time for. */
  readonly seeds?: number;
  /** The first of them. Default 1. */
  readonly seed?: number;
  /** Milliseconds for this part, by `now`. */
  readonly time: number;
  readonly now: () => number;
  /** What is known of the service, over what a world supposes. */
  readonly known: Partial<Hypotheses>;
  /** What happens to records; by default all of it. */
  readonly changes?: readonly Happening["what"][];
  /** Records that change at one time, at most. */
  readonly burst?: number;
  /** Records of the list, at most: a cycle can read so many. */
  readonly records?: number;
  /** Of the longest world. Default 7. */
  readonly days?: number;
  /** Instead of planned and random ones. */
  readonly worlds?: readonly AnyWorld[];
  /** How a world is run; by default with this app from its beginning to its end. */
  readonly run?: (world: World) => Promise<WorldLog>;
  /** Laws beside the usual ones, judged after them. */
  readonly laws?: readonly Law[];
  readonly assumptions: readonly string[];
  /** Why the pipeline can't be judged. */
  readonly pipeline?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onWorld?: ((worlds: number, failures: number) => void) | undefined;
}

/** Tries an app in world after world. */
export async function explore(subject: Subject, options: ExploreOptions): Promise<PartReport> {
  return await new Exploration(subject, options).run();
}

class Exploration {
  readonly #subject: Subject;
  readonly #options: ExploreOptions;
  readonly #leftOut: LeftOut;
  readonly #failures: Failure[] = [];
  #worlds = 0;
  #cycles = 0;
  #requests = 0;
  #arrived = 0;
  #again = 0;

  constructor(subject: Subject, options: ExploreOptions) {
    this.#subject = subject;
    this.#options = options;
    this.#leftOut = new LeftOut(subject);
  }

  async run(): Promise<PartReport> {
    const { workflow, protocol } = this.#subject;
    for (const world of this.#worldsToTry()) {
      if (this.#isOver()) break;
      await this.#try(bounded(world, this.#options));
    }
    return {
      kind: this.#subject.isHistory ? "history" : "polling",
      workflow: workflow.name,
      intake: protocol.intake.name,
      untried: undefined,
      roles: rolesTold(protocol),
      assumptions: this.#options.assumptions,
      notTried: this.#notTried(),
      worlds: this.#worlds,
      cycles: this.#cycles,
      requests: this.#requests,
      arrived: this.#arrived,
      again: this.#again,
      laws: [...pollingLaws, ...faultLaws, ...(this.#options.laws ?? [])].map(({ name, summary }) => ({
        name,
        summary,
        isBroken: this.#failures.some(({ law }) => law === name),
      })),
      failures: this.#failures,
    };
  }

  /** What the config, the world file or the service as it was derived leave no room for. */
  #notTried(): readonly string[] {
    const { protocol, isHistory } = this.#subject;
    const { pipeline } = this.#options;
    return [
      ...(pipeline === undefined ? [] : [pipeline]),
      ...(protocol.isWhole
        ? ["a list in pages, for the app reads one answer: what a service would put on a second page is lost"]
        : []),
      ...(isHistory ? ["a list that takes more than the 100 requests of an import (D34)"] : []),
    ];
  }

  *#worldsToTry(): Generator<World> {
    const { worlds } = this.#options;
    if (worlds !== undefined) {
      for (const world of worlds) if (world.kind === "polling") yield world;
      return;
    }
    const { protocol } = this.#subject;
    const { size, isImmutable } = protocol;
    const { changes = ["create", "update", "delete"], days = 7, records } = this.#options;
    const extent: Extent = {
      page: size.isFixed ? size.size : SMALL,
      isOrderStated: protocol.order.isStated,
      hasErrorBody: errorBodyOf(protocol.answer) !== undefined,
      changes: changes.filter((what) => what !== "update" || !isImmutable),
      days: this.#subject.isHistory ? 0 : days,
      isCut: !this.#subject.isHistory && records === undefined,
    };
    const allowed = (hypotheses: Hypotheses): Hypotheses => ({ ...hypotheses, ...this.#options.known });
    const seen = new Set<string>();
    for (const world of plannedWorlds(extent, allowed)) {
      const key = JSON.stringify(world);
      if (!seen.has(key)) yield world;
      seen.add(key);
    }
    const { seeds = Number.POSITIVE_INFINITY, seed = 1 } = this.#options;
    for (let index = 0; index < seeds; index++) yield randomWorld(seed + index, extent, allowed);
  }

  #isOver(): boolean {
    const { seeds, signal, now, time } = this.#options;
    if (signal?.aborted === true) return true;
    return seeds === undefined && now() > time && this.#worlds >= LEAST;
  }

  async #try(world: World): Promise<void> {
    const log = await this.#run(world);
    this.#count(log);
    for (const law of this.#lawsOf(world)) {
      const breach = await this.#breach(law, log);
      if (breach === undefined) continue;
      // What else is broken is most likely a consequence.
      if (!this.#isKnown(law, log)) await this.#keep(law, world, costOf(log));
      break;
    }
    this.#options.onWorld?.(this.#worlds, this.#failures.length);
  }

  #run(world: World): Promise<WorldLog> {
    return this.#options.run?.(world) ?? runWorld(this.#subject, world);
  }

  #lawsOf({ faults }: World): readonly Law[] {
    return [...(faults.length > 0 ? faultLaws : pollingLaws), ...(this.#options.laws ?? [])];
  }

  async #breach(law: Law, log: WorldLog): Promise<Breach | undefined> {
    const { protocol, isHistory } = this.#subject;
    const context = { protocol, isHistory, leftOut: new Set<number>() };
    const breach = law.broken(log, context);
    if (breach === undefined) return undefined;
    // Where it fails in the plainest world already, it is unknown on what.
    if (
      law === runsSucceed &&
      this.#options.pipeline !== undefined &&
      log.cycles.every(({ failure }) => !failure)
    )
      return undefined;
    if (law === somethingArrives && (await this.#passesSome(log.world))) return undefined;
    const isLoss = losing.has(law.name) && breach.records.length > 0;
    const leftOut = isLoss ? await this.#leftOut.among(log, breach.records) : context.leftOut;
    const left = isLoss ? law.broken(log, { ...context, leftOut }) : breach;
    if (left === undefined || log.world.faults.length === 0) return left;
    // What breaks without the fault too isn't its doing.
    const calm = await this.#run({ ...log.world, faults: [] });
    return pollingLaws.some((each) => each.broken(calm, { ...context, leftOut }) !== undefined)
      ? undefined
      : left;
  }

  /** Whether an app that takes none of a few records takes one of many: then it selects. */
  async #passesSome(world: World): Promise<boolean> {
    const many = world.happenings.map((each) => ({ ...each, times: SELECTABLE }));
    const { cycles } = await runWorld(this.#subject, { ...world, happenings: many });
    return cycles.some(({ arrivals }) => arrivals.length > 0);
  }

  /** A law that is broken in one way is told once. */
  #isKnown({ name }: Law, log: WorldLog): boolean {
    const needs = needsOf(log);
    return this.#failures.some(
      (failure) =>
        failure.law === name &&
        failure.needs.every((need) => needs.some((each) => kindOf(each) === kindOf(need))),
    );
  }

  async #keep(law: Law, world: World, cost: number): Promise<void> {
    const { protocol } = this.#subject;
    const shows = async (candidate: World): Promise<boolean> =>
      (await this.#breach(law, await this.#run(candidate))) !== undefined;
    const smallest = await shrink(world, shows, Math.max(24, Math.floor(SHRINK_COST / Math.max(1, cost))));
    const log = await this.#run(smallest);
    if (this.#isKnown(law, log)) return;
    const breach = await this.#breach(law, log);
    if (breach === undefined) return;
    const { pointer, text, way } = cureOf(law.name, log, breach, protocol);
    if (this.#failures.some((failure) => failure.law === law.name && failure.way === way)) return;
    this.#failures.push({
      way,
      law: law.name,
      message: breach.message,
      needs: needsOf(log),
      story: tellStory(log, breach, protocol),
      cure: text,
      pointer,
      seed: world.seed,
      world: smallest,
    });
  }

  #count({ cycles }: WorldLog): void {
    this.#worlds++;
    const known = new Set<string>();
    for (const { requests, arrivals } of cycles) {
      this.#cycles++;
      this.#requests += requests;
      for (const { record, version } of arrivals) {
        const key = `${record} ${version}`;
        this.#arrived++;
        if (known.has(key)) this.#again++;
        known.add(key);
      }
    }
  }
}

/** Laws about records that don't arrive: what is left out on purpose is none of them. */
const losing: ReadonlySet<string> = new Set([everythingArrives.name, faultsOnlyDelay.name]);

/** A world with no more records, and no more changes at one time, than the service has. */
function bounded(
  world: World,
  { burst = Number.POSITIVE_INFINITY, records = Number.POSITIVE_INFINITY }: ExploreOptions,
): World {
  const first = Math.min(world.first, records);
  let room = records - first;
  const happenings = world.happenings.flatMap((each) => {
    const times = Math.min(each.times, burst, each.what === "create" ? room : records);
    if (each.what === "create") room -= times;
    return times > 0 ? [{ ...each, times }] : [];
  });
  return { ...world, first, happenings };
}

/** Records among which all values are that programs look for. */
const SELECTABLE = 60;

/** Worlds that are tried even where the time is over: a slow machine finds the usual mistakes too. */
const LEAST = 10;

/** Requests and items of all the worlds that are tried to make one smaller. */
const SHRINK_COST = 12_000;

function costOf({ cycles }: WorldLog): number {
  return cycles.reduce((sum, { requests, arrivals }) => sum + requests + arrivals.length, 0);
}

/** Two needs that differ in their numbers only are one. */
function kindOf(need: string): string {
  return need.replaceAll(/\d+/g, "");
}
