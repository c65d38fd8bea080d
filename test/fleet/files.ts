/** Tests of what takes several processes and a Postgres that comes and goes: `npm run fleet`, a suite of its own in CI. */
export const fleetTests: readonly string[] = [
  "packages/engine-dbos/test/{limits,auth}/*.test.ts",
  "packages/engine-dbos/test/{worker,engine/journal,command/command}.test.ts",
  "packages/engine-dbos/test/store/{leases,transactions}.test.ts",
  "test/flows/fleet.test.ts",
  "test/postgres.test.ts",
];
