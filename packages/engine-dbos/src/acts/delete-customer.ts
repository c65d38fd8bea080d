import type { Installation } from "@configc/runtime";
import { type Act, Tally } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const there = { sql: "i.by_status NOT IN ('removing', 'removed')", values: [] };

/** What is deleted by the customer that the row belongs to, when the services know nothing of him any more. */
const tables = [
  "deliveries",
  "polling",
  "saved",
  "members",
  "hooks",
  "registrations",
  "connections",
  "installations",
];

/**
 * Deletes a customer in two parts, for services have to be told that they needn't call any more: installations are removed by workers, within a minute or
 * two; once that is done, the same act again deletes all that is left. A request of its own for each.
 */
export const deleteCustomer: Act = {
  name: "delete-customer",
  of: ["installation", "installations"],
  targets: ["customer"],
  plan: ({ database }, target) =>
    counted(installationsOf(database, target), "All of the customer's rows go with them."),
  async perform({ database, store, runs, now }, target) {
    const { customer = "" } = target;
    const tally = new Tally();
    for await (const { id, app } of installationsOf(database, target, there)) {
      await runs.release(app, id);
      await store.exclusive(`installation ${id}`, () =>
        store.transaction(async (transaction) => {
          const row = await transaction.get("installations", id);
          if (row === undefined || row.status === "removed") return;
          const removing: Installation = { ...row, status: "removing", changedAt: now() };
          await transaction.put("installations", removing);
        }),
      );
      tally.add(id);
    }
    const left = await database.query(
      "SELECT 1 FROM configc.installations WHERE tenant = $1 AND by_status <> 'removed' LIMIT 1",
      [customer],
    );
    if (left.length > 0)
      return tally.result("Workers remove them now, at the services too. Then delete the customer again.");
    for (const table of ["stories", "saved_runs"])
      await database.query(
        `DELETE FROM configc.${table} WHERE installation IN (SELECT id FROM configc.installations WHERE tenant = $1)`,
        [customer],
      );
    const counts: string[] = [];
    for (const table of tables) {
      const gone = await database.query(`DELETE FROM configc.${table} WHERE tenant = $1 RETURNING id`, [
        customer,
      ]);
      if (gone.length > 0) counts.push(`${gone.length} of ${table}`);
      if (table === "installations") for (const { id } of gone) tally.add(String(id));
    }
    return tally.result(
      counts.length === 0 ? "Nothing of the customer is left." : `Rows that are gone: ${counts.join(", ")}.`,
    );
  },
};
