import { createTracer, HttpFailure, parseExact, RunError, type TraceEvent } from "@configc/runtime";
import { expect, test } from "vitest";
import { failureOf, runCommand } from "./support/app.ts";
import { testEffects } from "./support/effects.ts";

/** What an event keeps of a value. */
function captured(value: unknown): unknown {
  const events: TraceEvent[] = [];
  const tracer = createTracer({ now: () => 7, sleep: async () => undefined }, (event) => events.push(event));
  expect(tracer.event(0, "/a", "step", { value })).toBe(1);
  expect(events).toMatchObject([{ id: 1, parent: 0, node: "/a", t: 7, kind: "step" }]);
  return (events[0]!.data as { value: unknown }).value;
}

const text = "0123456789".repeat(1_000);
const list = (length: number) => Array.from({ length }, (_, index) => index);

function nested(levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

test.each<[string, unknown, unknown]>([
  ["what is small, as it is", { a: [1, null, true, "x"] }, { a: [1, null, true, "x"] }],
  ["of a long text the beginning and its length", text, `${text.slice(0, 4_096)}… (10000 characters)`],
  ["of a long name the same", { [text]: 1 }, { [`${text.slice(0, 4_096)}… (10000 characters)`]: 1 }],
  ["of a long list a thousand values", list(1_003), [...list(999), "… 4 more"]],
  ["a few levels", nested(31, []), nested(31, "…")],
  ["numbers with all their digits", parseExact("12345678901234567890"), parseExact("12345678901234567890")],
  ["members of any name", JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
  [
    "of an error what a reader needs",
    new RunError("DataError", "no", undefined),
    { kind: "DataError", message: "no", pointer: "" },
  ],
])("a trace keeps %s", (_, value, kept) => {
  expect(captured(value)).toEqual(kept);
});

test.each<[Error, object]>([
  [
    new HttpFailure("refused-address", "a private address"),
    { failure: "refused-address", message: "a private address" },
  ],
  [new Error("broken"), { failure: "error", message: "Error: broken" }],
])("a trace tells how an exchange without a response ended: %s", async (failure, told) => {
  const events: TraceEvent[] = [];
  const http = { request: () => Promise.reject(failure) };
  const effects = { ...testEffects(), http };
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const api = { base_url: "https://api.example.com" };
  await failureOf(runCommand({ "!http": { method: "POST", path: "/" } }, { effects, trace, api }));
  const request = events.find(({ kind }) => kind === "request");
  const ends = events.filter(({ kind }) => kind === "response");
  expect(ends).toMatchObject([{ parent: request!.id, data: told }]);
});
