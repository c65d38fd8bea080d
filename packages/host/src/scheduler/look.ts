import type {
  Connection,
  Delivery,
  Installation,
  PollingRecord,
  Runtime,
  Store,
  Transaction,
  Turn,
} from "@configc/runtime";
import { backOff, dueAt, happenedAt, periodOf, polledIntake } from "./due.ts";

type JobName = "poll" | "deliver";

/** What is due for an installation of an app; as JSON, for an engine remembers it. */
export type Due = { readonly installation: string; readonly job: JobName };

/** The same as a look finds it. */
export interface Found extends Turn {
  readonly due: Due;
}

/** What has to be known of an installation to say what is due for it. */
export interface Candidate {
  /** Whose it is: installations of one customer don't come before those of the others (E38). */
  readonly customer: string;
  readonly installation: Pick<Installation, "id" | "workflow" | "settings">;
  readonly connection: Pick<Connection, "broken"> | undefined;
  readonly records: readonly Pick<
    PollingRecord,
    "intake" | "phase" | "done" | "startedAt" | "waitUntil" | "failures" | "failure"
  >[];
  /** The first one in the line. */
  readonly waiting: Pick<Delivery, "receivedAt" | "heldUntil" | "attempts" | "failure"> | undefined;
}

/** All active installations of an app, some at a time. A store that can say it in fewer questions may do so itself. */
export type Candidates = (app: string) => AsyncIterable<readonly Candidate[]>;

/** The active installations of an app, with what tells when each is due, as any store can say it. */
export function candidatesOf(store: Store): Candidates {
  return async function* (app) {
    yield await store.transaction(async (transaction) => {
      const found: Candidate[] = [];
      for (const installation of await transaction.list("installations", { app, status: "active" }))
        found.push(await candidate(transaction, installation));
      return found;
    });
  };
}

async function candidate(transaction: Transaction, installation: Installation): Promise<Candidate> {
  const { id, settings, customer = installation.connection ?? id } = installation;
  const key = settings?.connection;
  const connection = key === undefined ? undefined : await transaction.get("connections", key);
  const records = await transaction.list("polling", { installation: id });
  const [waiting] = await transaction.list(
    "deliveries",
    { installation: id, status: "waiting" },
    { limit: 1 },
  );
  return { customer, installation, connection, records, waiting };
}

export function dueJobs(candidates: readonly Candidate[], runtime: Runtime, now: number): readonly Found[] {
  const due: Found[] = [];
  for (const each of candidates) {
    if (!runtime.app.workflows.some(({ name }) => name === each.installation.workflow)) continue;
    const poll = pollDue(each, runtime, now);
    const delivery = deliveryDue(each, now);
    const { customer: member, installation } = each;
    const found = (job: JobName, since: number): void =>
      void due.push({ due: { installation: installation.id, job }, member, since });
    if (poll !== undefined && poll <= now) found("poll", poll);
    else if (delivery !== undefined && delivery <= now) found("deliver", delivery);
  }
  return due;
}

/** When what is to be done for an installation is due; nothing is there for what isn't due at any time. */
export function dueTimes(
  candidate: Candidate,
  of: Pick<Runtime, "app">,
  now: number,
): { readonly poll?: number; readonly deliver?: number } {
  const poll = pollDue(candidate, of, now);
  const deliver = deliveryDue(candidate, now);
  return { ...(poll === undefined ? {} : { poll }), ...(deliver === undefined ? {} : { deliver }) };
}

/**
 * Since when something is due: it may have been done since it was found.
 *
 * @returns milliseconds since 1970, 0 if it isn't known; null if it isn't due (any more)
 */
export async function dueSince(
  store: Store,
  runtime: Runtime,
  { installation, job }: Due,
  now: number,
): Promise<number | null> {
  return await store.transaction(async (transaction) => {
    const row = await transaction.get("installations", installation);
    if (row?.status !== "active" && (row?.status !== "updating" || job === "poll")) return null;
    const found = await candidate(transaction, row);
    const since = job === "poll" ? pollDue(found, runtime, now) : deliveryDue(found, now);
    return since === undefined || since > now ? null : since;
  });
}

function pollDue(
  { installation, connection, records }: Candidate,
  { app }: Pick<Runtime, "app">,
  now: number,
): number | undefined {
  const workflow = app.workflows.find(({ name }) => name === installation.workflow);
  const polled = workflow === undefined ? undefined : polledIntake(app, workflow);
  if (workflow === undefined || polled === undefined) return undefined;
  const record = records.find(({ intake }) => intake === polled.name);
  const period = periodOf(app, workflow);
  return dueAt({ installation, connection, record, period, once: polled.once, now });
}

/** The first one in the line keeps the others waiting: if it failed, they wait for as long as it does. */
function deliveryDue({ waiting }: Candidate, now: number): number | undefined {
  if (waiting === undefined) return undefined;
  const { receivedAt, heldUntil = 0, attempts, failure } = waiting;
  // Another machine, whose clock is ahead, may have taken it.
  const since =
    failure === undefined ? Math.min(now, receivedAt) : happenedAt(failure.at, now) + backOff(attempts);
  return Math.max(since, heldUntil);
}
