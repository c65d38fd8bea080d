import { kindest } from "../world/hypotheses.ts";
import type { Happening, World } from "../world/world.ts";
import { runWorld, type Subject, type WorldLog } from "./run.ts";

/**
 * Which of some records an app leaves out on purpose: those that don't arrive even from a service that makes it easy and has no other
 * record. An app that begins at its installation leaves out what was there before; one that selects, what it doesn't select.
 */
export class LeftOut {
  readonly #subject: Subject;
  readonly #known = new Map<string, boolean>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async among(log: WorldLog, records: readonly number[]): Promise<ReadonlySet<number>> {
    const left = new Set<number>();
    for (const record of records)
      if (await this.#isLeftOut(log.world, record, secondsBefore(log, record))) left.add(record);
    return left;
  }

  /** @param before seconds from its creation to the setup; undefined: it was created later */
  async #isLeftOut(world: World, record: number, before: number | undefined): Promise<boolean> {
    const isFirst = record <= world.first;
    // Values repeat themselves with the number of their record.
    const { gaps, texts } = world.hypotheses;
    const { form } = world;
    const key = `${isFirst || before} ${gaps} ${texts} ${record % PATTERN} ${form}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = record % PATTERN === 0 ? PATTERN : record % PATTERN;
    const created = (cycle: number, ago: number): Happening => ({
      cycle,
      request: 0,
      before: ago,
      what: "create",
      record: 0,
      times: 1,
      isLate: false,
    });
    const alone: World = {
      kind: "polling",
      seed: 0,
      // What its members are decides what an app selects.
      hypotheses: { ...kindest, gaps, texts },
      // One more that isn't shown: what an app begins at may be the newest one.
      first: isFirst ? number + 1 : number - 1,
      sameTime: false,
      cycles: 3,
      page: world.page,
      requests: world.requests,
      happenings: isFirst
        ? []
        : before === undefined
          ? [created(2, 900)]
          : [created(1, before), created(1, 0)],
      faults: [],
      form,
      only: number,
    };
    const { cycles } = await runWorld(this.#subject, alone);
    const isLeftOut = !cycles.some(({ arrivals }) => arrivals.some((arrival) => arrival.record === number));
    this.#known.set(key, isLeftOut);
    return isLeftOut;
  }
}

/** How long before the first cycle, in which an app sets itself up, a record was created; undefined where it was created after that. */
function secondsBefore({ collection, cycles }: WorldLog, record: number): number | undefined {
  const at = collection.records[record - 1]?.versions[0]?.at;
  const start = cycles[0]?.startedAt;
  return at === undefined || start === undefined || at > start ? undefined : (start - at) / 1_000;
}

/** A common multiple of the patterns by which values vary. */
const PATTERN = 60;
