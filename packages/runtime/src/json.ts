import type { Json, JsonObject } from "@configc/jq";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member; undefined if there is none. Maps have no prototype. */
export function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a member of an object that is being built; `__proto__` is a name like any other. */
export function setOwn(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/**
 * Compact JSON text.
 *
 * @throws RangeError for a value that is nested too deeply to be written
 */
export function jsonText(value: Json): string {
  return JSON.stringify(value);
}

/**
 * Reads JSON.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}
