import type { Json } from "./json.ts";

/** Parts of documents that nobody has checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a map: numbers with many digits are objects of a class of their own. */
export function isMap(value: unknown): value is { readonly [name: string]: Json } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A name as a token of a JSON Pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** The name that a token of a JSON Pointer stands for. */
export function nameOfToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A text without its percent-encoding; as it is if that is broken. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text as a regular expression of JavaScript that matches just it. */
export function escapedPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
