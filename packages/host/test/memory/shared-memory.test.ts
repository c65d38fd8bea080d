import { MemoryFailure } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { SharedMemory } from "../../src/memory/index.ts";

const memory = (patience = 50): SharedMemory => new SharedMemory({ total: 1_024, patience });

/** What became of it, without waiting. */
async function stateOf(promise: Promise<void> | undefined): Promise<string> {
  if (promise === undefined) return "at once";
  const state = promise.then(
    () => "granted",
    (error: MemoryFailure) => error.kind ?? String(error),
  );
  return await Promise.race([state, new Promise<string>((resolve) => setImmediate(() => resolve("waits")))]);
}

test("room is there at once, and given back by closing", async () => {
  const shared = memory();
  const room = shared.open("a");
  expect(room.take(300)).toBeUndefined();
  const part = room.part();
  part.take(100);
  expect([shared.held, shared.owners]).toEqual([400, 1]);
  part.close();
  part.close();
  expect(shared.held).toBe(300);
  room.close();
  expect([shared.held, shared.owners]).toEqual([0, 0]);
  expect(() => room.take(1)).toThrow(MemoryFailure);
});

test("who asks for more than one may ever have is told so at once", () => {
  const shared = memory();
  const room = shared.open("a");
  room.take(400);
  expect(() => room.take(100)).toThrow(expect.objectContaining({ kind: "too-large" }));
  room.close();
  expect(shared.held).toBe(0);
});

test("who asks while there is none waits, for a while", async () => {
  const shared = memory(20);
  const [a, b, c] = ["a", "b", "c"].map((name) => shared.open(name));
  a?.take(448);
  b?.take(448);
  await expect(c?.take(100)).rejects.toMatchObject({ kind: "no-room" });
  const waiting = c?.take(100);
  expect(await stateOf(waiting)).toBe("waits");
  a?.close();
  expect(await stateOf(waiting)).toBe("granted");
  for (const room of [b, c]) room?.close();
  expect([shared.held, shared.owners]).toEqual([0, 0]);
});

test("a small request doesn't wait behind large ones", async () => {
  const shared = memory();
  const rooms = ["a", "b"].map((name) => shared.open(name));
  for (const room of rooms) room.take(448);
  const large = shared.open("c").take(100);
  expect(await stateOf(large)).toBe("waits");
  for (let small = 0; small < 16; small++) expect(shared.open(`small ${small}`).take(8)).toBeUndefined();
  expect(await stateOf(shared.open("one too many").take(8))).toBe("waits");
  await expect(large).rejects.toMatchObject({ kind: "no-room" });
});

test("who has more than an equal part comes after those who have less", async () => {
  const shared = memory(1_000);
  for (const name of ["greedy", "other"]) shared.open(name).take(300);
  const filler = shared.open("filler");
  filler.take(200);
  const more = shared.open("greedy").take(120);
  const [first, second] = ["first", "second"].map((name) => shared.open(name).take(250));
  expect([await stateOf(more), await stateOf(first), await stateOf(second)]).toEqual(Array(3).fill("waits"));
  filler.close();
  // What is left is kept for the second.
  expect([await stateOf(more), await stateOf(first), await stateOf(second)]).toEqual([
    "waits",
    "granted",
    "waits",
  ]);
});

test("large ones aren't overtaken by those that come later, so they get their turn", async () => {
  const shared = memory(1_000);
  const [a, b] = ["a", "b"].map((name) => shared.open(name));
  a?.take(448);
  b?.take(300);
  const large = shared.open("large").take(440);
  const later = shared.open("later").take(100);
  expect([await stateOf(large), await stateOf(later)]).toEqual(["waits", "waits"]);
  a?.close();
  expect([await stateOf(large), await stateOf(later)]).toEqual(["granted", "granted"]);
});

describe("nothing is left held", () => {
  test("by who was cancelled or closed while it waited", async () => {
    const shared = memory(1_000);
    const rooms = ["a", "b"].map((name) => shared.open(name));
    for (const room of rooms) room.take(448);
    const cancelled = new AbortController();
    const room = shared.open("c");
    const waiting = room.take(100, cancelled.signal);
    cancelled.abort(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    await expect(room.take(100, cancelled.signal)).rejects.toThrow("over");
    const closed = room.take(100);
    room.close();
    await expect(closed).rejects.toMatchObject({ kind: "no-room" });
    for (const each of rooms) each.close();
    expect([shared.held, shared.owners]).toEqual([0, 0]);
  });

  test("after thousands of mixed outcomes", async () => {
    const shared = new SharedMemory({ total: 10_000, patience: 5 });
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const seen = new Map<string, number>();
    const work = async (): Promise<void> => {
      const room = shared.open(`owner ${random(9)}`);
      const controller = new AbortController();
      let end = "done";
      try {
        for (let step = random(4); step >= 0; step--) {
          const taken = (random(3) === 0 ? room.part() : room).take(random(2_500), controller.signal);
          if (random(6) === 0) controller.abort(new Error("aborted"));
          if (random(9) === 0) room.close();
          await taken;
          expect(shared.held).toBeLessThanOrEqual(shared.total);
          if (random(3) === 0) await new Promise((resolve) => setTimeout(resolve, random(4)));
        }
      } catch (error) {
        end = error instanceof MemoryFailure ? error.kind : (error as Error).message;
      } finally {
        room.close();
      }
      seen.set(end, (seen.get(end) ?? 0) + 1);
    };
    for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 100 }, work));
    expect([...seen.keys()].sort()).toEqual(["aborted", "done", "no-room", "too-large"]);
    expect([shared.held, shared.owners]).toEqual([0, 0]);
  });
});
