import type { CaseGiven, ExpectedError } from "@configc/host/portable";
import { type Json, parseExact } from "@configc/runtime";

/** A case of a test file. */
export interface Test extends CaseGiven {
  readonly expect?: Json;
  readonly expectError?: ExpectedError;
}

/** What each member has to be, for messages. */
const shapes = {
  run: ["a text", (value: unknown) => typeof value === "string"],
  context: ["an object", isObject],
  credentials: ["an object", isObject],
  now: [
    "a time such as 2025-01-01T00:00:00Z",
    (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  ],
  search: ["a text", (value: unknown) => typeof value === "string"],
  http: [
    "a list of {request, response}",
    (value: unknown) =>
      Array.isArray(value) &&
      value.every(
        (each) => isObject(each) && isObject(each["request"]) && typeof each["request"]["url"] === "string",
      ),
  ],
  expectError: ["an object", isObject],
} as const;

/**
 * Reads a case that a person may have written.
 *
 * @throws Error that says what it lacks
 */
export function readTest(text: string): Test {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new Error(`The case isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(value)) throw new Error("The case is an object such as {run, context, http}.");
  if (value["run"] === undefined) throw new Error("The case lacks `run`, which names what is run.");
  for (const [name, [shape, holds]] of Object.entries(shapes))
    if (value[name] !== undefined && !holds(value[name]))
      throw new Error(`\`${name}\` of the case is ${shape}.`);
  return value as unknown as Test;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
