import type { AppIntake } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { canonicalText, digest } from "../canonical.ts";
import { isCancelled, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Installed, type Owned, readOwned, runOptionsOf } from "../intake/installed.ts";
import type { Services, Work } from "../intake/services.ts";
import { isObject, ownMember } from "../json.ts";
import type { RunOptions } from "../run-options.ts";
import { savedInMemory } from "../saved.ts";
import { idOf } from "../store/id.ts";
import { hookLabel, hookUpdateLabel } from "../store/labels.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Transaction } from "../store/store.ts";
import type { Hook, Registration } from "../store/tables.ts";
import { RequestJournal } from "./journal.ts";
import { inScope } from "./scope.ts";

/** What the steps of one webhook need. */
export interface HookWork {
  readonly services: Services;
  readonly registration: Registration;
  readonly intake: AppIntake;
  readonly work: Work;
}

/**
 * Adds an attempt to register, with an unguessable URL of its own (D32): it is kept before it is used.
 *
 * @throws RunError `NotSupported` if the host has no URLs to give
 */
export async function newHook(
  { services, registration, intake }: HookWork,
  transaction: Transaction,
  { installation, settings }: Installed,
): Promise<Hook> {
  if (services.webhookUrl === undefined)
    throw new RunError(
      "NotSupported",
      "The host gives no public URL for webhooks. Pass `webhookUrl` (or `publicUrl` of a host).",
      intake,
    );
  const hook: Hook = {
    id: services.effects.random.id(),
    registration: registration.id,
    state: "creating",
    installation: installation.id,
    ...(settings.connection === undefined ? {} : { connection: settings.connection }),
    ...(installation.revision === undefined ? {} : { revision: installation.revision }),
    saved: false,
    createdAt: services.effects.clock.now(),
  };
  await transaction.put("hooks", hook);
  return hook;
}

/**
 * Runs `create` for an attempt, or takes up one that was interrupted, and puts it in force. What was in force before is to be
 * deleted then.
 *
 * @returns false if nobody knows whether the third party has registered the attempt: it is retired and reported, and another has to be made
 * @throws RunError of `create`; the attempt is retired, unless only the store failed or the run was cancelled
 */
export async function createHook(context: HookWork, hook: Hook): Promise<boolean> {
  const { services, intake } = context;
  const { store } = services;
  const keep = (journal: string): Promise<void> =>
    store.transaction(async (transaction) => {
      const row = await transaction.get("hooks", hook.id);
      if (row !== undefined) await transaction.put("hooks", { ...row, journal });
    });
  const journal = await RequestJournal.open(hook.journal, hookLabel(hook.id), services.vault, keep);
  if (journal.unknown) {
    if (!hook.saved) {
      await retire(services, hook, "The answer to its registration was never seen, so it may exist.");
      return false;
    }
    // Its id is there, which is all that is needed to work with it.
    await putInForce(context, hook);
    return true;
  }
  const installed = await ownedOf(context, hook);
  const saved = await storedValues(store, installed.owners, async (transaction) => {
    const row = await transaction.get("hooks", hook.id);
    if (row !== undefined && journal.written) await transaction.put("hooks", { ...row, saved: true });
  });
  try {
    const { create } = intake.commands;
    if (create !== undefined)
      await services.run(create, { ...optionsOf(context, installed, hook), saved, journal });
  } catch (error) {
    if (!isCancelled(error) && !(error instanceof RunError && error.kind === "StoreError"))
      await abandon(context, hook, journal);
    throw error;
  }
  await putInForce(context, hook);
  return true;
}

/** A failed attempt: what may be registered is deleted if its id was saved, and reported otherwise. */
async function abandon(context: HookWork, { id }: Hook, journal: RequestJournal): Promise<void> {
  const { services } = context;
  const hook = await services.store.transaction((transaction) => transaction.get("hooks", id));
  if (hook === undefined) return;
  if (hook.saved) {
    try {
      return await deleteHook(context, hook);
    } catch {
      return await retire(
        services,
        hook,
        "`create` failed after it had registered, and it couldn't be deleted.",
      );
    }
  }
  const orphan = journal.unknown
    ? "The answer to its registration was never seen, so it may exist."
    : journal.written
      ? "It was registered, but then `create` failed before it saved an id to delete it by."
      : undefined;
  await retire(services, hook, orphan);
}

async function putInForce({ services, registration }: HookWork, { id }: Hook): Promise<void> {
  await services.store.transaction(async (transaction) => {
    const row = await transaction.get("hooks", id);
    if (row === undefined) return;
    const { journal: _, ...hook } = row;
    await transaction.put("hooks", { ...hook, state: "active" });
    const before = (await transaction.get("registrations", registration.id))?.hook;
    const old = before === undefined || before === id ? undefined : await transaction.get("hooks", before);
    if (old !== undefined) await transaction.put("hooks", { ...old, state: "deleting" });
    await transaction.put("registrations", { ...registration, hook: id });
  });
}

/**
 * Runs `delete` for a hook that is marked so. That it isn't there any more is success, too (D32).
 *
 * @throws RunError of the surroundings: it has to be tried again
 */
export async function deleteHook(context: HookWork, hook: Hook): Promise<void> {
  const { services, intake } = context;
  const command = intake.commands["delete"];
  if (command === undefined)
    return await retire(services, hook, "The app has no `delete`, so the service may keep sending.");
  const installed = await ownedOf(context, hook);
  const stored = await storedValues(services.store, installed.owners);
  // Another hook may have saved its own id since.
  const saved =
    hook.data === undefined ? stored : savedInMemory({ ...stored.read(), ...objectOf(hook.data) });
  let orphan: string | undefined;
  try {
    await services.run(command, { ...optionsOf(context, installed, hook), saved });
  } catch (error) {
    if (!isGone(error)) {
      if (!isOwnFailure(error)) throw error;
      orphan = `\`delete\` failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  await retire(services, hook, orphan);
}

/**
 * Runs `update` for a hook, or goes on with one that failed on its way to the same settings: what was answered isn't asked again.
 *
 * @throws RunError of `update`
 */
export async function updateHook(
  context: HookWork,
  hook: Hook,
  { settings, installation: { revision } }: Installed,
  command: string,
): Promise<void> {
  const { services } = context;
  const { connection } = settings;
  const { connection: _, revision: __, updating, ...rest } = hook;
  const current: Hook = {
    ...rest,
    ...(connection === undefined ? {} : { connection }),
    ...(revision === undefined ? {} : { revision }),
  };
  const installed = await ownedOf(context, current);
  const saved = await storedValues(services.store, installed.owners);
  const target = digest(canonicalText(settings as unknown as Json));
  const keep = (journal: string): Promise<void> =>
    services.store.transaction((transaction) =>
      transaction.put("hooks", { ...hook, updating: { target, journal } }),
    );
  const begun = updating?.target === target ? updating.journal : undefined;
  const journal = await RequestJournal.open(begun, hookUpdateLabel(hook.id), services.vault, keep);
  await services.run(command, { ...optionsOf(context, installed, current), saved, journal });
  await services.store.transaction((transaction) => transaction.put("hooks", current));
}

export function isGone(error: unknown): boolean {
  return (
    error instanceof RunError && error.kind === "HttpError" && (error.status === 404 || error.status === 410)
  );
}

/** From now on its URL answers 410. */
export async function retire({ store, effects }: Services, { id }: Hook, orphan?: string): Promise<void> {
  const retired = await store.transaction(async (transaction) => {
    const row = await transaction.get("hooks", id);
    if (row === undefined) return undefined;
    const { journal: _, data: __, updating: ___, ...hook } = row;
    await transaction.put("hooks", {
      ...hook,
      state: "retired",
      ...(orphan === undefined ? {} : { orphan }),
    });
    return hook;
  });
  if (retired !== undefined && orphan !== undefined)
    effects.log.write({
      pointer: "",
      message: `A webhook of \`${retired.registration}\` may be left behind: ${orphan}`,
    });
}

/** What is saved in the scope of a registration: the ids by which its hooks are deleted. */
export async function scopeValues(transaction: Transaction, { scope, owner }: Registration): Promise<Json> {
  const row = await transaction.get("saved", idOf(scope, owner));
  return row === undefined ? {} : { [scope]: row.values };
}

/** Puts the values of a scope back to what they were. */
export async function restoreScope(
  transaction: Transaction,
  { scope, owner }: Registration,
  data: Json | undefined,
): Promise<void> {
  const values = ownMember(objectOf(data), scope);
  const id = idOf(scope, owner);
  if (isObject(values)) await transaction.put("saved", { id, scope, values });
  else await transaction.delete("saved", id);
}

function objectOf(data: Json | undefined): JsonObject {
  return isObject(data) ? data : {};
}

/** The installation in whose name a hook was made, with the connection that it had then, as far as its commands may see it. */
async function ownedOf({ services, registration: { scope } }: HookWork, hook: Hook): Promise<Owned> {
  const installed = await services.store.transaction(async (transaction) => {
    const now = await readOwned(services, transaction, hook.installation);
    const { connection: id } = hook;
    if (id === undefined || id === now.settings.connection) return now;
    return {
      ...now,
      connection: await transaction.get("connections", id),
      settings: { ...now.settings, connection: id },
      owners: { ...now.owners, connection: id },
    };
  });
  return await inScope(services, scope, installed);
}

function optionsOf({ services, work }: HookWork, installed: Owned, hook: Hook): RunOptions {
  const { context, ...options } = runOptionsOf(installed, savedInMemory(undefined), work);
  return { ...options, context: { ...context, webhook: { url: services.webhookUrl?.(hook.id) ?? "" } } };
}
