import type { Installation, InstallationStatus } from "@configc/runtime";
import { type Act, Tally } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const of = ["installation", "installations"] as const;
const targets = ["app", "customer", "installation", "fingerprint"] as const;

/** Workers do it within a minute: services are told, for webhooks. */
const NOTE = "Workers do it within a minute or two.";

/** An act that has workers bring installations from one status to another, as their customers could. */
function change(name: string, from: readonly InstallationStatus[], to: InstallationStatus): Act {
  const found = { sql: `i.by_status IN (${from.map((status) => `'${status}'`).join(", ")})`, values: [] };
  return {
    name,
    of,
    targets,
    plan: ({ database }, target) => counted(installationsOf(database, target, found)),
    async perform({ database, store, now }, target) {
      const tally = new Tally();
      for await (const { id } of installationsOf(database, target, found)) {
        const done = await store.exclusive(`installation ${id}`, () =>
          store.transaction(async (transaction) => {
            const row = await transaction.get("installations", id);
            if (row === undefined || !from.includes(row.status) || row.settings === undefined) return false;
            const { failure: _, ...rest }: Installation = row;
            await transaction.put("installations", { ...rest, status: to, changedAt: now() });
            return true;
          }),
        );
        if (done) tally.add(id);
      }
      return tally.result(NOTE);
    },
  };
}

/** Stops installations as their customers could: webhooks are deleted at the services, what waits for delivery waits on. */
export const pause = change("pause", ["active", "updating", "activating"], "deactivating");

/** Puts installations to work that were paused: webhooks are registered anew. */
export const activate = change("activate", ["paused"], "activating");
