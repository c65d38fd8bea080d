import type { Breach } from "../laws/law.ts";
import type { CycleLog, WorldLog } from "../polling/run.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { latest, type ServiceRecord } from "../service/collection.ts";
import type { Exchanged } from "../service/service.ts";
import { faultTold } from "../world/fault.ts";
import { abridged, MOST_LINES } from "./abridged.ts";
import { clockTime } from "./times.ts";

/** What happened in a world, as far as it shows how a law is broken: requests, answers, changes at the service. */
export function tellStory(
  { cycles, collection }: WorldLog,
  breach: Breach,
  protocol: Protocol,
): readonly string[] {
  const [victim] = breach.records;
  const record = victim === undefined ? undefined : collection.records[victim - 1];
  const lines = cycles.flatMap((cycle) => tellCycle(cycle, victim));
  const last = breach.shownBy ?? (record === undefined ? undefined : epilogue(record, cycles, protocol));
  const kept = chosen(lines, cycles, breach, MOST_LINES - (last === undefined ? 0 : 1));
  return [...kept, ...(last === undefined ? [] : [last])];
}

interface Line {
  readonly cycle: number;
  readonly text: string;
  readonly isAbout: boolean;
}

function tellCycle(cycle: CycleLog, victim: number | undefined): readonly Line[] {
  const { number, happened, exchanged } = cycle;
  const lines: Line[] = [];
  const add = (at: number, text: string, isAbout: boolean): void => {
    lines.push({ cycle: number, text: `${clockTime(at)}  ${text}`, isAbout });
  };
  const tellHappened = (afterRequest: number): void => {
    for (const { at, happening, records, afterRequest: after } of happened) {
      if (after !== afterRequest) continue;
      const isAbout = victim === undefined || records.includes(victim);
      const verb = { create: "created", update: "changed", delete: "deleted" }[happening.what];
      const late = happening.isLate ? " (lists show it later)" : "";
      if (records.length > 0)
        add(
          at,
          `at the service: ${named(records)} ${records.length === 1 ? "is" : "are"} ${verb}${late}`,
          isAbout || records.length < 4,
        );
    }
  };
  tellHappened(0);
  let index = 0;
  const faults = cycle.exchanges.filter(({ fault }) => fault !== undefined);
  const tellFaults = (until: number): void => {
    for (let next = faults[0]; next !== undefined && next.at < until; next = faults[0]) {
      faults.shift();
      const { pathname } = new URL(next.url);
      add(next.at, `cycle ${number}: ${next.method} ${pathname} → ${faultTold({ what: next.fault! })}`, true);
    }
  };
  for (const each of exchanged) {
    if (each.page === undefined) continue;
    tellFaults(each.at);
    index++;
    const numbers = each.page.records.map(({ record }) => record.number);
    add(
      each.at,
      `cycle ${number}: ${asked(each)} → ${numbers.length === 0 ? "nothing" : named(numbers)}${each.page.hasMore ? ", and there is more" : ""}`,
      true,
    );
    tellHappened(index);
  }
  tellFaults(Number.POSITIVE_INFINITY);
  if (cycle.failure !== undefined)
    add(exchanged.at(-1)?.at ?? cycle.startedAt, `cycle ${number} failed: ${cycle.failure.message}`, true);
  return lines;
}

/** The parameters that say which part of the list is meant. */
function asked({ page, method }: Exchanged): string {
  const { query } = page!;
  const parts = [
    ...(query.page === undefined ? [] : [`page ${query.page}`]),
    ...(query.offset === undefined ? [] : [`from the ${query.offset + 1}. on`]),
    ...query.cursors.map((cursor) => `on from ${shortToken(cursor)}`),
    ...(query.after === undefined ? [] : [`after ${query.after}`]),
    ...query.bounds.map(
      ({ field, side, text }) => `${field} ${side === "from" ? "from" : "to"} ${short(text)}`,
    ),
  ];
  return `${method} ${parts.length === 0 ? "the list" : parts.join(", ")}`;
}

/** Of an address, the token in it. */
function shortToken(text: string): string {
  return /[?&]cursor=([^&]+)/.exec(text)?.[1] ?? text;
}

function short(text: string): string {
  return /^2026-01-05T/.test(text) ? text.slice(11) : text;
}

function named(numbers: readonly number[]): string {
  const names = numbers.map((number) => `r${number}`);
  if (names.length <= 4) return names.join(", ");
  return `${names.slice(0, 2).join(", ")} … ${names.at(-1)} (${names.length})`;
}

function epilogue(
  record: ServiceRecord,
  cycles: readonly CycleLog[],
  { field }: Protocol,
): string | undefined {
  const { number } = record;
  const arrived = cycles.flatMap(({ arrivals }) => arrivals.filter((each) => each.record === number));
  const { at, number: version } = latest(record);
  const last = cycles.at(-1);
  if (last === undefined || arrived.some((each) => (each.version ?? 0) >= version)) return undefined;
  const bound = last.exchanged
    .map(({ page }) => page?.query.bounds.find((each) => each.side === "from" && each.field === field?.name))
    .find((each) => each !== undefined);
  const why =
    bound === undefined
      ? "no later request asks for it"
      : `each later request asks for ${bound.field} from ${short(bound.text)} on`;
  const what = arrived.length === 0 ? `r${number}` : `the last change of r${number}`;
  return `${what} (${clockTime(at)}) never arrives: ${why}.`;
}

/** Keeps what shows it: the cycles in which something happened or was read, the rest told in one line. */
function chosen(
  lines: readonly Line[],
  cycles: readonly CycleLog[],
  { cycles: telling }: Breach,
  most: number,
): readonly string[] {
  const busy = new Set([
    ...cycles
      .filter(({ happened, arrivals }) => happened.length > 0 || arrivals.length > 0)
      .map(({ number }) => number),
    ...telling,
  ]);
  const lastBusy = Math.max(1, ...busy);
  const shown = lines.filter(
    ({ cycle, isAbout }) => isAbout && cycle <= lastBusy + (telling.length > 0 ? 0 : 1),
  );
  return abridged(
    shown.map(({ text }) => text),
    most,
    "requests and changes",
  );
}
