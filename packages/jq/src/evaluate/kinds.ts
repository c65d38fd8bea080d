import type { Json, JsonObject } from "../json.ts";
import { asExact, ExactNumber } from "./exact-number.ts";

export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeName(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return asExact(value) === undefined ? (typeof value as TypeName) : "number";
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !((value as unknown) instanceof ExactNumber)
  );
}

export function isContainer(value: Json): value is readonly Json[] | JsonObject {
  return isArray(value) || isObject(value);
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** An object's own member; null if it has none. */
export function member(object: JsonObject, name: string): Json {
  return Object.hasOwn(object, name) ? object[name]! : null;
}

/** Sets a member of an object that is being built; safe for `__proto__`. */
export function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}
