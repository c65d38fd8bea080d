import type { Installation, Runtime, Store, Transaction } from "@configc/runtime";
import { backOff, dueAt, periodOf, polledIntake } from "./due.ts";

export type JobName = "poll" | "deliver";

/** What is due for an installation of an app; as JSON, for an engine remembers it. */
export type Due = { readonly installation: string; readonly job: JobName };

export async function dueJobs(
  store: Store,
  name: string,
  runtime: Runtime,
  now: number,
): Promise<readonly Due[]> {
  return await store.transaction(async (transaction) => {
    const due: Due[] = [];
    for (const installation of await transaction.list("installations", { app: name, status: "active" })) {
      const job = await jobOf(transaction, runtime, installation, now);
      if (job !== undefined) due.push({ installation: installation.id, job });
    }
    return due;
  });
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
    const since =
      job === "poll" ? await pollDue(transaction, runtime, row) : await deliveryDue(transaction, row, now);
    return since === undefined || since > now ? null : since;
  });
}

async function jobOf(
  transaction: Transaction,
  runtime: Runtime,
  installation: Installation,
  now: number,
): Promise<JobName | undefined> {
  if (!runtime.app.workflows.some(({ name }) => name === installation.workflow)) return undefined;
  const poll = await pollDue(transaction, runtime, installation);
  if (poll !== undefined && poll <= now) return "poll";
  const delivery = await deliveryDue(transaction, installation, now);
  return delivery !== undefined && delivery <= now ? "deliver" : undefined;
}

async function pollDue(
  transaction: Transaction,
  { app }: Runtime,
  installation: Installation,
): Promise<number | undefined> {
  const workflow = app.workflows.find(({ name }) => name === installation.workflow);
  const polled = workflow === undefined ? undefined : polledIntake(app, workflow);
  if (workflow === undefined || polled === undefined) return undefined;
  const key = installation.settings?.connection;
  const connection = key === undefined ? undefined : await transaction.get("connections", key);
  const records = await transaction.list("polling", { installation: installation.id });
  const record = records.find(({ intake }) => intake === polled.name);
  return dueAt({ installation, connection, record, period: periodOf(app, workflow), once: polled.once });
}

/** The first one in the line keeps the others waiting: if it failed, they wait for as long as it does. */
async function deliveryDue(
  transaction: Transaction,
  { id }: Installation,
  now: number,
): Promise<number | undefined> {
  const [first] = await transaction.list("deliveries", { installation: id, status: "waiting" }, { limit: 1 });
  if (first === undefined) return undefined;
  // Another machine, whose clock is ahead, may have taken it.
  if (first.failure === undefined) return Math.min(now, first.receivedAt);
  return first.failure.at + backOff(first.attempts);
}
