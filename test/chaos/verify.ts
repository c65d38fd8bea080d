import type { Delivery, PollingRecord, Store } from "@configc/runtime";
import { PERIOD } from "./app.ts";
import type { Source } from "./source.ts";

export interface Outcome {
  /** What went wrong; empty if all is well. */
  readonly problems: readonly string[];
  readonly items: number;
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
  let last = { arrived: source.sunk.size, at: Date.now() };
  while (source.sunk.size < wanted && Date.now() - last.at < patience) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (source.sunk.size > last.arrived) last = { arrived: source.sunk.size, at: Date.now() };
    progress(`${source.sunk.size} of ${wanted}`);
  }
  const problems = [...source.breaches];
  const arrived = new Map<string, string[]>();
  for (const [key, item] of source.sunk) arrived.set(item, [...(arrived.get(item) ?? []), key]);
  for (const id of ids)
    for (let number = 1; number <= source.size(id); number++) {
      const keys = arrived.get(`${id} ${number}`) ?? [];
      if (keys.length !== 1)
        problems.push(`${id} ${number} arrived ${keys.length} times: ${keys.join(", ")}`);
    }
  if (source.sunk.size !== wanted) problems.push(`${source.sunk.size} items arrived instead of ${wanted}`);

  const { records, failed } = await store.transaction(async (transaction) => ({
    records: await transaction.list("polling", {}),
    failed: await transaction.list("deliveries", { app: "chaos", status: "failed" }),
  }));
  problems.push(...failed.map(({ id, failure }: Delivery) => `${id} has failed: ${failure?.message}`));
  for (const record of records) problems.push(...cycleProblems(record, source, installed));
  if (records.length !== installations) problems.push(`${records.length} of ${installations} were polled`);
  return {
    problems,
    items: wanted,
    cycles: records.reduce((sum, { cycle }) => sum + cycle, 0),
    requests: source.counts.requests,
    refreshes: source.counts.refreshes,
    repeats: source.counts.repeats,
  };
}

/** Each cycle was begun once, in its order, and there are no more of them than the clock allows. */
function cycleProblems(
  { installation, cycle, startedAt = 0 }: PollingRecord,
  source: Source,
  installed: number,
): string[] {
  const begun = source.cycles.get(installation) ?? [];
  const problems: string[] = [];
  if (begun.some((number, index) => number !== index + 1))
    problems.push(`${installation} began cycles ${begun.join(" ")}`);
  if (cycle !== begun.at(-1) && cycle + 1 !== begun.at(-1))
    problems.push(`${installation} is in cycle ${cycle}, but began ${begun.at(-1)}`);
  const most = Math.floor((startedAt - installed) / (PERIOD * 1_000)) + 1;
  if (cycle > most) problems.push(`${installation} had ${cycle} cycles in the time of ${most}`);
  return problems;
}
