import type { Json } from "../json.ts";
import type { Span } from "../syntax-tree.ts";
import { fail } from "./error.ts";

const numeral = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const DEPTH_LIMIT = 10_000;

/** Reads a number as `tonumber` does; undefined if the text is none. */
export function parseNumber(text: string): number | undefined {
  if (numeral.test(text)) return limited(Number(text));
  return /^[+-]?nan$/i.test(text) ? Number.NaN : undefined;
}

/** jq has no infinite literal: what is too large is the largest number. */
function limited(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value;
}

/** Reads one JSON value, as `fromjson` does. */
export function parseJson(text: string, span: Span): Json {
  const trimmed = text.trim();
  if (trimmed === "") return fail(`Expected JSON value (while parsing '${text}')`, span);
  if (/^[+-]?nan$/i.test(trimmed)) return Number.NaN;
  if (deeperThan(text, DEPTH_LIMIT)) {
    return fail(
      `Exceeds depth limit for parsing at line 1, column ${DEPTH_LIMIT + 1} (while parsing '${text}')`,
      span,
    );
  }
  try {
    return JSON.parse(trimmed, (_key, value) => (typeof value === "number" ? limited(value) : value)) as Json;
  } catch {
    if (/^[\w.+-]+$/.test(text)) {
      return fail(
        `Invalid numeric literal at EOF at line 1, column ${text.length} (while parsing '${text}')`,
        span,
      );
    }
    return fail(`Invalid JSON text (while parsing '${text}')`, span);
  }
}

function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "[" || character === "{") {
      if (++depth > limit) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
}
