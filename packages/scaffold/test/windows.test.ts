import { evaluate, type Json } from "@configc/jq";
import { describe, expect, test } from "vitest";
import type { TimeFormat } from "../src/guess/time-words.ts";
import { timePrograms } from "../src/write/time-format.ts";
import { windowPrograms } from "../src/write/window.ts";

/* Windows of proposed intakes, run one after the other: what lies in the time that they have to read is in one of them. */

const HOUR = 3_600;
const DAY = 86_400;
const SETUP = Date.UTC(2026, 0, 5, 12, 7) / 1_000;

type State = Readonly<Record<string, Json>>;

function run(program: string, state: State, now: number): Json {
  const text = program.replace(/\$\{polling_state\.(\w+)\}/g, (_, name: string) =>
    JSON.stringify(state[name] ?? null),
  );
  return evaluate(text, { body: [{}] }, { clock: () => now })[0]!;
}

const cases: readonly {
  readonly format: TimeFormat;
  readonly to: string | undefined;
  readonly span: number;
  /** Seconds at which a cycle runs, from the setup on. */
  readonly cycles: readonly number[];
}[] = [
  { format: "date-time", to: "to", span: 28 * DAY, cycles: [0, 1_800, 3_600, 400 * DAY, 400 * DAY + 1_800] },
  { format: "seconds", to: "to", span: DAY, cycles: [0, 1_800, 40 * DAY] },
  { format: "milliseconds", to: "to", span: 7 * DAY, cycles: [0, 90 * DAY] },
  { format: "date", to: "to", span: 31 * DAY, cycles: [0, 12 * HOUR, 200 * DAY] },
  { format: "date", to: "to", span: DAY, cycles: [0, 12 * HOUR, 13 * HOUR, 20 * DAY] },
  {
    format: "date",
    to: undefined,
    span: DAY,
    cycles: [0, 1_800, 12 * HOUR, 13 * HOUR, 30 * DAY, 30 * DAY + 1_800],
  },
];

describe.each(cases)("$format, windows of $span s, to: $to", ({ format, to, span, cycles }) => {
  const window = { to, span, isSpanTold: true, back: undefined };
  const { setup, before, request } = windowPrograms(".body", undefined, format, window);
  const seconds = (value: Json): number => Number(evaluate(timePrograms(format).read, value)[0]);
  const asked: { from: number; to: number; at: number }[] = [];
  let { polling_state: state } = run(setup, {}, SETUP) as { polling_state: State };
  for (const at of cycles) {
    for (let requests = 0, more = true; more; requests++) {
      const now = SETUP + at + requests;
      expect(requests).toBeLessThan(100);
      if (requests === 0 && before !== undefined)
        state = (run(before, state, now) as { polling_state: State }).polling_state;
      const from = seconds(state["since"]!);
      asked.push({ from, to: to === undefined ? from + DAY : seconds(state["until"]!), at: now });
      const given = run(request, state, now) as { iterate: boolean; polling_state: State };
      more = given.iterate;
      state = given.polling_state;
    }
  }

  test("none is longer than it may be, and none begins after it ends", () => {
    for (const { from, to: end } of asked) {
      expect(end - from).toBeGreaterThan(0);
      expect(end - from).toBeLessThanOrEqual(span);
    }
  });

  test("each begins where the last one ended, or before", () => {
    for (const [index, { from }] of asked.entries())
      if (index > 0) expect(from).toBeLessThanOrEqual(asked[index - 1]!.to);
  });

  test("what came up to the last cycle but one is read after it came, however long the app was off", () => {
    const known = SETUP + cycles.at(-2)!;
    for (let time = SETUP; time <= known; time += HOUR)
      expect(asked.some(({ from, to: end, at }) => from <= time && time < end && at >= time)).toBe(true);
  });
});
