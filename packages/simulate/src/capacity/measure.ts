import { type CycleLog, runWorld, type Subject } from "../polling/run.ts";
import { kindest } from "../world/hypotheses.ts";
import type { World } from "../world/world.ts";
import { kindOf, none, type Requests, sum, times } from "./requests.ts";

/** Records on a page, where the app doesn't say how many it asks for. */
export const USUAL_PAGE = 100;

/** What polling costs, in requests to the API. */
export interface PollingCost {
  /** Of each cycle, whatever it finds, without its pages. */
  readonly base: Requests;
  readonly perPage: Requests;
  readonly perItem: Requests;
  /** Of a cycle that finds nothing new. */
  readonly quiet: Requests;
  readonly page: { readonly size: number; readonly isTold: boolean };
}

/**
 * Counts what the real runtime sends for a few pages of a service that makes it easy: a cycle costs so much, each page so much more,
 * each item so much more.
 *
 * @param size records on a page, where the app doesn't say it
 * @returns undefined where nothing that is polled arrives
 */
export async function measure(subject: Subject, size = USUAL_PAGE): Promise<PollingCost | undefined> {
  const told = subject.protocol.roles.find(({ role }) => role.kind === "size")?.role;
  const stated = subject.protocol.size.isFixed
    ? subject.protocol.size.size
    : told?.kind === "size"
      ? told.size
      : undefined;
  const page = { size: stated ?? size, isTold: stated !== undefined };
  const few = await sampled(subject, page.size, Math.max(1, Math.floor(page.size / 4)));
  const more = await sampled(subject, page.size, Math.max(2, Math.floor(page.size / 2)));
  const pages = await sampled(subject, page.size, Math.ceil(page.size * 2.5));
  if (few.items === 0 || more.items === few.items || pages.items <= few.items) return undefined;
  const perItem = times(minus(more.requests, few.requests), 1 / (more.items - few.items));
  const beyond = minus(minus(pages.requests, few.requests), times(perItem, pages.items - few.items));
  const perPage = pages.pages > few.pages ? times(beyond, 1 / (pages.pages - few.pages)) : none;
  const base = minus(minus(few.requests, times(perPage, few.pages)), times(perItem, few.items));
  return { base, perPage, perItem, quiet: few.quiet, page };
}

interface Sampled {
  readonly items: number;
  readonly pages: number;
  readonly requests: Requests;
  readonly quiet: Requests;
}

/** Lets an app read so many records in one cycle: those that are there at first, or new ones if it begins with what comes. */
async function sampled(subject: Subject, page: number, count: number): Promise<Sampled> {
  const there = await runWorld(subject, worldOf({ first: count, page }));
  const first = there.cycles.find(({ arrivals }) => arrivals.length > 0);
  if (first !== undefined || subject.isHistory) return counted(subject, there.cycles, first);
  const happening = {
    cycle: 2,
    request: 0,
    before: 900,
    what: "create",
    record: 0,
    times: count,
    isLate: false,
  } as const;
  const { cycles } = await runWorld(subject, worldOf({ first: 0, page, cycles: 2, happenings: [happening] }));
  return counted(
    subject,
    cycles,
    cycles.find(({ arrivals }) => arrivals.length > 0),
  );
}

/** A world in which nothing is difficult. */
export function worldOf(change: Partial<World>): World {
  return {
    kind: "polling",
    seed: 0,
    hypotheses: kindest,
    first: 0,
    sameTime: false,
    cycles: 1,
    page: USUAL_PAGE,
    requests: 100,
    happenings: [],
    faults: [],
    form: "",
    ...change,
  };
}

function counted(subject: Subject, cycles: readonly CycleLog[], busy: CycleLog | undefined): Sampled {
  const last = cycles.at(-1);
  return {
    items: busy?.arrivals.length ?? 0,
    pages: busy?.exchanged.filter(({ page }) => page !== undefined).length ?? 0,
    requests: busy === undefined ? none : requestsIn(subject, busy),
    quiet: last === undefined ? none : requestsIn(subject, last),
  };
}

/** What a cycle sent to the API itself. */
export function requestsIn(
  { app }: Pick<Subject, "app">,
  { exchanges }: Pick<CycleLog, "exchanges">,
): Requests {
  const base = app.api.baseUrl?.[0];
  const host =
    typeof base === "string" && /^https?:\/\/[^/]+\//.test(`${base}/`) ? new URL(base).host : undefined;
  return sum(
    exchanges
      .filter(
        ({ sender, url }) =>
          sender === "app" &&
          (host === undefined || app.api.baseUrl!.length > 1 || new URL(url).host === host),
      )
      .map(({ method }) => ({ ...none, [kindOf(method)]: 1 })),
  );
}

function minus(a: Requests, b: Requests): Requests {
  return { read: a.read - b.read, write: a.write - b.write };
}
