import { type Act, Tally, type Target } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const of = ["installation", "installations"] as const;
const targets = ["app", "customer", "installation", "fingerprint"] as const;
const held = "EXISTS (SELECT FROM configc.holds h WHERE h.app = i.by_app AND h.installation = i.id)";
const free = [
  { sql: "i.by_status NOT IN ('removed', 'setup')", values: [] },
  { sql: `NOT ${held}`, values: [] },
];

/** An app, a customer, or a customer's part of an app: what is made of it later is meant, too. */
function isWhole({ installation, fingerprint }: Target): boolean {
  return installation === undefined && fingerprint === undefined;
}

/** Nothing is begun until they are released; what runs ends before its next step. Webhooks are still taken. */
export const hold: Act = {
  name: "hold",
  of,
  targets,
  plan: ({ database }, target) => counted(installationsOf(database, target, ...free)),
  async perform({ database, runs }, target) {
    const tally = new Tally();
    // First, so that none is missed that is made meanwhile.
    if (isWhole(target))
      await database.query(
        "INSERT INTO configc.standing_holds (app, customer) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [target.app ?? null, target.customer ?? null],
      );
    for await (const { id, app } of installationsOf(database, target, ...free)) {
      await runs.hold(app, id);
      tally.add(id);
    }
    return tally.result(
      isWhole(target) ? "Installations that are made from now on are held, too." : undefined,
    );
  },
};

/** Those that were held go on. */
export const release: Act = {
  name: "release",
  of,
  targets: ["app", "customer", "installation"],
  plan: ({ database }, target) => counted(installationsOf(database, target, { sql: held, values: [] })),
  async perform({ database, runs }, target) {
    const tally = new Tally();
    if (isWhole(target))
      await database.query(
        "DELETE FROM configc.standing_holds WHERE ($1::text IS NULL OR app = $1) AND ($2::text IS NULL OR customer = $2)",
        [target.app ?? null, target.customer ?? null],
      );
    for await (const { id, app } of installationsOf(database, target, { sql: held, values: [] }))
      if (await runs.release(app, id)) tally.add(id);
    return tally.result();
  },
};
