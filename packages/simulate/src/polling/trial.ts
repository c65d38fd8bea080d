import { type Trial, type WorldChoice, worldsToTry } from "../explore.ts";
import { everythingArrives } from "../laws/everything-arrives.ts";
import { faultsOnlyDelay } from "../laws/faults-only-delay.ts";
import { faultLaws, pollingLaws } from "../laws/index.ts";
import type { Breach, Law, LawContext } from "../laws/law.ts";
import { pollingStaysLinear } from "../laws/polling-stays-linear.ts";
import { runsSucceed } from "../laws/runs-succeed.ts";
import { somethingArrives } from "../laws/something-arrives.ts";
import type { Failure, Missing } from "../report.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { type Cure, cureOf } from "../story/cure.ts";
import { tellStory } from "../story/tell-story.ts";
import { conditionsOf, needsOf } from "../world/conditions.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import { plannedWorlds } from "../world/planned-worlds.ts";
import { type Extent, type Happening, randomWorld, SMALL, type World } from "../world/world.ts";
import { LeftOut } from "./left-out.ts";
import { MissingRecords } from "./missing.ts";
import { runWorld, type Subject, setUpIn, type WorldLog } from "./run.ts";
import { smallerWorlds } from "./smaller-worlds.ts";

/** What is tried of a polling app, and what is known before. */
export interface PollingTrialOptions extends WorldChoice {
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
  /** How a world is run; by default with this app from its beginning to its end. */
  readonly run?: (world: World) => Promise<WorldLog>;
  /** Laws beside the usual ones, judged after them. */
  readonly laws?: readonly Law[];
  /** Why the pipeline can't be judged. */
  readonly pipeline?: string | undefined;
}

/** An app that polls, in world after world. */
export class PollingTrial implements Trial<World, WorldLog, LawContext> {
  /** Records that weren't tried at one time, since the requests grow faster than they do. */
  tooDear = 0;
  readonly needs = needsOf;
  /** What the world file says isn't a hypothesis. */
  readonly conditions = conditionsOf;
  readonly smaller = smallerWorlds;
  readonly #subject: Subject;
  readonly #options: PollingTrialOptions;
  readonly #leftOut: LeftOut;
  readonly #missing = new MissingRecords();

  constructor(subject: Subject, options: PollingTrialOptions) {
    this.#subject = subject;
    this.#options = options;
    this.#leftOut = new LeftOut(subject);
  }

  *worlds(): Generator<World> {
    for (const world of this.#worldsToTry()) yield bounded(world, this.#options);
  }

  #worldsToTry(): Generator<World> {
    const { protocol } = this.#subject;
    const { size, isImmutable } = protocol;
    const { changes = ["create", "update", "delete"], days = 7, records } = this.#options;
    const extent: Extent = {
      page: size.isFixed ? size.size : SMALL,
      isOrderStated: protocol.order.isStated || protocol.isSequence || protocol.isKeyset,
      hasErrorBody: errorBodyOf(protocol.answer) !== undefined,
      changes: changes.filter((what) => what !== "update" || !isImmutable),
      days: this.#subject.isHistory ? 0 : days,
      isCut: !this.#subject.isHistory && records === undefined,
      forms: [...(this.#subject.variants?.keys() ?? [])],
    };
    const allowed = (hypotheses: Hypotheses): Hypotheses => ({
      ...hypotheses,
      ...(protocol.isSequence ? { lag: 0 } : {}),
      ...this.#options.known,
    });
    return worldsToTry("polling", this.#options, distinct(plannedWorlds(extent, allowed)), (seed) =>
      randomWorld(seed, extent, allowed),
    );
  }

  run(world: World): Promise<WorldLog> {
    return this.#options.run?.(world) ?? runWorld(this.#subject, world);
  }

  isTooDear({ first, happenings }: World, failures: readonly Failure[]): boolean {
    const records = Math.max(first, ...happenings.map(({ times }) => times));
    if (records < MANY || !failures.some(({ law }) => law === pollingStaysLinear.name)) return false;
    this.tooDear = Math.max(this.tooDear, records);
    return true;
  }

  laws({ faults }: World): readonly Law[] {
    return [...(faults.length > 0 ? faultLaws : pollingLaws), ...(this.#options.laws ?? [])];
  }

  cost({ cycles }: WorldLog): number {
    return cycles.reduce((sum, { exchanges, arrivals }) => sum + exchanges.length + arrivals.length, 0);
  }

  story(log: WorldLog, breach: Breach): readonly string[] {
    return tellStory(log, breach, setUpIn(this.#subject, log.world).protocol);
  }

  cure(law: string, log: WorldLog, breach: Breach): Cure {
    return cureOf(law, log, breach, setUpIn(this.#subject, log.world).protocol);
  }

  sums(log: WorldLog) {
    this.#missing.count(log, this.#subject.isHistory);
    const { cycles } = log;
    const arrivals = cycles.flatMap((cycle) => cycle.arrivals);
    const versions = new Set(arrivals.map(({ record, version }) => `${record} ${version}`));
    return {
      cycles: cycles.length,
      requests: cycles.reduce((sum, { requests }) => sum + requests, 0),
      arrived: arrivals.length,
      again: arrivals.length - versions.size,
    };
  }

  /** Where hardly a record arrives: which ones don't, and why. */
  missing(): Promise<Missing | undefined> {
    return this.#missing.result((world) =>
      this.#passesSome({ ...world, first: Math.max(world.first, SELECTABLE) }),
    );
  }

  async breach(law: Law, log: WorldLog): Promise<Breach | undefined> {
    const { app, form, protocol, isHistory } = setUpIn(this.#subject, log.world);
    const context = { app, form, protocol, isHistory, leftOut: new Set<number>() };
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
    const calm = await this.run({ ...log.world, faults: [] });
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
}

/** Each world once. */
function* distinct(worlds: Iterable<World>): Generator<World> {
  const seen = new Set<string>();
  for (const world of worlds) {
    const key = JSON.stringify(world);
    if (!seen.has(key)) yield world;
    seen.add(key);
  }
}

/** Records for which requests that grow with the square of them take minutes. */
const MANY = 500;

/** Laws about records that don't arrive: what is left out on purpose is none of them. */
const losing: ReadonlySet<string> = new Set([everythingArrives.name, faultsOnlyDelay.name]);

/** A world with no more records, and no more changes at one time, than the service has. */
function bounded(
  world: World,
  {
    burst = Number.POSITIVE_INFINITY,
    records = Number.POSITIVE_INFINITY,
  }: Pick<PollingTrialOptions, "burst" | "records">,
): World {
  const first = Math.min(world.first, records);
  let room = records - first;
  const spread = apart(world.happenings, burst);
  const happenings = spread.flatMap((each) => {
    const times = Math.min(each.times, burst, each.what === "create" ? room : records);
    if (each.what === "create") room -= times;
    return times > 0 ? [{ ...each, times }] : [];
  });
  const sameTime = world.sameTime && first <= burst;
  return { ...world, first, sameTime, happenings };
}

/** Changes that don't come at one time where fewer records change at once: as far apart as the least exact times tell. */
function apart(happenings: readonly Happening[], burst: number): readonly Happening[] {
  const taken = new Map<string, number>();
  return happenings.flatMap((each) => {
    if (each.request > 0 || burst === Number.POSITIVE_INFINITY) return [each];
    let { before } = each;
    // What comes before the first cycle comes at its beginning.
    const key = (): string => (each.cycle === 1 ? "1" : `${each.cycle} ${Math.floor(before / APART)}`);
    while (each.cycle > 1 && before < LONGEST && (taken.get(key()) ?? 0) >= burst) before += APART;
    if ((taken.get(key()) ?? 0) >= burst) return [];
    taken.set(key(), (taken.get(key()) ?? 0) + Math.min(each.times, burst));
    return [{ ...each, before }];
  });
}

/** Seconds. */
const APART = 61;
/** Within the time between two cycles. */
const LONGEST = 1_600;

/** Records among which all values are that programs look for. */
const SELECTABLE = 60;
