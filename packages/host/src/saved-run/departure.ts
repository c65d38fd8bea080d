import { ExactNumber, type Json, printExact, type TraceEvent } from "@configc/runtime";
import type { SavedRun } from "./saved-run.ts";

/** Where a run first does something else than the saved one. */
export interface Departure {
  /** Place in the trace, from 0; undefined where only the end differs. */
  readonly event: number | undefined;
  /** JSON Pointer of the command; empty where none is at fault. */
  readonly pointer: string;
  /** For people: which step or request, and what differs. */
  readonly message: string;
}

/** @returns undefined if both have the same trace and end, byte by byte */
export function departureOf(saved: SavedRun, again: SavedRun): Departure | undefined {
  const length = Math.max(saved.trace.length, again.trace.length);
  for (let at = 0; at < length; at++) {
    const [then, now] = [saved.trace[at], again.trace[at]];
    if (then === undefined || now === undefined || text(then) !== text(now))
      return departureAt(at, then, now);
  }
  if (text(saved.outcome) === text(again.outcome)) return undefined;
  const pointer = "error" in again.outcome ? again.outcome.error.pointer : "";
  return {
    event: undefined,
    pointer,
    message: `It ends otherwise: ${difference(saved.outcome, again.outcome)}.`,
  };
}

function departureAt(at: number, then: TraceEvent | undefined, now: TraceEvent | undefined): Departure {
  const pointer = (now ?? then)?.node ?? "";
  const made = (message: string): Departure => ({ event: at, pointer, message });
  if (now === undefined) return made(`It ends where ${described(then)} should come.`);
  if (then === undefined) return made(`It goes on with ${described(now)}, where the saved run ended.`);
  if (then.kind !== now.kind || then.node !== now.node || (now.kind === "request" && isOther(then, now)))
    return made(`${described(now)} comes where the saved run has ${described(then)}.`);
  return made(`${described(now)} differs: ${difference(then, now)}.`);
}

/** Whether two requests go elsewhere: then that says more than any of their parts. */
function isOther(then: TraceEvent, now: TraceEvent): boolean {
  return described(then) !== described(now);
}

function described(event: TraceEvent | undefined): string {
  if (event === undefined) return "nothing";
  const { kind, data } = event;
  const where = event.node === "" ? "" : ` at ${event.node}`;
  switch (kind) {
    case "request":
      return `the request ${data.method} ${data.url}${where}`;
    case "response":
      return `the answer ${data.status ?? data.failure}${where}`;
    case "step":
      return `the step ${data.key}${where}`;
    case "end":
      return `the end of the step${where}`;
    case "wait":
      return `the wait (${data.reason})${where}`;
    case "note":
      return `a note${where}`;
  }
}

/** The first place at which two values differ, with what stands there. */
function difference(then: unknown, now: unknown): string {
  let path = "";
  let [a, b] = [then, now];
  while (isStructure(a) && isStructure(b) && Array.isArray(a) === Array.isArray(b)) {
    const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
    const name = [...Object.keys(left), ...Object.keys(right)].find(
      (each) =>
        Object.hasOwn(left, each) !== Object.hasOwn(right, each) || text(left[each]) !== text(right[each]),
    );
    if (name === undefined) return `the members of \`${path}\` have another order`;
    path += path === "" ? name : `.${name}`;
    a = Object.hasOwn(left, name) ? left[name] : undefined;
    b = Object.hasOwn(right, name) ? right[name] : undefined;
  }
  return `\`${path}\` is ${short(b)}, saved was ${short(a)}`;
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

function text(value: unknown): string {
  return value === undefined ? "" : printExact(value as Json);
}

function short(value: unknown): string {
  const all = value === undefined ? "absent" : text(value);
  return all.length > 200 ? `${all.slice(0, 200)}…` : all;
}
