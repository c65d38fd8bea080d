import { expect, test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import { chaos } from "./chaos.ts";

/** `npm run chaos` does it for minutes with 200 installations; this is the same with few. */
test.skipIf(noPostgres !== undefined)(
  "workers that are killed and a Postgres that is restarted lose nothing and double nothing",
  async () => {
    const report = await chaos({ workers: 3, installations: 12, seconds: 8, every: 2.5, seed: 11 });
    expect(report.problems).toEqual([]);
    expect(report.kills + report.restarts).toBeGreaterThan(1);
    expect(report.items).toBeGreaterThanOrEqual(36);
  },
  150_000,
);
