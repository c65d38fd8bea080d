import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noPostgres } from "../../../test/support/postgres.ts";
import { Database } from "../src/postgres/database.ts";
import { Slot } from "../src/worker/slots.ts";
import { fleetDatabase } from "./support/database.ts";

describe.skipIf(noPostgres !== undefined)("the slots of a fleet", () => {
  test("a process that has just begun takes over too", async () => {
    const database = new Database({ url: await fleetDatabase(), connections: 2 });
    onTestFinished(() => database.close());
    await database.query(
      "INSERT INTO configc.workers (slot, process, seen, since, about) VALUES ('dead', gen_random_uuid(), now() - interval '1 hour', now(), '')",
    );
    const begun = performance.now();
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() - begun);
    onTestFinished(() => clock.mockRestore());
    const taken: string[] = [];
    const slot = new Slot({
      key: "key",
      database,
      slot: "young",
      silence: 600,
      takeOver: async (dead) => taken.push(dead),
      tookOver: () => undefined,
      replaced: () => undefined,
      now: Date.now,
      apart: () => undefined,
    });
    onTestFinished(() => slot.close());
    await slot.open();
    await expect.poll(() => taken).toEqual(["dead"]);
  });

  test.each([
    ["right", 0, undefined],
    ["ten minutes ahead", 600_000, 600_000],
    ["a minute behind", -60_000, -60_000],
  ])("a worker whose clock is %s", async (_name, wrong, told) => {
    const database = new Database({ url: await fleetDatabase(), connections: 2 });
    onTestFinished(() => database.close());
    const apart: number[] = [];
    let signs = 0;
    const slot = new Slot({
      key: "key",
      database,
      slot: "one",
      silence: 300,
      takeOver: async () => 0,
      tookOver: () => undefined,
      replaced: () => undefined,
      now: () => {
        signs++;
        return Date.now() + wrong;
      },
      apart: (milliseconds) => apart.push(milliseconds),
    });
    onTestFinished(() => slot.close());
    await slot.open();
    await expect.poll(() => signs).toBeGreaterThan(4);
    await slot.close();
    if (told === undefined) expect(apart).toEqual([]);
    else expect(Math.abs((apart[0] ?? 0) - told)).toBeLessThan(20_000);
  });
});
