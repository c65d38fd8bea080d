import type { AppIntake } from "@configc/compiler";
import { isCancelled } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import type { Installed } from "../intake/installed.ts";
import { exclusively, type Services, type Work } from "../intake/services.ts";
import type { Hook, Registration } from "../store/tables.ts";
import {
  createHook,
  deleteHook,
  type HookWork,
  isGone,
  newHook,
  restoreScope,
  retire,
  scopeValues,
  updateHook,
} from "./hooks.ts";
import { memberOf, registrationFor } from "./owner.ts";

/**
 * Makes an installation one of those that a registration serves; the first one registers the webhook (D32).
 *
 * @throws RunError of `create`; the installation isn't served then
 */
export async function joinWebhook(
  services: Services,
  installed: Installed,
  intake: AppIntake,
  work: Work,
): Promise<void> {
  await locked(services, installed, intake, work, async (context) => {
    const { registration } = context;
    const member = memberOf(registration, installed.installation.id);
    await services.store.transaction(async (transaction) => {
      await transaction.put("registrations", registration);
      await transaction.put("members", member);
    });
    if (registration.hook !== undefined) return;
    try {
      await establish(context, installed);
    } catch (error) {
      if (!isCancelled(error))
        await services.store.transaction((transaction) => transaction.delete("members", member.id));
      throw error;
    }
  });
}

/**
 * Takes an installation out of every registration that serves it, but for one; the last one deletes the webhook (D32).
 *
 * @throws RunError of the surroundings: it has to be called again
 */
export async function leaveWebhooks(
  services: Services,
  installation: string,
  work: Work,
  except?: string,
): Promise<void> {
  const { store, app } = services;
  const members = await store.transaction((transaction) => transaction.list("members", { installation }));
  for (const member of members.filter(({ registration }) => registration !== except)) {
    const leave = async (): Promise<void> => {
      const registration = await store.transaction((transaction) =>
        transaction.get("registrations", member.registration),
      );
      const intake = app.intakes.find(({ name }) => name === registration?.intake);
      if (registration !== undefined) {
        if (intake === undefined) await leaveBehind(services, registration, member.id);
        else await removeLast({ services, registration, intake, work }, member.id);
      }
      await store.transaction((transaction) => transaction.delete("members", member.id));
    };
    await store.exclusive(`registration ${member.registration}`, leave, work.signal);
  }
}

/** The member stays until the webhook is gone, so that a crash in between is noticed. */
async function removeLast(context: HookWork, member: string): Promise<void> {
  const { services, registration } = context;
  const others = await services.store.transaction((transaction) =>
    transaction.list("members", { registration: registration.id }),
  );
  // One that is being deleted isn't theirs: it is older than they are.
  if (others.some(({ id }) => id !== member)) return await deleteReplaced(context);
  const hooks = await services.store.transaction(async (transaction) => {
    const { hook: _, ...unregistered } = registration;
    await transaction.put("registrations", unregistered);
    const data = await scopeValues(transaction, registration);
    const living: Hook[] = [];
    for (const hook of await transaction.list("hooks", { registration: registration.id })) {
      if (hook.state === "retired") continue;
      const ending: Hook = hook.state === "active" ? { ...hook, state: "deleting", data } : hook;
      await transaction.put("hooks", ending);
      living.push(ending);
    }
    return living;
  });
  for (const hook of hooks) {
    if (hook.state !== "creating" || hook.saved) await deleteHook(context, hook);
    else
      await retire(
        services,
        hook,
        hook.journal === undefined ? undefined : "Its registration was interrupted, so it may exist.",
      );
  }
}

/** Where the app has lost the intake, nothing can delete the webhook: its URL stops answering, and it is reported. */
async function leaveBehind(services: Services, registration: Registration, member: string): Promise<void> {
  const hooks = await services.store.transaction(async (transaction) => {
    const members = await transaction.list("members", { registration: registration.id });
    if (members.some(({ id }) => id !== member)) return [];
    const { hook: _, ...unregistered } = registration;
    await transaction.put("registrations", unregistered);
    return await transaction.list("hooks", { registration: registration.id });
  });
  for (const hook of hooks)
    if (hook.state !== "retired")
      await retire(
        services,
        hook,
        `The app no longer has the intake \`${registration.intake}\`, so nothing deletes it.`,
      );
}

/**
 * Tells the third party of a changed setup (D32): by `update`, or by a new registration before the old one is deleted. Where the
 * scope isn't the workflow no command depends on the setup, but the account may be another one.
 *
 * @throws RunError of the commands; what was in force still is
 */
export async function refreshWebhook(
  services: Services,
  installed: Installed,
  intake: AppIntake,
  work: Work,
): Promise<void> {
  const { store } = services;
  const wanted = await store.transaction((transaction) =>
    registrationFor(services, transaction, installed, intake),
  );
  await joinWebhook(services, installed, intake, work);
  await leaveWebhooks(services, installed.installation.id, work, wanted.id);
  if (wanted.scope !== "workflow") return;
  await locked(services, installed, intake, work, async (context) => {
    const { registration } = context;
    const current = await store.transaction((transaction) =>
      registration.hook === undefined
        ? Promise.resolve(undefined)
        : transaction.get("hooks", registration.hook),
    );
    if (current !== undefined && current.revision !== installed.installation.revision)
      await change(context, installed, current);
    await deleteReplaced(context);
  });
}

async function change(context: HookWork, installed: Installed, current: Hook): Promise<void> {
  const { intake } = context;
  const { update } = intake.commands;
  if (update !== undefined) {
    try {
      return await updateHook(context, current, installed, update);
    } catch (error) {
      // The third party has lost it.
      if (!isGone(error)) throw error;
    }
  } else if (intake.commands["create"] === undefined || intake.commands["delete"] === undefined) return;
  await replace(context, installed, current);
}

async function replace(context: HookWork, installed: Installed, current: Hook): Promise<void> {
  const { services, registration } = context;
  await services.store.transaction(async (transaction) => {
    const data = current.data ?? (await scopeValues(transaction, registration));
    await transaction.put("hooks", { ...current, data });
  });
  try {
    await establish(context, installed);
  } catch (error) {
    if (!isCancelled(error))
      await services.store.transaction(async (transaction) => {
        const old = await transaction.get("hooks", current.id);
        if (old === undefined) return;
        await restoreScope(transaction, registration, old.data);
        const { data: _, ...kept } = old;
        await transaction.put("hooks", kept);
      });
    throw error;
  }
}

/** Puts a hook in force: one that was interrupted if it can be taken up, else a new one. */
async function establish(context: HookWork, installed: Installed): Promise<void> {
  const { services, registration } = context;
  const hooks = await services.store.transaction((transaction) =>
    transaction.list("hooks", { registration: registration.id }),
  );
  for (const hook of hooks.filter(({ state }) => state === "creating"))
    if (await createHook(context, hook)) return;
  const hook = await services.store.transaction((transaction) => newHook(context, transaction, installed));
  if (!(await createHook(context, hook)))
    throw new RunError("DataError", "A new attempt can't have been interrupted.", context.intake);
}

async function deleteReplaced(context: HookWork): Promise<void> {
  const { services, registration } = context;
  const hooks = await services.store.transaction((transaction) =>
    transaction.list("hooks", { registration: registration.id }),
  );
  for (const hook of hooks) if (hook.state === "deleting") await deleteHook(context, hook);
}

/** Works on a registration while nobody else does: members are counted under this lock. */
async function locked(
  services: Services,
  installed: Installed,
  intake: AppIntake,
  work: Work,
  then: (context: HookWork) => Promise<void>,
): Promise<void> {
  const read = (): Promise<Registration> =>
    services.store.transaction((transaction) => registrationFor(services, transaction, installed, intake));
  const { id } = await read();
  await exclusively(services, `registration ${id}`, work, async (alone) =>
    then({ services, intake, work: alone, registration: await read() }),
  );
}
