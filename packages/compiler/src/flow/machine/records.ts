import { isIdName } from "../id-names.ts";
import { isTimeName } from "../protocol/time-names.ts";
import { areOtherTimes } from "../protocol/time-subjects.ts";
import { NOW } from "./evaluate.ts";
import { isKind, type Origin, type Place, UNKNOWN, type Value } from "./value.ts";

/** In which order records come. */
export interface RecordOrder {
  readonly direction: "ascending" | "descending";
  /** The time that the request names; where it names none, all times of records have this order. */
  readonly by: string | undefined;
}

/** A number that counts records on, whatever they are. */
const counts =
  /(?:^|_)(?:seq|sequence)(?:_?(?:no|num|number|id))?$|^(?:(?:change|entry|event|journal|log|audit|row)_?)?(?:position|no|nr|num|number|version|revision|ver|rev|serial|offset|ordinal|counter)$|^row(?:_?id)?$/i;

/**
 * What the records of a list have under names that mean one thing: times and counting numbers that rise or fall from record to record, and
 * ids that are there. Each value is another one, so it tells where it is from.
 */
export class Records {
  private readonly write: ((seconds: number) => string | number) | undefined;
  private readonly order: RecordOrder;
  private readonly names: string[] = [];
  private readonly origins = new Map<string | number, Origin>();
  readsTimes = false;

  constructor(write: ((seconds: number) => string | number) | undefined, order: RecordOrder) {
    this.write = write;
    this.order = order;
  }

  /** What a record has under a name; what that means isn't known of others. */
  member(name: string, page: number, place: Place): Value {
    const origin: Origin = { name, page, place };
    if (counts.test(name)) return this.kept(5_000 + this.rank(origin), origin);
    if (isTimeName(name)) {
      if (this.write === undefined) return UNKNOWN;
      this.readsTimes = true;
      return this.kept(this.write(NOW + 3_600 + this.rank(origin)), origin);
    }
    if (!isIdName(name) && !isTokenName.test(name)) return UNKNOWN;
    return { kind: "text", of: [], label: undefined, isOther: false, origin };
  }

  originOf(value: Value): Origin | undefined {
    if (isKind(value, "text")) return value.origin;
    return typeof value === "string" || typeof value === "number" ? this.origins.get(value) : undefined;
  }

  /** A time between those of the first and the second page. */
  between(): string | number | undefined {
    return this.write?.(NOW + 3_600 + (this.order.direction === "ascending" ? 115 : 130));
  }

  private kept<T extends string | number>(value: T, origin: Origin): T {
    this.origins.set(value, origin);
    return value;
  }

  /** Pages are 60 apart, and records of one page 20; within them each name has its own. */
  private rank({ name, page, place }: Origin): number {
    if (!this.names.includes(name)) this.names.push(name);
    const own = this.names.indexOf(name) % 10;
    const { direction, by } = this.order;
    const isSorted = by === undefined || !areOtherTimes(by, name);
    const within = (isSorted ? { first: 0, between: 20, last: 40, only: 0 } : mixed)[place];
    return own + (direction === "ascending" ? 60 * (page + 1) + within : 60 * (3 - page) - within);
  }
}

/** Sorted by something else, the one between has the latest time. */
const mixed = { first: 20, between: 40, last: 0, only: 0 } as const;

/** What stands for a record where the list goes on behind it. */
const isTokenName = /^(?:(?:page|sort|row)_?)?(?:token|cursor|key)$/i;

const dateForm = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d((?:\.0{1,9})?(?:Z|[+-]00:?00)?)$/;

/** How the times of a state are written; undefined where it has none, or several forms. */
export function timeWriter(state: Value): ((seconds: number) => string | number) | undefined {
  const writers = new Map<string, (seconds: number) => string | number>();
  for (const value of isKind(state, "record") ? state.members.values() : []) {
    const [, between, end] = (typeof value === "string" ? dateForm.exec(value) : undefined) ?? [];
    if (between !== undefined) writers.set(`date ${between}${end}`, dateWriter(between, end!));
    if (typeof value !== "number") continue;
    if (value > 1e9 && value < 4e9) writers.set("seconds", (seconds) => seconds);
    if (value > 1e12 && value < 4e12) writers.set("milliseconds", (seconds) => seconds * 1_000);
  }
  const [writer, ...others] = writers.values();
  return others.length === 0 ? writer : undefined;
}

/** Writes dates as a state has them: `2026-01-01T00:00:00.000Z`, `2026-01-01 00:00:00`. */
const dateWriter = (between: string, end: string) => (seconds: number) =>
  new Date(seconds * 1_000)
    .toISOString()
    .slice(0, 19)
    .replace("T", () => between) + end;
