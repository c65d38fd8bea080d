import type { PollingRecord } from "@configc/runtime";
import { expect, test } from "vitest";
import { backOff, dueAt, type Polled } from "../../src/scheduler/due.ts";

const record: PollingRecord = {
  id: "i/n",
  installation: "i",
  intake: "n",
  ready: true,
  state: {},
  cycle: 1,
  phase: "idle",
  requests: 1,
  results: 1,
  recent: [],
  allRequests: 1,
  done: false,
  startedAt: 1_000,
  failures: 0,
};
const failure = { kind: "NetworkError", message: "", pointer: "", at: 5_000 } as const;
const base: Polled = {
  installation: {},
  connection: {},
  record,
  period: 1_800_000,
  once: false,
  now: 2_000_000,
};
const single = { customData: {}, importOption: "single" } as const;

test.each<[string, Partial<Polled>, number | undefined]>([
  ["a period after the last cycle began", {}, 1_801_000],
  ["never polled: at once", { record: undefined }, 0],
  ["interrupted: at once", { record: { ...record, phase: "polling" } }, 0],
  [
    "a single import that isn't complete: at once",
    { installation: { ...base.installation, settings: single } },
    0,
  ],
  ["a history that isn't complete: at once", { once: true }, 0],
  ["complete: never", { record: { ...record, done: true } }, undefined],
  ["a broken connection: never", { connection: { ...base.connection!, broken: "refused" } }, undefined],
  [
    "interrupted by a failure: after a while",
    { record: { ...record, phase: "polling", failures: 2, failure } },
    65_000,
  ],
  [
    "put off by a rate limit: not before that lets it pass",
    { record: { ...record, phase: "polling", waitUntil: 70_000 } },
    70_000,
  ],
  [
    "put off, and failed before: the later of the two",
    { record: { ...record, phase: "polling", failures: 2, failure, waitUntil: 70_000 } },
    70_000,
  ],
  ["a failure doesn't make it earlier", { record: { ...record, failures: 1, failure } }, 1_801_000],
  ["begun a little later than now, by another machine's clock", { now: -30_000 }, 1_801_000],
  ["begun in the future: the clock was wrong, and it is due", { now: -90_000 }, 1_800_000],
  [
    "failed in the future: the clock was wrong",
    { record: { ...record, phase: "polling", failures: 1, failure }, now: -90_000 },
    30_000,
  ],
])("%s", (_name, parts, at) => {
  expect(dueAt({ ...base, ...parts })).toBe(at);
});

test("each failure doubles the wait, up to a quarter of an hour", () => {
  expect([0, 1, 2, 3, 30, 2_000].map(backOff)).toEqual([0, 30_000, 60_000, 120_000, 900_000, 900_000]);
});
