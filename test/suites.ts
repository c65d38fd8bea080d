/** Tests that `npm test` leaves out, so that it stays under three minutes; each list is a suite of its own in CI. */

/** What takes several processes, and a Postgres that comes and goes: `npm run fleet`. */
export const fleetTests: readonly string[] = [
  "packages/engine-dbos/test/{limits,auth}/*.test.ts",
  "packages/engine-dbos/test/{worker,engine/journal,command/command}.test.ts",
  "packages/engine-dbos/test/store/{leases,transactions}.test.ts",
  "test/flows/fleet.test.ts",
  "test/postgres.test.ts",
];

/** What looks at a great many documents, or clicks through pages: `npm run test:long`. */
export const longTests: readonly string[] = [
  "test/properties/{extremes,fixes,fingerprints}.test.ts",
  "test/{crash,package,playground}/*.test.ts",
];
