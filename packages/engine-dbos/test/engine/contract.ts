import type { Control, Engine, Job, Json, Queue } from "@configc/runtime";
import { RunError } from "@configc/runtime";
import { describe, expect, onTestFinished, test } from "vitest";

/** A gate that is closed until it is opened. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

export const job = (key: string, input: Json = null, id = `${key} ${JSON.stringify(input)}`): Job => ({
  queue: "work",
  key,
  input,
  id,
});

export const queue = (work: Queue["work"], parallel = 4): Queue => ({ name: "work", parallel, work });

/** What every engine does; run by each of them. */
export function engineContract(name: string, open: () => Promise<Engine>): void {
  const serving = async (work: Queue["work"], parallel?: number): Promise<Engine> => {
    const engine = await open();
    onTestFinished(() => engine.close(0));
    await engine.serve([queue(work, parallel)]);
    return engine;
  };

  describe(`engine: ${name}`, () => {
    test("jobs of a key are done one after the other in their order, those of others beside them", async () => {
      const log: string[] = [];
      const first = gate();
      const engine = await serving(async (input) => {
        log.push(`begin ${input}`);
        if (input === "a1") await first.passed;
        log.push(`end ${input}`);
        return null;
      });
      for (const input of ["a1", "a2", "b1"]) await engine.enqueue(job(input.slice(0, 1), input));
      await expect.poll(() => log, { timeout: 20_000 }).toContain("end b1");
      expect(log).not.toContain("begin a2");
      first.open();
      await engine.idle();
      expect(log.filter((line) => line.includes(" a"))).toEqual(["begin a1", "end a1", "begin a2", "end a2"]);
    });

    test("no more jobs at once than the queue says, and all of them in the end", async () => {
      let working = 0;
      let most = 0;
      let done = 0;
      const both = gate();
      const engine = await serving(async () => {
        most = Math.max(most, ++working);
        if (working === 2) both.open();
        await both.passed;
        await new Promise((resolve) => setTimeout(resolve, 20));
        working--;
        done++;
        return null;
      }, 2);
      for (let key = 0; key < 7; key++) await engine.enqueue(job(`${key}`));
      await engine.idle();
      expect([most, done]).toEqual([2, 7]);
    });

    test("a job that waits under an id is the same job; one that is being done isn't", async () => {
      const begun: Json[] = [];
      const first = gate();
      const engine = await serving(async (input) => {
        begun.push(input);
        await first.passed;
        return null;
      });
      await engine.enqueue(job("a", 1, "same"));
      await expect.poll(() => begun, { timeout: 20_000 }).toEqual([1]);
      for (const input of [2, 3, 4]) await engine.enqueue(job("a", input, "same"));
      first.open();
      await engine.idle();
      expect(begun).toEqual([1, 2]);
    });

    test("a job that fails doesn't keep others from being done", async () => {
      const done: Json[] = [];
      const engine = await serving(async (input) => {
        if (input === "bad") throw new RunError("NetworkError", "There is no way.", undefined);
        done.push(input);
        return null;
      });
      for (const input of ["bad", "good"]) await engine.enqueue(job("a", input));
      await engine.idle();
      expect(done).toEqual(["good"]);
    });

    test("a step gives what its work gives, and fails as it does", async () => {
      const seen: unknown[] = [];
      const engine = await serving(async () => {
        seen.push(await engine.step("one", async () => ({ n: 1 })));
        seen.push(await engine.step("nothing", async () => undefined));
        const place = { pointer: "/a", span: { start: 1, end: 2 } };
        const failing = engine.step("two", async () => {
          throw new RunError("HttpError", "No.", place, { status: 500 });
        });
        seen.push(
          await failing.catch(({ kind, message, pointer, status }: RunError) => ({
            kind,
            message,
            pointer,
            status,
          })),
        );
        return null;
      });
      await engine.enqueue(job("a"));
      await engine.idle();
      const failure = { kind: "HttpError", message: "No.", pointer: "/a", status: 500 };
      expect(seen).toEqual([{ n: 1 }, undefined, failure]);
      expect(await engine.step("outside of a job", async () => 5)).toBe(5);
    });

    test("a job that sleeps gives its place to others, and is begun anew then", async () => {
      const log: string[] = [];
      let slept = 0;
      const engine = await serving(async (input) => {
        log.push(`${input}`);
        if (input === "a" && slept === 0) {
          slept = performance.now();
          await engine.sleep(1_500);
          log.push("never");
        }
        if (input === "a") slept = performance.now() - slept;
        return null;
      }, 1);
      await engine.enqueue(job("a", "a"));
      await expect.poll(() => log, { timeout: 20_000 }).toEqual(["a"]);
      await engine.enqueue(job("b", "b"));
      await expect.poll(() => log, { timeout: 20_000 }).toEqual(["a", "b", "a"]);
      expect(slept).toBeGreaterThanOrEqual(1_400);
      await engine.idle();
    });

    test("outside of a job it just waits", async () => {
      const engine = await serving(async () => null);
      const before = performance.now();
      await engine.sleep(30);
      expect(performance.now() - before).toBeGreaterThanOrEqual(25);
      await expect(engine.sleep(60_000, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    });

    test("what is scheduled is done again and again", async () => {
      const engine = await serving(async () => null);
      let times = 0;
      const work = async (): Promise<void> => void times++;
      await engine.schedule({ name: "tick", seconds: 1, work });
      await expect.poll(() => times, { timeout: 20_000 }).toBeGreaterThan(1);
    });

    test("closing lets work come to the end of an item, and then ends it", async () => {
      const begun = gate();
      const said: string[] = [];
      const work = async (_: Json, { stop, signal }: Control): Promise<Json> => {
        begun.open();
        await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve()));
        said.push("stop");
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        said.push("abort");
        throw new RunError("Cancelled", "The run was cancelled.", undefined);
      };
      const engine = await serving(work);
      await engine.enqueue(job("a"));
      await begun.passed;
      await engine.close(30);
      expect(said).toEqual(["stop", "abort"]);
    });
  });
}
