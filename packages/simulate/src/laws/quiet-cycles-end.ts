import type { WorldLog } from "../polling/run.ts";
import { latest } from "../service/collection.ts";
import type { Law } from "./law.ts";
import { reachedBy } from "./reached.ts";

/** Where nothing changes, a cycle has to find that out, and soon. */
export const quietCyclesEnd: Law = {
  name: "quiet-cycles-end",
  summary: "A cycle in which nothing is new ends by itself, and doesn't read everything again.",
  broken({ cycles, collection }, { protocol }) {
    const last = cycles.at(-1);
    if (last === undefined || !last.isQuiet || reachedBy(cycles) < last.startedAt - DAY) return undefined;
    if ((last.reason === "max-requests" && last.requests >= MOST) || last.reason === "repeat")
      return {
        message:
          last.reason === "repeat"
            ? `Nothing was new, and cycle ${last.number} asked for a page that it had read before: it ended only because the same page came again.`
            : `Nothing was new, and cycle ${last.number} sent ${last.requests} requests until the limit stopped it.`,
        records: [],
        cycles: [last.number],
      };
    // An app that asks for everything each time means to.
    if (protocol.field === undefined) return undefined;
    if (isOfDays(last)) return undefined;
    const again = new Set(last.arrivals.map(({ record }) => record)).size;
    const live = collection.live.length;
    // Records of one time lie on one bound: a service that includes it gives all of them again.
    const times = new Set(collection.live.map((record) => Math.floor(latest(record).at / 60_000)));
    if (live < MANY || again < live || times.size < MANY) return undefined;
    return {
      message: `Nothing was new, and cycle ${last.number} brought all ${live} records again.`,
      records: last.arrivals.map(({ record }) => record),
      cycles: [last.number],
    };
  },
};

/** Whether a cycle asked for whole days, and for few: what changed today comes again until tomorrow. */
function isOfDays({ exchanged, startedAt }: WorldLog["cycles"][number]): boolean {
  return exchanged.some(({ page }) =>
    page?.query.bounds.some(
      ({ side, text, value }) =>
        side === "from" && /^\d{4}-\d\d-\d\d$/.test(text) && value >= startedAt - FEW_DAYS,
    ),
  );
}

/** Three days, in milliseconds. */
const FEW_DAYS = 3 * 86_400_000;

/** In milliseconds. A window that ends longer ago is catching up. */
const DAY = 86_400_000;

/** Requests of a cycle at most (D33); a world may have fewer as a scale model. */
const MOST = 100;

/** Fewer records than that may all lie in a window that is read again on purpose. */
const MANY = 3;
