import type { App } from "@configc/compiler";
import { readMethods } from "@configc/runtime/internal";
import type { Exchange } from "../exchange.ts";
import { customerIn } from "../stage/account.ts";
import type { Breach, Law } from "./law.ts";
import { apiUrls } from "./own-urls.ts";

/** A step that one thing leads to, with all that the app sent for it. */
interface Steps {
  readonly steps: readonly {
    readonly number: number;
    readonly what: string;
    readonly exchanges: readonly Exchange[];
  }[];
  readonly exchanges: readonly Exchange[];
}

/** As many more requests aren't a matter of values that differ. */
const MORE = 5;

/** What one event costs doesn't depend on how many came before it. */
export const requestsStayLinear: Law<Steps, { readonly app: App }> = {
  name: "requests-stay-linear",
  summary:
    "Requests grow no faster than what there is to do, and stay within the limits that the app declares.",
  broken({ steps, exchanges }, { app }) {
    const counts = steps
      .filter(({ what }) => what === "event")
      .map(({ number, exchanges: sent }) => ({ number, count: sent.length }));
    const first = counts[0];
    const last = counts.at(-1);
    if (first !== undefined && last !== undefined && growsOn(counts.map(({ count }) => count)))
      return {
        message: `The first event took ${first.count} requests, the ${counts.length}th ${last.count}.`,
        records: [],
        cycles: [last.number],
      };
    return overLimit(exchanges, app);
  },
};

/** Whether counts grow and grow, by more than values that differ make of them. */
export function growsOn(counts: readonly number[]): boolean {
  return (
    counts.length > 2 &&
    counts.every((count, index) => index === 0 || count >= counts[index - 1]!) &&
    counts.at(-1)! >= counts[0]! + MORE
  );
}

/** How more was sent than the app declares as the limit of its API. Requests to anybody else don't count (D21). */
export function overLimit(exchanges: readonly Exchange[], { api }: App): Breach | undefined {
  const isApi = apiUrls(api);
  if (api.rateLimit === undefined || isApi === undefined) return undefined;
  const counted = exchanges.filter(({ sender, url }) => sender === "app" && isApi(url));
  for (const kind of ["read", "write"] as const) {
    const quota = api.rateLimit[kind];
    if (quota === undefined) continue;
    const all = counted.filter(({ method }) => readMethods.has(method) === (kind === "read"));
    const over = [...bySender(all, api.rateLimit.scope === "user")].some((times) =>
      times.some(
        (at, index) => index >= quota.requests && at - times[index - quota.requests]! < quota.period * 1_000,
      ),
    );
    if (over)
      return {
        message: `More than the ${quota.requests} requests in ${quota.period} s were sent that the app declares.`,
        records: [],
        cycles: [],
      };
  }
  return undefined;
}

/** The times of requests, of each customer by themselves where limits are. */
function bySender(exchanges: readonly Exchange[], isEach: boolean): Iterable<readonly number[]> {
  const times = new Map<number, number[]>();
  for (const exchange of exchanges) {
    const sender = isEach ? (customerIn(exchange) ?? 0) : 0;
    times.set(sender, [...(times.get(sender) ?? []), exchange.at]);
  }
  return times.values();
}
