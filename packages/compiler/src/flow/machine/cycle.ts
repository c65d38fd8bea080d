import { NOW } from "./evaluate.ts";
import type { Begun, Iteration, PollingProgram } from "./polling-program.ts";
import { settle } from "./readings.ts";
import type { Records } from "./records.ts";
import type { Page } from "./roles.ts";
import type { Origin, Value } from "./value.ts";

/** The iterations for the three pages of a list. */
export type Pages = readonly [Iteration, Iteration, Iteration];

/** A cycle that reads all three pages, with what may come behind it: worked out where that is asked. */
export interface Cycle {
  readonly pages: Pages;
  /** The first iteration of the next one. */
  readonly next: Begun;
  /** The same after a cycle that was cut behind its first page. */
  readonly resumed: Begun | undefined;
  /** The same after a cycle whose list had one page, which was full. */
  readonly afterOne: Begun | undefined;
  /** The first iteration of the cycle after the next, where that one found nothing. */
  readonly afterNone: Begun | undefined;
  /** A time before which all records of the first page are, and behind which those of the second, or the other way round. */
  readonly unread: string | number | undefined;
  /** Whether times of records are read, also for what doesn't count otherwise. */
  readsTimes(): boolean;
  /** Which member of which record a value is; undefined where it is none, or not one alone. */
  originOf(value: Value): Origin | undefined;
}

/** Gives a page of a list, which may be the only one of it. */
export type PageAt = (index: Page["index"], alone?: Page["alone"]) => Page;

/** When the second cycle begins, and the third one. */
const LATER = NOW + 1_800;
const MUCH_LATER = NOW + 3_600;

export class CycleOfPages implements Cycle {
  readonly pages: Pages;
  readonly next: Begun;
  private readonly program: PollingProgram;
  /** The state in which it begins. */
  private readonly start: Value;
  private readonly pageAt: PageAt;
  private readonly records: Records;
  private readonly known = new Map<string, Begun | undefined>();

  private constructor(
    program: PollingProgram,
    start: Value,
    pages: Pages,
    next: Begun,
    pageAt: PageAt,
    records: Records,
  ) {
    this.program = program;
    this.start = start;
    this.pages = pages;
    this.next = next;
    this.pageAt = pageAt;
    this.records = records;
  }

  /** The cycle of some pages; undefined where the state behind the last one isn't known. */
  static of(
    program: PollingProgram,
    start: Value,
    pages: Pages,
    pageAt: PageAt,
    records: Records,
  ): CycleOfPages | undefined {
    const next = program.nextCycle(pages[2].state, pageAt(0), LATER);
    if (next === undefined) return undefined;
    settle(next);
    return new CycleOfPages(program, start, pages, next, pageAt, records);
  }

  get resumed(): Begun | undefined {
    return this.begun("resumed", () => this.pages[0].state, LATER);
  }

  get afterOne(): Begun | undefined {
    return this.begun("afterOne", () => this.one().state, LATER);
  }

  get afterNone(): Begun | undefined {
    return this.begun("afterNone", () => this.none().state, MUCH_LATER);
  }

  get unread(): string | number | undefined {
    return this.records.between();
  }

  /** Works out all that may be asked of it. */
  complete(): readonly (Begun | undefined)[] {
    return [this.next, this.resumed, this.afterOne, this.afterNone];
  }

  readonly readsTimes = (): boolean => {
    const { records, program, pageAt } = this;
    if (records.readsTimes) return true;
    const firsts = this.complete().flatMap((each) =>
      each === undefined ? [] : [program.iteration(pageAt(0), each.before, LATER)],
    );
    for (const each of [...this.pages, this.one(), this.none(), ...firsts]) each.results();
    return records.readsTimes;
  };

  readonly originOf = (value: Value): Origin | undefined => this.records.originOf(value);

  private begun(name: string, behind: () => Value, now: number): Begun | undefined {
    if (this.known.has(name)) return this.known.get(name);
    const begun = this.program.nextCycle(behind(), this.pageAt(0), now);
    if (begun !== undefined) settle(begun);
    this.known.set(name, begun);
    return begun;
  }

  private one(): Iteration {
    return this.program.iteration(this.pageAt(2, "full"), this.start, NOW + 1);
  }

  private none(): Iteration {
    return this.program.iteration(this.pageAt(2, "empty"), this.next.before, LATER);
  }
}
