import { expect, test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import { bundleHost } from "./day.ts";
import { faults } from "./faults/index.ts";
import { playOn } from "./play-on.ts";

/** The rest is played by `npm run gameday`. */
test.skipIf(noPostgres !== undefined)(
  "a fault of the game day is told, named and mended, with nothing lost or doubled",
  async () => {
    bundleHost();
    const fault = faults.find(({ name }) => name === "customer-revoked");
    expect(fault).toBeDefined();
    if (fault !== undefined) await playOn(fault);
  },
  300_000,
);
