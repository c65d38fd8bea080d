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

test("who is patient for a period isn't put off for longer because the clock was set back", async () => {
  const clock = movingClock(1_700_000_000_000);
  const limiter = new RateLimiter(clock);
  for (let request = 0; request < 2; request++) (await limiter.acquire("app", quota, options))();
  clock.time -= 3_600_000;
  (await limiter.acquire("app", quota, { ...options, patience: 10_000 }))();
  expect(clock.slept).toEqual([10_000]);
});
