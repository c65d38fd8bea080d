import { tryNow } from "@configc/host";
import { type Act, Tally, type Target } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const active = { sql: "i.by_status = 'active'", values: [] };

/** Jobs that wait for their time are found anew at the next look, with the version of the app that is in use by then. */
const atOnce = `DELETE FROM configc.backlog WHERE starts IS NOT NULL AND share = $1
  AND ($2::text IS NULL OR key = $1 || '/' || $2)`;

/** Whether a cycle is due in any case: where somebody names whom he means, not where he means all of an app. */
function isNamed({ installation, customer, fingerprint }: Target): boolean {
  return installation !== undefined || customer !== undefined || fingerprint !== undefined;
}

/** What failed or waits for its time is due at the next look of a worker, also at services that are left alone. */
export const retry: Act = {
  name: "retry",
  of: ["installation", "installations"],
  targets: ["app", "customer", "installation", "fingerprint"],
  plan: ({ database }, target) =>
    counted(
      installationsOf(database, target, active),
      isNamed(target) ? undefined : "Those that have nothing to try stay as they are.",
    ),
  async perform({ database, store }, target) {
    const tally = new Tally();
    const apps = new Set<string>();
    for await (const { id, app } of installationsOf(database, target, active)) {
      if (!apps.has(app)) {
        apps.add(app);
        await database.query("DELETE FROM configc.circuits WHERE app = $1", [app]);
        if (!isNamed(target)) await database.query(atOnce, [app, null]);
      }
      if (isNamed(target)) await database.query(atOnce, [app, id]);
      if ((await tryNow(store, app, id, isNamed(target))) > 0) tally.add(id);
    }
    return tally.result("Workers find them at their next look.");
  },
};
