import type { Json } from "@configc/jq";
import { isObject } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import type { Origin, Trail } from "../flow/origin.ts";
import type { ValuePath } from "../flow/value-path.ts";
import { learnedPayloads } from "../samples/payloads.ts";
import { learnedResponses } from "../samples/responses.ts";
import { tellsMore, waysOf } from "./provenance-text.ts";

/** Values of samples that are shown, and the characters of each. */
const SHOWN = 3;
const WIDTH = 40;

/**
 * What is told of where a value comes from, a line each: `<- .items[].name <- GET /v1/items <- 14 samples`, and values that it
 * had in samples. None for what an expression makes on the spot: that can be seen.
 */
export function provenanceLines(model: Model, trails: readonly Trail[]): readonly string[] {
  if (!tellsMore(trails)) return [];
  const values = sampleValues(model, trails);
  return [...waysOf(model, trails), ...(values.length === 0 ? [] : [`in samples: ${values.join(", ")}`])];
}

/** The first values that parts of responses or payloads have in samples, each once, as JSON that is cut at a width. */
function sampleValues(model: Model, trails: readonly Trail[]): readonly string[] {
  const found = new Set<string>();
  for (const { origin } of trails)
    for (const value of valuesAt(model, origin)) {
      const text = JSON.stringify(value);
      found.add(text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);
      if (found.size === SHOWN) return [...found];
    }
  return [...found];
}

function* valuesAt(model: Model, origin: Origin): Generator<Json> {
  if (origin.kind === "response") {
    for (const { body } of learnedResponses(model).get(origin.command)?.samples ?? [])
      yield* below(body, pathInBody(body, origin.path));
  } else if (origin.kind === "payload") {
    for (const { payload } of learnedPayloads(model).get(origin.intake)?.samples ?? [])
      yield* below(payload, origin.path);
  }
}

/** Of a path from what the `!http` gives: a `body` that the object itself doesn't have means all of it (D20). */
function pathInBody(body: Json, path: ValuePath): ValuePath {
  const own = isObject(body) && Object.hasOwn(body, "body");
  return path[0] === "body" && !own ? path.slice(1) : path;
}

function* below(value: Json, [name, ...rest]: ValuePath): Generator<Json> {
  if (name === undefined) yield value;
  else if (name === "[]" && typeof value === "object" && value !== null)
    for (const item of Object.values<Json>(value)) yield* below(item, rest);
  else if (isObject(value) && Object.hasOwn(value, name)) yield* below(value[name]!, rest);
}
