import { failureOf } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { pollingId } from "../polling/record.ts";
import type { Transaction } from "../store/store.ts";
import { type Installation, type InstallationStatus, idOf } from "../store/tables.ts";
import { joinWebhook, leaveWebhooks, refreshWebhook } from "../webhooks/registrations.ts";
import { type Installed, intakeOf, loadInstalled, readInstallation, workflowOf } from "./installed.ts";
import { type Services, type Work, type WorkOptions, workOf } from "./services.ts";

/** An installation from the end of its setup to its removal. Each change is kept before it begins, and taken up after a crash. */
export interface Lifecycle {
  /**
   * Puts an installation to work: with what its setup has come to (a draft at the step `ready`), or as it was before a pause. A
   * webhook is registered if it is the first of its scope (D32). An active one with a new draft is updated.
   *
   * @throws RunError `DataError` if the setup isn't complete; of `create` or `update`, and the installation is as it was before
   */
  activate(installation: string, options?: WorkOptions): Promise<void>;
  /**
   * Stops an installation: the webhook is deleted if it was the last of its scope. What waits for delivery waits on.
   *
   * @throws RunError of the surroundings: it stays `deactivating` until `resume` succeeds
   */
  pause(installation: string, options?: WorkOptions): Promise<void>;
  /** Stops an installation for good, and deletes its states, saved values and waiting items. It stays as a record. */
  remove(installation: string, options?: WorkOptions): Promise<void>;
  /**
   * Finishes what was under way when the process ended, or what failed for the surroundings' sake. To be called at the start, and
   * now and then.
   *
   * @returns the installations that are still under way, with the reason on them
   */
  resume(options?: WorkOptions): Promise<readonly Installation[]>;
}

const underWay = [
  "activating",
  "updating",
  "deactivating",
  "removing",
] as const satisfies readonly InstallationStatus[];

export function createLifecycle(services: Services): Lifecycle {
  const { store, effects, name } = services;

  function change(
    id: string,
    to: (row: Installation, transaction: Transaction) => Promise<Installation> | Installation,
  ): Promise<Installation> {
    return store.transaction(async (transaction) => {
      const row = await to(await readInstallation(services, transaction, id), transaction);
      await transaction.put("installations", { ...row, changedAt: effects.clock.now() });
      return row;
    });
  }

  const alone = <R>(id: string, { signal }: Work, work: () => Promise<R>): Promise<R> =>
    store.exclusive(`installation ${id}`, work, signal);

  /** Does what the status says is under way. */
  async function proceed({ id, status }: Installation, work: Work): Promise<void> {
    switch (status) {
      case "activating":
      case "updating": {
        await reach(await loadInstalled(services, id), work);
        await change(id, ({ draft: _, failure: __, ...row }) => ({ ...row, status: "active" }));
        return;
      }
      case "deactivating":
        await leaveWebhooks(services, id, work);
        await change(id, ({ failure: _, ...row }) => ({ ...row, status: "paused" }));
        return;
      case "removing":
        await leaveWebhooks(services, id, work);
        await forget(services, id, work);
        await change(id, ({ draft: _, failure: __, ...row }) => ({ ...row, status: "removed" }));
        return;
      default:
        return;
    }
  }

  async function reach(installed: Installed, work: Work): Promise<void> {
    const intake = intakeOf(services, installed.workflow);
    if (intake?.type !== "webhook") return;
    if (installed.installation.status === "updating") await refreshWebhook(services, installed, intake, work);
    else await joinWebhook(services, installed, intake, work);
  }

  /** Stops in any status but those that are over. */
  function stop(to: "deactivating" | "removing"): Lifecycle["pause"] {
    return async (id, options = {}) => {
      const work = workOf(services, options);
      await alone(id, work, async () => {
        const row = await change(id, (before) => {
          if (before.status === "removed" || before.status === "removing" || before.status === "setup")
            return to === "removing" ? { ...before, status: to } : before;
          return { ...before, status: to };
        });
        await noted(row, () => proceed(row, work));
      });
    };
  }

  /** Keeps the reason of a failure with the installation. */
  async function noted(row: Installation, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const failure = failureOf(error, effects.clock.now());
      await change(row.id, (now) => ({ ...now, failure })).catch(() => undefined);
      throw error;
    }
  }

  return {
    async activate(id, options = {}) {
      const work = workOf(services, options);
      await alone(id, work, async () => {
        const before = await store.transaction((transaction) => readInstallation(services, transaction, id));
        if (before.status === "active" && before.draft?.step !== "ready") return;
        const row = await change(id, (now) => activating(now, services));
        try {
          await proceed(row, work);
        } catch (error) {
          // Cancelling and a store that fails are like a crash: it is taken up again.
          if (!(error instanceof RunError) || (error.kind !== "Cancelled" && error.kind !== "StoreError")) {
            const failure = failureOf(error, effects.clock.now());
            await change(id, () => ({ ...before, failure }));
          }
          throw error;
        }
      });
    },
    pause: stop("deactivating"),
    remove: stop("removing"),
    async resume(options = {}) {
      const work = workOf(services, options);
      const left: Installation[] = [];
      for (const status of underWay) {
        const rows = await store.transaction((transaction) =>
          transaction.list("installations", { app: name, status }),
        );
        for (const { id } of rows)
          await alone(id, work, async () => {
            const row = await store.transaction((transaction) => readInstallation(services, transaction, id));
            try {
              await noted(row, () => proceed(row, work));
            } catch (error) {
              if (error instanceof RunError && error.kind === "Cancelled") throw error;
              left.push({ ...row, failure: failureOf(error, effects.clock.now()) });
            }
          });
      }
      return left;
    },
  };
}

function activating(row: Installation, services: Services): Installation {
  const { draft, status } = row;
  const workflow = workflowOf(services, row);
  if (status === "removed" || status === "removing")
    throw new RunError("DataError", `The installation \`${row.id}\` was removed.`, workflow);
  const settings = draft?.step === "ready" ? draft.settings : row.settings;
  if (settings === undefined)
    throw new RunError(
      "DataError",
      `The setup of \`${row.id}\` isn't complete: \`${draft?.step ?? "connect"}\` is next.`,
      workflow,
    );
  const isUpdate = status === "active" || status === "updating";
  return {
    ...row,
    settings,
    ...(settings.connection === undefined ? {} : { connection: settings.connection }),
    ...(draft?.step === "ready" ? { revision: (row.revision ?? 0) + 1 } : {}),
    status: isUpdate ? "updating" : "activating",
  };
}

/** Deletes what only this installation had; a cycle that runs ends first. */
async function forget({ store }: Services, installation: string, { signal }: Work): Promise<void> {
  const polled = await store.transaction((transaction) => transaction.list("polling", { installation }));
  for (const { id, intake } of polled)
    await store.exclusive(
      `polling ${pollingId(installation, intake)}`,
      () => store.transaction((transaction) => transaction.delete("polling", id)),
      signal,
    );
  const delivered = (): Promise<void> =>
    store.transaction(async (transaction) => {
      for (const status of ["waiting", "failed"] as const)
        for (const { id } of await transaction.list("deliveries", { installation, status }))
          await transaction.delete("deliveries", id);
      await transaction.delete("saved", idOf("workflow", installation));
    });
  await store.exclusive(`deliveries ${installation}`, delivered, signal);
}
