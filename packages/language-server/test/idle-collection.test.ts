import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectWhenIdle } from "../src/idle-collection.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Forty megabytes that nobody holds, too young for the engine to look at by itself. */
const garbage = (): WeakRef<object> => new WeakRef(new Array(5_000_000).fill(0));

const isThere = (reference: WeakRef<object>): boolean => reference.deref() !== undefined;

/** What a weak reference was made of or asked for lives until the end of the turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what nobody holds is collected once the client pauses, and not while it speaks", async () => {
  const input = new PassThrough();
  collectWhenIdle(input);
  const left = garbage();
  input.write("a word");
  await turn();
  vi.advanceTimersByTime(900);
  input.write("another");
  await turn();
  vi.advanceTimersByTime(900);
  await turn();
  expect(isThere(left)).toBe(true);
  await turn();
  vi.advanceTimersByTime(200);
  await turn();
  expect(isThere(left)).toBe(false);
});
