import { type Delivery, RunError } from "@configc/runtime";
import { failedRows, failingOf, installationsIn } from "../answers/lists.ts";
import { fingerprintOf } from "../answers/trouble.ts";
import type { Host } from "../hosting-types.ts";
import { disconnect, refreshToken } from "./connections.ts";
import { itemActs } from "./items.ts";

/** Whom an act is about: everything that has all that is given. */
export interface HostTarget {
  readonly app?: string;
  readonly customer?: string;
  readonly installation?: string;
  /** What failed in this way at this place. */
  readonly fingerprint?: string;
  readonly item?: string;
}

/** What an act is to do, to what, and why. */
export interface HostAct {
  readonly target: HostTarget;
  /** Says what it would change, and changes nothing. */
  readonly dryRun?: boolean;
  /** For who meets what it left. */
  readonly why?: string;
}

/** What an act changed, or would change. */
export interface HostActed {
  readonly act: HostActName;
  readonly affected: number;
  /** All of them: ids of installations, connections or items. */
  readonly ids: readonly string[];
  readonly dryRun?: true;
}

/** The acts that mean something on one host; the others are those of a fleet. */
export const hostActs = [
  "retry",
  "retry-items",
  "skip-items",
  "purge-items",
  "pause",
  "activate",
  "refresh",
  "disconnect",
] as const;
/** The name of an act that a host of one process can do. */
export type HostActName = (typeof hostActs)[number];

/**
 * Does for an embedded host what `configc-host` does for a fleet (E206): what has been done already is left alone, so it may be done again. Nothing is
 * recorded but what it changes.
 *
 * @throws RunError `DataError` if the target names nothing, or an item for an act on something else
 */
export async function operate(
  host: Host,
  act: HostActName,
  { target, dryRun = false, why = "" }: HostAct,
): Promise<HostActed> {
  if (Object.values(target).every((value) => value === undefined))
    throw new RunError("DataError", `Say whom “${act}” is about: app, customer, installation …`, undefined);
  if (target.item !== undefined && !(act in itemActs))
    throw new RunError("DataError", `“${act}” isn't about items.`, undefined);
  const ids: string[] = [];
  const each = async (id: string, change: () => Promise<boolean>): Promise<void> => {
    if (dryRun || (await change())) ids.push(id);
  };
  switch (act) {
    case "retry-items":
    case "skip-items":
    case "purge-items":
      for (const item of await itemsOf(host, target)) await each(item.id, () => changeItem(host, act, item));
      break;
    case "refresh":
    case "disconnect":
      for (const id of await connectionsOf(host, target))
        await each(id, () =>
          act === "refresh" ? refreshToken(host.store, host.vault, id) : disconnect(host.store, id, why),
        );
      break;
    default:
      for (const { id, app, status } of await installationsOf(host, target)) {
        const runtime = host.runtime(app);
        if (runtime === undefined || status !== (act === "activate" ? "paused" : "active")) continue;
        await each(id, async () => {
          if (act === "retry") return (await host.retry(app, id)) > 0;
          await (act === "pause" ? runtime.pause(id) : runtime.activate(id));
          return true;
        });
      }
  }
  return { act, affected: ids.length, ids, ...(dryRun ? { dryRun: true as const } : {}) };
}

async function installationsOf(host: Host, { fingerprint, ...whose }: HostTarget) {
  const found = await installationsIn(host.store, whose);
  if (fingerprint === undefined) return found;
  const failing = await failingOf(host.store, whose);
  const wanted = new Set(failing.flatMap((one) => (one.fingerprint === fingerprint ? one.installation : [])));
  return found.filter(({ id }) => wanted.has(id));
}

async function itemsOf(host: Host, target: HostTarget): Promise<readonly Delivery[]> {
  const { item, fingerprint, ...whose } = target;
  const installations = await installationsIn(host.store, whose);
  const one = item === undefined ? undefined : await host.store.transaction((t) => t.get("deliveries", item));
  const rows =
    item === undefined ? await failedRows(host.store, installations) : one === undefined ? [] : [one];
  return rows.filter(
    ({ status, installation, failure }) =>
      (status === "failed" || status === "waiting") &&
      (installation === undefined || installations.some(({ id }) => id === installation)) &&
      (fingerprint === undefined || (failure !== undefined && fingerprintOf(failure) === fingerprint)),
  );
}

async function changeItem(
  { store, effects, deliver }: Host,
  act: keyof typeof itemActs,
  { id, app, status, installation }: Delivery,
): Promise<boolean> {
  const work = (): Promise<boolean> =>
    store.transaction(async (transaction) => {
      const item = await transaction.get("deliveries", id);
      if (item === undefined || (item.status !== "failed" && item.status !== "waiting")) return false;
      return await itemActs[act](transaction, item, effects.clock.now());
    });
  // A line that works with an item has it in its memory: it comes to its end first.
  const changed =
    status === "waiting" && installation !== undefined
      ? await store.exclusive(`deliveries ${installation}`, work)
      : await work();
  if (changed && act === "retry-items" && installation !== undefined) deliver(app, installation);
  return changed;
}

async function connectionsOf(host: Host, target: HostTarget): Promise<readonly string[]> {
  const rows = await installationsOf(host, target);
  return [...new Set(rows.flatMap(({ settings, connection }) => settings?.connection ?? connection ?? []))];
}
