import { type Act, Tally } from "./act.ts";
import { counted, installationsOf } from "./targets.ts";

const of = ["installation", "installations"] as const;
const targets = ["app", "customer", "installation", "fingerprint"] as const;
const held = "EXISTS (SELECT FROM configc.holds h WHERE h.app = i.by_app AND h.installation = i.id)";
const free = [
  { sql: "i.by_status NOT IN ('removed', 'setup')", values: [] },
  { sql: `NOT ${held}`, values: [] },
];

/** Nothing is begun until they are released; what runs ends before its next step. Webhooks are still taken. */
export const hold: Act = {
  name: "hold",
  of,
  targets,
  plan: ({ database }, target) => counted(installationsOf(database, target, ...free)),
  async perform({ database, runs }, target) {
    const tally = new Tally();
    for await (const { id, app } of installationsOf(database, target, ...free)) {
      await runs.hold(app, id);
      tally.add(id);
    }
    return tally.result("Installations that are made later aren't held.");
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
    for await (const { id, app } of installationsOf(database, target, { sql: held, values: [] }))
      if (await runs.release(app, id)) tally.add(id);
    return tally.result();
  },
};
