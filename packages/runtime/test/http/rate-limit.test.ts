import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { RateLimiter } from "../../src/http/rate-limit.ts";

/** A clock that moves when somebody sleeps, and can be set. */
function movingClock(start: number) {
  const clock = {
    time: start,
    slept: [] as number[],
    now: () => clock.time,
    async sleep(milliseconds: number) {
      clock.slept.push(milliseconds);
      clock.time += milliseconds;
    },
  };
  return clock;
}

const options = { signal: new AbortController().signal, longest: 1_000, onWait: () => undefined };
const quota = { requests: 2, period: 10 };

test.each([
  ["goes on", 3_000, [7_000]],
  ["was set back by an hour", -3_600_000, [10_000]],
  ["was set forward by an hour", 3_600_000, []],
])("the third of two requests waits for a period at most, when the clock %s", async (_name, jump, slept) => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  for (let request = 0; request < 2; request++) (await limiter.acquire("app", quota, options))();
  clock.time += jump;
  (await limiter.acquire("app", quota, options))();
  expect(clock.slept).toEqual(slept);
});

test.each([-3_600_000, 3_600_000])(
  "a time of day that is set by %i ms frees no place and holds none",
  async (jump) => {
    const clock = movingClock(1_700_000_000_000);
    let set = 0;
    const monotonic = () => clock.time - set;
    const limiter = new RateLimiter({ ...clock, now: () => clock.time, monotonic });
    for (let request = 0; request < 2; request++) (await limiter.acquire("app", quota, options))();
    clock.time += 3_000;
    clock.time += jump;
    set += jump;
    (await limiter.acquire("app", quota, options))();
    expect(clock.slept).toEqual([7_000]);
  },
);

test("who is patient for a period isn't put off for longer because the clock was set back", async () => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  for (let request = 0; request < 2; request++) (await limiter.acquire("app", quota, options))();
  clock.time -= 3_600_000;
  (await limiter.acquire("app", quota, { ...options, patience: 10_000 }))();
  expect(clock.slept).toEqual([10_000]);
});

test("where every place is taken by a request under way, the next waits for its end, and a period", async () => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  const one = { requests: 1, period: 10 };
  const end = await limiter.acquire("app", one, options);
  const next = limiter.acquire("app", one, options);
  const started = await Promise.race([next.then(() => true), setImmediate(false)]);
  expect([started, clock.slept]).toEqual([false, []]);
  end();
  (await next)();
  expect(clock.slept).toEqual([10_000]);
});

test("who gives up waiting for one that is under way leaves the place to others", async () => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  const one = { requests: 1, period: 10 };
  const end = await limiter.acquire("app", one, options);
  const stop = new AbortController();
  const given = limiter.acquire("app", one, { ...options, signal: stop.signal });
  await setImmediate();
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  const next = limiter.acquire("app", one, options);
  end();
  (await next)();
  expect(clock.slept).toEqual([10_000]);
});

test("a request that is said to be over twice gives back one place", async () => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  const first = await limiter.acquire("app", quota, options);
  await limiter.acquire("app", quota, options);
  first();
  first();
  await limiter.acquire("app", quota, options);
  expect(clock.slept).toEqual([10_000]);
  const fourth = limiter.acquire("app", quota, options);
  expect(await Promise.race([fourth.then(() => true), setImmediate(false)])).toBe(false);
});
