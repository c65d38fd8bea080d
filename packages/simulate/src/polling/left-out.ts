import { kindest } from "../world/hypotheses.ts";
import type { World } from "../world/world.ts";
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
    for (const record of records) if (await this.#isLeftOut(log.world, record)) left.add(record);
    return left;
  }

  async #isLeftOut(world: World, record: number): Promise<boolean> {
    const isFirst = record <= world.first;
    // Values repeat themselves with the number of their record.
    const { gaps, texts } = world.hypotheses;
    const { form } = world;
    const key = `${isFirst} ${gaps} ${texts} ${record % PATTERN} ${form}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = record % PATTERN === 0 ? PATTERN : record % PATTERN;
    const alone: World = {
      kind: "polling",
      seed: 0,
      // What its members are decides what an app selects.
      hypotheses: { ...kindest, gaps, texts },
      first: isFirst ? number : number - 1,
      sameTime: false,
      cycles: 3,
      page: world.page,
      requests: world.requests,
      happenings: isFirst
        ? []
        : [{ cycle: 2, request: 0, before: 900, what: "create", record: 0, times: 1, isLate: false }],
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

/** A common multiple of the patterns by which values vary. */
const PATTERN = 60;
