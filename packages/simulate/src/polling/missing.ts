import { reachedBy } from "../laws/reached.ts";
import type { Missing } from "../report.ts";
import { latest, type ServiceRecord } from "../service/collection.ts";
import type { World } from "../world/world.ts";
import type { WorldLog } from "./run.ts";

/** How far a record came that never arrived. */
type Stage =
  /** No request of its world asked for the list. */
  | "unasked"
  /** It lies behind the end of a window that moves on. */
  | "ahead"
  /** No answer had it, for requests left it out. */
  | "outside"
  /** An answer had it, and it became no item. */
  | "dropped";

/** Where fewer than one of so many arrives, hardly any does. */
const FEW = 10;

/**
 * Which records of all worlds never arrived, and how far they came: a simulation in which hardly any does says nothing of the laws that
 * hold. Worlds in which something fails don't count.
 */
export class MissingRecords {
  #had = 0;
  #arrived = 0;
  readonly #stages = new Map<Stage, number>();
  #reached: number | undefined;
  #from: string | undefined;
  #dropping: World | undefined;

  count(log: WorldLog, isHistory: boolean): void {
    const { world, cycles, collection } = log;
    if (world.faults.length > 0 || cycles.some(({ failure }) => failure !== undefined)) return;
    const arrived = new Set(cycles.flatMap(({ arrivals }) => arrivals.map(({ record }) => record)));
    const reached = reachedBy(cycles);
    for (const record of collection.live) {
      // What changes during an import comes by webhook.
      if (isHistory && record.number > world.first) continue;
      this.#had++;
      if (arrived.has(record.number)) this.#arrived++;
      else this.#miss(stageOf(record, log, reached), log, reached);
    }
  }

  /**
   * @param passesSome whether an app that takes none of a few records takes one of many: then it selects
   * @returns undefined where enough arrive, where the app means to leave the others out, and where nothing is known of them
   */
  async result(passesSome: (world: World) => Promise<boolean>): Promise<Missing | undefined> {
    if (this.#had === 0) return undefined;
    if (this.#arrived > 0) {
      // What some requests and programs let pass, they choose.
      const never = this.#of("unasked") + this.#of("ahead");
      if (never < (FEW - 1) * this.#arrived) return undefined;
      return { records: never, of: this.#had, because: this.#because(this.#commonest("unasked", "ahead")) };
    }
    const stage = this.#commonest("unasked", "ahead", "outside", "dropped");
    if (stage === "dropped" && this.#dropping !== undefined && (await passesSome(this.#dropping)))
      return undefined;
    return { records: this.#had, of: this.#had, because: this.#because(stage) };
  }

  #miss(stage: Stage, log: WorldLog, reached: number): void {
    this.#stages.set(stage, this.#of(stage) + 1);
    if (stage === "ahead") this.#reached = Math.max(this.#reached ?? 0, reached);
    if (stage === "dropped") this.#dropping ??= log.world;
    if (stage === "outside") this.#from ??= boundOf(log);
  }

  #of(stage: Stage): number {
    return this.#stages.get(stage) ?? 0;
  }

  #commonest(...stages: readonly Stage[]): Stage {
    return stages.reduce((best, each) => (this.#of(each) > this.#of(best) ? each : best));
  }

  #because(stage: Stage): string {
    switch (stage) {
      case "unasked":
        return "no request asked for the list";
      case "ahead":
        return `the app reads one window of time after the other, and the last one ended ${new Date(this.#reached ?? 0).toISOString().slice(0, 10)}: let it begin later, or read longer windows`;
      case "outside":
        return this.#from === undefined
          ? "no answer had them: compare the parameters with what the service is taken for"
          : `no answer had them, for the app asked for ${this.#from}`;
      case "dropped":
        return "answers had them, and `results` had none of them: compare the program with what the service sends";
    }
  }
}

function stageOf(record: ServiceRecord, { cycles }: WorldLog, reached: number): Stage {
  const pages = cycles.flatMap(({ exchanged }) => exchanged.flatMap(({ page }) => page ?? []));
  if (pages.length === 0) return "unasked";
  if (pages.some(({ records }) => records.some((shown) => shown.record === record))) return "dropped";
  return latest(record).at > reached ? "ahead" : "outside";
}

/** The lower bound of the last request: “`updated_at` from 2027-01-01 on”. */
function boundOf({ cycles }: WorldLog): string | undefined {
  const bounds = cycles.flatMap(({ exchanged }) => exchanged.flatMap(({ page }) => page?.query.bounds ?? []));
  const last = bounds.findLast(({ side }) => side === "from");
  return last === undefined ? undefined : `\`${last.field}\` from ${last.text} on`;
}
