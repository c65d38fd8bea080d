import { failureOf } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { pollsAnew } from "../polling/reset.ts";
import type { Installation } from "../store/tables.ts";
import { changeInstallation, readInstallation, workflowOf } from "./installed.ts";
import { proceed, underWay } from "./proceed.ts";
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

export function createLifecycle(services: Services): Lifecycle {
  return {
    activate: (id, options = {}) => activate(services, id, workOf(services, options)),
    pause: (id, options = {}) => stop(services, id, "deactivating", workOf(services, options)),
    remove: (id, options = {}) => stop(services, id, "removing", workOf(services, options)),
    resume: (options = {}) => resume(services, workOf(services, options)),
  };
}

/** One thing at a time is done with an installation, by all processes. */
function alone<R>({ store }: Services, id: string, { signal }: Work, act: () => Promise<R>): Promise<R> {
  return store.exclusive(`installation ${id}`, act, signal);
}

function read(services: Services, id: string): Promise<Installation> {
  return services.store.transaction((transaction) => readInstallation(services, transaction, id));
}

function activate(services: Services, id: string, work: Work): Promise<void> {
  return alone(services, id, work, async () => {
    const before = await read(services, id);
    if (before.status === "active" && before.draft?.step !== "ready") return;
    const row = await changeInstallation(services, id, (now) => activating(now, services));
    try {
      await proceed(services, row, work);
    } catch (error) {
      // Cancelling and a store that fails are like a crash: it is taken up again.
      if (!(error instanceof RunError) || (error.kind !== "Cancelled" && error.kind !== "StoreError")) {
        const failure = failureOf(error, services.effects.clock.now(), services.version);
        await changeInstallation(services, id, () => ({ ...before, failure }));
      }
      throw error;
    }
  });
}

/** Stops in any status but those that are over. */
function stop(services: Services, id: string, to: "deactivating" | "removing", work: Work): Promise<void> {
  return alone(services, id, work, async () => {
    const row = await changeInstallation(services, id, (before) => {
      if (before.status === "removed" || before.status === "removing" || before.status === "setup")
        return to === "removing" ? { ...before, status: to } : before;
      return { ...before, status: to };
    });
    await proceedOrNote(services, row, work);
  });
}

async function resume(services: Services, work: Work): Promise<readonly Installation[]> {
  const { store, effects, name } = services;
  const left: Installation[] = [];
  for (const status of underWay) {
    const rows = await store.transaction((transaction) =>
      transaction.list("installations", { app: name, status }),
    );
    for (const { id } of rows)
      await alone(services, id, work, async () => {
        const row = await read(services, id);
        try {
          await proceedOrNote(services, row, work);
        } catch (error) {
          if (error instanceof RunError && error.kind === "Cancelled") throw error;
          left.push({ ...row, failure: failureOf(error, effects.clock.now(), services.version) });
        }
      });
  }
  return left;
}

/** Keeps the reason of a failure with the installation. */
async function proceedOrNote(services: Services, row: Installation, work: Work): Promise<void> {
  try {
    await proceed(services, row, work);
  } catch (error) {
    const failure = failureOf(error, services.effects.clock.now(), services.version);
    await changeInstallation(services, row.id, (now) => ({ ...now, failure })).catch(() => undefined);
    throw error;
  }
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
    ...(row.pollsAnew === true || pollsAnew(row.settings, settings) ? { pollsAnew: true } : {}),
    status: isUpdate ? "updating" : "activating",
  };
}
