import type { Json } from "@configc/jq";

type JsonMap = { readonly [name: string]: Json };

/** Stands in a path for what a text of JSON has in it, as `fromjson` reads it. */
export const PARSED = "fromjson()";

/** Stands in a path for each item of a list. */
export const ITEM = "[]";

/** Stands in a path for the value of each member, whatever its name. */
export const VALUES = "{}";

/** What stands at a path below a value, of a list in its first item; undefined where nothing does. */
export function valueAt(from: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, name) => {
    if (name === PARSED) return parsed(value);
    if (name === ITEM) return Array.isArray(value) ? (value[0] as Json | undefined) : undefined;
    const object = value === undefined ? undefined : mapOf(value);
    return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  }, from);
}

/** A value with another one at a path below it. */
export function put(into: Json, path: readonly string[], value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (first === PARSED) return JSON.stringify(put(parsed(into) ?? {}, rest, value));
  if (first === ITEM) {
    const items = Array.isArray(into) && into.length > 0 ? (into as readonly Json[]) : [{}];
    return items.map((item) => put(item, rest, value));
  }
  const object = mapOf(into) ?? {};
  return { ...object, [first]: put(object[first] ?? {}, rest, value) };
}

/** A value without the member at a path below it. */
export function without(from: Json, path: readonly string[]): Json {
  const [first, ...rest] = path;
  if (first === PARSED) {
    const inner = parsed(from);
    return inner === undefined ? from : JSON.stringify(without(inner, rest));
  }
  if (first === ITEM)
    return Array.isArray(from) ? (from as readonly Json[]).map((item) => without(item, rest)) : from;
  const object = mapOf(from);
  if (first === undefined || object === undefined || !Object.hasOwn(object, first)) return from;
  if (rest.length > 0) return { ...object, [first]: without(object[first]!, rest) };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== first));
}

function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

function mapOf(value: Json): JsonMap | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonMap)
    : undefined;
}
