import type { Json } from "@configc/jq";

type JsonMap = { readonly [name: string]: Json };

/** What stands at a path below a value; undefined where nothing does. */
export function valueAt(from: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, name) => {
    const object = value === undefined ? undefined : mapOf(value);
    return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  }, from);
}

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
