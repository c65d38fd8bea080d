import type { Json } from "@configc/jq";

type JsonMap = { readonly [name: string]: Json };

/** A value with another one at a path below it. */
export function put(into: Json, path: readonly string[], value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const object = mapOf(into) ?? {};
  return { ...object, [first]: put(object[first] ?? {}, rest, value) };
}

/** A value without the member at a path below it. */
export function without(from: Json, path: readonly string[]): Json {
  const [first, ...rest] = path;
  const object = mapOf(from);
  if (first === undefined || object === undefined || !Object.hasOwn(object, first)) return from;
  if (rest.length > 0) return { ...object, [first]: without(object[first]!, rest) };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== first));
}

function mapOf(value: Json): JsonMap | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonMap)
    : undefined;
}
