import {
  type Cut,
  capture,
  createTracer,
  HttpFailure,
  parseExact,
  RunError,
  type TraceEvent,
} from "@configc/runtime";
import { expect, test } from "vitest";
import { failureOf, runCommand } from "./support/app.ts";
import { testEffects } from "./support/effects.ts";

/** What an event keeps of a value, and what it tells of the rest. */
function captured(value: unknown): { value: unknown; cuts: readonly Cut[] } {
  const events: TraceEvent[] = [];
  const tracer = createTracer({ now: () => 7, sleep: async () => undefined }, (event) => events.push(event));
  expect(tracer.event(0, "/a", "note", { value })).toBe(1);
  expect(events).toMatchObject([{ id: 1, parent: 0, node: "/a", t: 7, kind: "note" }]);
  const { data, cuts = [] } = events[0]!;
  return { value: (data as { value: unknown }).value, cuts };
}

const text = "0123456789".repeat(1_000);
const list = (length: number) => Array.from({ length }, (_, index) => index);

function nested(levels: number, inner: unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const beginning = text.slice(0, 4_096);

test.each<[name: string, value: unknown, kept: unknown, cuts?: readonly Cut[]]>([
  ["what is small, as it is", { a: [1, null, true, "x"] }, { a: [1, null, true, "x"] }],
  [
    "of a long text the beginning",
    { a: [text] },
    { a: [beginning] },
    [{ pointer: "/value/a/0", length: 10_000 }],
  ],
  ["long names whole", { [text]: 1 }, { [text]: 1 }],
  ["of a long list the first items", list(1_003), list(999), [{ pointer: "/value", length: 1_003 }]],
  [
    "of many members the first ones",
    Object.fromEntries(list(1_003).map((at) => [`m${at}`, at])),
    Object.fromEntries(list(999).map((at) => [`m${at}`, at])),
    [{ pointer: "/value", length: 1_003 }],
  ],
  [
    "of lists in a list as much as there is room for",
    { "a/b": list(600), c: list(600), d: [], e: {}, f: 1 },
    { "a/b": list(600), c: list(397) },
    [
      { pointer: "/value/c", length: 600 },
      { pointer: "/value", length: 5 },
    ],
  ],
  ["a few levels", nested(31, [1, 2]), nested(31, []), [{ pointer: `/value${"/0".repeat(31)}`, length: 2 }]],
  ["numbers with all their digits", parseExact("12345678901234567890"), parseExact("12345678901234567890")],
  ["members of any name", JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
  [
    "of an error what a reader needs",
    new RunError("DataError", "no", undefined),
    { kind: "DataError", message: "no", pointer: "" },
  ],
])("a trace keeps %s", (_, value, kept, cuts = []) => {
  expect(captured(value)).toEqual({ value: kept, cuts });
});

test("a listener is given the data as they are, to make more of them later", () => {
  const given: unknown[] = [];
  const tracer = createTracer({ now: () => 7, sleep: async () => undefined }, (_, whole) =>
    given.push(whole),
  );
  const data = { output: list(2_000) };
  tracer.secret("s3cret-token");
  tracer.event(0, "/a", "end", data);
  expect(given[0]).toBe(data);
  expect(capture(data.output.slice(1_990), tracer.redact)).toEqual({
    value: list(2_000).slice(1_990),
    cuts: [],
  });
  expect(capture("my s3cret-token", tracer.redact).value).toBe("my [secret]");
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
