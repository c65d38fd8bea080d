import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { ExactNumber, portableClock } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { startDeadline } from "../src/deadline.ts";
import { jsonText, parseJson } from "../src/json.ts";
import { textOf } from "../src/template.ts";

describe("the time of a run", () => {
  test("ends it with the limit, and not before", async () => {
    const begun = performance.now();
    const { signal, end, wait: waits } = startDeadline(40, undefined);
    waits();
    expect(signal.aborted).toBe(false);
    await once(signal, "abort");
    // Timers of Node may be early by less than a millisecond.
    expect(performance.now() - begun).toBeGreaterThan(39);
    expect(signal.reason).toMatchObject({ kind: "LimitError", message: expect.stringContaining("0.04 s") });
    end();
    // The next one has a time of its own.
    const next = startDeadline(40, undefined);
    expect(next.signal.aborted).toBe(false);
    next.end();
  });

  test("of one that ended doesn't end others, whether they began with it or later", async () => {
    const first = startDeadline(600_000, undefined);
    const second = startDeadline(600_000, undefined);
    expect(second.signal).toBe(first.signal);
    first.wait();
    second.wait();
    first.end();
    await wait(10);
    expect(second.signal.aborted).toBe(false);
    second.end();
    const other = startDeadline(700_000, undefined);
    expect(other.signal).not.toBe(first.signal);
    other.end();
  });

  test("is ended by the signal that is given, also when that has been used before or is aborted already", () => {
    const outer = new AbortController();
    startDeadline(600_000, outer.signal).end();
    const { signal, end } = startDeadline(600_000, outer.signal);
    const unrelated = startDeadline(600_000, new AbortController().signal);
    outer.abort(new Error("enough"));
    expect([signal.reason, unrelated.signal.aborted]).toEqual([new Error("enough"), false]);
    end();
    unrelated.end();
    const late = startDeadline(600_000, outer.signal);
    expect(late.signal.reason).toEqual(new Error("enough"));
    late.end();
  });

  test.each([2 ** 31, Number.POSITIVE_INFINITY])("may be longer than timers are: %d ms", async (time) => {
    const { signal, end, wait: waits } = startDeadline(time, undefined);
    waits();
    await wait(20);
    expect(signal.aborted).toBe(false);
    end();
  });

  test("leaves nothing behind: thousands of runs of one signal have one listener", () => {
    const outer = new AbortController();
    let listeners = 0;
    const { signal } = outer;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    for (let run = 0; run < 3_000; run++) startDeadline(1 + (run % 7), signal).end();
    expect(listeners).toBe(1);
  });
});

test("sleeping goes on for longer than a timer: the quota of a month", async () => {
  const controller = new AbortController();
  const slept = portableClock.sleep(30 * 24 * 60 * 60_000, controller.signal);
  const first = await Promise.race([slept.then(() => "slept", String), wait(20, "sleeps")]);
  controller.abort("awake");
  expect([first, await slept.catch(String)]).toEqual(["sleeps", "awake"]);
});

test.each([
  [Number.POSITIVE_INFINITY, "1.7976931348623157e+308"],
  [Number.NEGATIVE_INFINITY, "-1.7976931348623157e+308"],
  [Number.NaN, "null"],
])("%d is written as jq writes it, alone, in values and in texts", (number, text) => {
  expect([jsonText(number), jsonText([{ n: number }]), textOf(number)]).toEqual([
    text,
    `[{"n":${text}}]`,
    text,
  ]);
});

test.each([15, 16, 17, 31])("numbers of %i digits keep them all, wherever they stand", (length) => {
  const digits = `9${"1".repeat(length - 2)}3`;
  for (let before = 0; before < 40; before++) {
    const value = parseJson(`[${" ".repeat(before)}${digits}]`) as readonly unknown[];
    expect(String(value[0])).toBe(digits);
    expect(value[0] instanceof ExactNumber).toBe(length > 15 && String(Number(digits)) !== digits);
  }
});
