import { RunError } from "@configc/runtime";
import { DBOS, StatusString } from "@dbos-inc/dbos-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import type { DbosEngine } from "../../src/engine/dbos-engine.ts";
import { fleetDatabase } from "../support/database.ts";
import { dbosEngine } from "../support/engine.ts";
import { gate, job, queue } from "./contract.ts";

/** An engine that is closed in the middle of a job, and the next one on the same database. */
async function twice(
  work: (engine: DbosEngine, life: number) => Promise<null>,
  until: Promise<void>,
  slots: readonly [string, string] = ["one", "one"],
): Promise<DbosEngine> {
  const url = await fleetDatabase();
  const serve = async (life: number): Promise<DbosEngine> => {
    const engine = dbosEngine(url, { slot: slots[life - 1] ?? "" });
    await engine.serve([
      queue(async (_input, { stop }) => {
        const stopped = new Promise<never>((_, reject) =>
          stop.addEventListener("abort", () => reject(new RunError("Cancelled", "It was ended.", undefined))),
        );
        return await Promise.race([work(engine, life), stopped]);
      }),
    ]);
    return engine;
  };
  const first = await serve(1);
  await first.enqueue(job("a"));
  await until;
  await first.close(0);
  const second = await serve(2);
  onTestFinished(() => second.close(0));
  await second.idle();
  return second;
}

describe.skipIf(noPostgres !== undefined)("a run that is taken up by the next process", () => {
  test.each([
    ["of the same slot", ["one", "one"]],
    ["of another slot", ["one", "two"]],
  ] as const)("%s: recorded steps aren't done again, what wasn't recorded is", async (_name, slots) => {
    const log: string[] = [];
    const reached = gate();
    await twice(
      async (engine, life) => {
        const first = await engine.step("first", async () => {
          log.push(`first in ${life}`);
          return life;
        });
        const failed = await engine
          .step("failing", async () => {
            log.push(`failing in ${life}`);
            throw new RunError("HttpError", "No.", undefined, { status: 503 });
          })
          .catch((error: RunError) => `${error.kind} ${error.status}`);
        const second = await engine.step("second", async () => {
          log.push(`second in ${life}`);
          reached.open();
          if (life === 1) await new Promise(() => undefined);
          return life;
        });
        log.push(`${first} ${failed} ${second}`);
        return null;
      },
      reached.passed,
      slots,
    );
    expect(log).toEqual(["first in 1", "failing in 1", "second in 1", "second in 2", "1 HttpError 503 2"]);
  });

  test("one that sleeps is begun anew when its time has come, not before", async () => {
    const reached = gate();
    const asleep = reached.passed.then(() =>
      expect.poll(() => DBOS.listWorkflows({ status: StatusString.SUCCESS })).toHaveLength(1),
    );
    const begun = Date.now();
    const lives: number[] = [];
    await twice(async (engine, life) => {
      lives.push(life);
      if (life === 2) return null;
      reached.open();
      await engine.sleep(2_000);
      return null;
    }, asleep);
    expect(lives).toEqual([1, 2]);
    expect(Date.now() - begun).toBeGreaterThan(2_000);
  });
});
