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

/** Whether something is (still) due: it may have been done since it was found. */
export async function isDue(
  store: Store,
  runtime: Runtime,
  { installation, job }: Due,
  now: number,
): Promise<boolean> {
  return await store.transaction(async (transaction) => {
    const row = await transaction.get("installations", installation);
    if (row === undefined) return false;
    if (job === "deliver")
      return (
        (row.status === "active" || row.status === "updating") && (await isWaiting(transaction, row, now))
      );
    return row.status === "active" && (await jobOf(transaction, runtime, row, now)) === "poll";
  });
}

async function jobOf(
  transaction: Transaction,
  { app }: Runtime,
  installation: Installation,
  now: number,
): Promise<JobName | undefined> {
  const workflow = app.workflows.find(({ name }) => name === installation.workflow);
  if (workflow === undefined) return undefined;
  const polled = polledIntake(app, workflow);
  if (polled !== undefined) {
    const key = installation.settings?.connection;
    const connection = key === undefined ? undefined : await transaction.get("connections", key);
    const records = await transaction.list("polling", { installation: installation.id });
    const record = records.find(({ intake }) => intake === polled.name);
    const due = dueAt({
      installation,
      connection,
      record,
      period: periodOf(app, workflow),
      once: polled.once,
    });
    if (due !== undefined && due <= now) return "poll";
  }
  return (await isWaiting(transaction, installation, now)) ? "deliver" : undefined;
}

/** The first one in the line keeps the others waiting: if it failed, they wait for as long as it does. */
async function isWaiting(transaction: Transaction, { id }: Installation, now: number): Promise<boolean> {
  const [first] = await transaction.list("deliveries", { installation: id, status: "waiting" }, { limit: 1 });
  if (first === undefined) return false;
  return first.failure === undefined || first.failure.at + backOff(first.attempts) <= now;
}
