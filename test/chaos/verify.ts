import type { Delivery, PollingRecord, Store } from "@configc/runtime";
import { PERIOD } from "./app.ts";
import { APART } from "./clocks.ts";
import type { Source } from "./source.ts";

export interface Outcome {
  /** What went wrong; empty if all is well. */
  readonly problems: readonly string[];
  readonly items: number;
  /** Items that came under another key once more, because the database had forgotten of them (E35). */
  readonly again: number;
  readonly cycles: number;
  readonly requests: number;
  readonly refreshes: number;
  /** Deliveries that were made again under the same key, which the sink knew. */
  readonly repeats: number;
}

export interface Verified {
  readonly store: Store;
  readonly source: Source;
  readonly installations: number;
  /** Milliseconds since 1970. */
  readonly installed: number;
  /** Milliseconds for which nothing may arrive before the fleet is taken to have finished. */
  readonly patience: number;
  readonly progress: (text: string) => void;
}

/** Waits until everything has arrived, and says what is wrong with it. */
export async function problemsOf({
  store,
  source,
  installations,
  installed,
  patience,
  progress,
}: Verified): Promise<Outcome> {
  const ids = Array.from({ length: installations }, (_, number) => `i${number}`);
  const wanted = ids.reduce((sum, id) => sum + source.size(id), 0);
  let last = { arrived: 0, at: Date.now() };
  for (;;) {
    const { size } = arrivals(source);
    if (size > last.arrived) last = { arrived: size, at: Date.now() };
    progress(`${size} of ${wanted}`);
    if (size >= wanted || Date.now() - last.at > patience) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const problems = [...source.breaches];
  const arrived = arrivals(source);
  let again = 0;
  for (const id of ids)
    for (let number = 1; number <= source.size(id); number++) {
      const times = arrived.get(`${id} ${number}`) ?? [];
      again += Math.max(0, times.length - 1);
      const isTold = times.every(
        ({ at }, index) => index === 0 || isForgotten(times[index - 1]?.at, at, source),
      );
      if (times.length === 0 || !isTold)
        problems.push(
          `${id} ${number} arrived ${times.length} times: ${times.map(({ key }) => key).join(", ")}`,
        );
    }
  for (const item of arrived.keys()) {
    const [id = "", number] = item.split(" ");
    if (Number(number) > source.size(id)) problems.push(`${item} arrived, which was never there`);
  }

  const { records, failed } = await store.transaction(async (transaction) => ({
    records: (await transaction.list("polling", {})).filter(({ installation }) => ids.includes(installation)),
    failed: await transaction.list("deliveries", { app: "chaos", status: "failed" }),
  }));
  problems.push(...failed.map(({ id, failure }: Delivery) => `${id} has failed: ${failure?.message}`));
  for (const record of records) problems.push(...cycleProblems(record, source, installed));
  if (records.length !== installations) problems.push(`${records.length} of ${installations} were polled`);
  return {
    problems,
    items: wanted,
    again,
    cycles: records.reduce((sum, { cycle }) => sum + cycle, 0),
    requests: source.counts.requests,
    refreshes: source.counts.refreshes,
    repeats: source.counts.repeats,
  };
}

interface Arrival {
  readonly key: string;
  readonly at: number;
}

/** By item, in the order in which they came. */
function arrivals({ sunk }: Source): Map<string, Arrival[]> {
  const arrived = new Map<string, Arrival[]>();
  for (const [key, { item, at }] of sunk) arrived.set(item, [...(arrived.get(item) ?? []), { key, at }]);
  return arrived;
}

/** Milliseconds: how long a standby may be behind, and how long a worker takes to notice that it took over. */
const BEHIND = 5_000;

/** Whether the database may know nothing of what happened at the first time any more when the second came. */
function isForgotten(first: number | undefined, second: number, { lost }: Source): boolean {
  return lost.some(
    ({ from, to }) =>
      first !== undefined && first >= from - BEHIND && first <= to + BEHIND && second >= to - BEHIND,
  );
}

/** Each cycle was begun once, in its order, and there are no more of them than the clock allows. */
function cycleProblems(
  { installation, cycle, startedAt = 0 }: PollingRecord,
  source: Source,
  installed: number,
): string[] {
  const begun = source.cycles.get(installation) ?? [];
  const problems: string[] = [];
  const isRight = begun.every(({ number, at }, index) => {
    const before = index === 0 ? { number: 0, at: 0 } : begun[index - 1];
    if (number === (before?.number ?? 0) + 1) return true;
    return number >= 1 && number <= (before?.number ?? 0) && isForgotten(before?.at, at, source);
  });
  const numbers = begun.map(({ number }) => number);
  if (!isRight) problems.push(`${installation} began cycles ${numbers.join(" ")}`);
  if (cycle !== numbers.at(-1) && cycle + 1 !== numbers.at(-1))
    problems.push(`${installation} is in cycle ${cycle}, but began ${numbers.at(-1)}`);
  // The first one may have been begun by a clock that is behind, and each knows by whichever clock when the last one was.
  const most = Math.floor((startedAt - installed + APART) / (PERIOD * 1_000)) + 1;
  if (cycle > most) problems.push(`${installation} had ${cycle} cycles in the time of ${most}`);
  return problems;
}
