import type { Hypotheses } from "../world/hypotheses.ts";

/** One state of a record. */
export interface Version {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** From when on lists show it. */
  readonly shownFrom: number;
}

/** A record of the service, with all that it was. */
export interface ServiceRecord {
  /** From 1, in the order of creation. */
  readonly number: number;
  readonly versions: Version[];
  deletedAt: number | undefined;
}

/** A record as a list shows it at a time. */
export interface Shown {
  readonly record: ServiceRecord;
  readonly version: Version;
}

/** The records of a service: stateful, and as late to show changes as its hypotheses say. */
export class Collection {
  readonly records: ServiceRecord[] = [];
  readonly #only: number | undefined;
  /** Versions up to which records aren't shown any more, by their numbers. */
  readonly #acknowledged = new Map<number, number>();
  #changes = 0;

  /** @param only the one record that lists show, as if there were no other */
  constructor(only?: number) {
    this.#only = only;
  }

  /** How often records have changed. */
  get changes(): number {
    return this.#changes;
  }

  create(at: number, shownFrom = at): ServiceRecord {
    this.#changes++;
    const record: ServiceRecord = {
      number: this.records.length + 1,
      versions: [{ number: 1, at, shownFrom }],
      deletedAt: undefined,
    };
    this.records.push(record);
    return record;
  }

  update(number: number, at: number, shownFrom = at): void {
    const record = this.records[number - 1];
    if (record === undefined || record.deletedAt !== undefined) return;
    this.#changes++;
    record.versions.push({ number: record.versions.length + 1, at, shownFrom });
  }

  delete(number: number, at: number): void {
    const record = this.records[number - 1];
    this.#changes++;
    if (record !== undefined) record.deletedAt ??= at;
  }

  /** Lists show a record again when it has changed. @param version the last one that was read */
  acknowledge(number: number, version: number): void {
    this.#changes++;
    this.#acknowledged.set(number, Math.max(version, this.#acknowledged.get(number) ?? 0));
  }

  /** What lists show at a time. @param asOf as it was then, as far as lists show it by now */
  shownAt(at: number, asOf = at): Shown[] {
    const shown: Shown[] = [];
    for (const record of this.records) {
      const each =
        this.#only === undefined || this.#only === record.number ? shownAt(record, at, asOf) : undefined;
      const read = this.#acknowledged.get(record.number) ?? 0;
      if (each !== undefined && each.version.number > read) shown.push(each);
    }
    return shown;
  }

  /** When lists show the next change after a time, if nothing else changes. */
  nextShownAfter(at: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { versions } of this.records)
      for (const { shownFrom } of versions) if (shownFrom > at && shownFrom < next) next = shownFrom;
    return next;
  }

  /** Number of the newest record at a time, whether lists show it or not; 0: there is none. */
  newestAt(at: number): number {
    return (
      this.records.filter(({ versions, deletedAt = at }) => versions[0]!.at <= at && deletedAt >= at).at(-1)
        ?.number ?? 0
    );
  }

  get live(): readonly ServiceRecord[] {
    return this.records.filter(({ deletedAt }) => deletedAt === undefined);
  }
}

export function shownAt(record: ServiceRecord, at: number, asOf = at): Shown | undefined {
  if (record.deletedAt !== undefined && record.deletedAt <= asOf) return undefined;
  for (let index = record.versions.length - 1; index >= 0; index--) {
    const version = record.versions[index]!;
    if (version.shownFrom <= at && version.at <= asOf) return { record, version };
  }
  return undefined;
}

/** The version that a record has, whether lists show it or not. */
export function latest({ versions }: ServiceRecord): Version {
  return versions.at(-1)!;
}

/** By what a list is sorted and filtered. */
interface Sorting {
  readonly keyOf: (shown: Shown) => number;
  readonly direction: "ascending" | "descending";
}

/** The order of a list as its service has it; ties as the hypotheses say. */
export function orderOf(
  { keyOf, direction }: Sorting,
  { ties }: Pick<Hypotheses, "ties">,
): (a: Shown, b: Shown) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return (a, b) => sign * (keyOf(a) - keyOf(b)) || tie(a, b, ties) * sign;
}

function tie(a: Shown, b: Shown, ties: Hypotheses["ties"]): number {
  if (ties === "any")
    return scattered(a.record.number) - scattered(b.record.number) || a.record.number - b.record.number;
  return ties === "creation" ? a.record.number - b.record.number : b.record.number - a.record.number;
}

/** An order that isn't that of creation, and always the same. */
function scattered(number: number): number {
  return Math.imul(number, 0x9e3779b1) >>> 0;
}
