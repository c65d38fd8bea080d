import type { Json } from "../json.ts";
import { readEvents } from "./json-events.ts";
import { JsonSyntaxError, readAll, readJson, type Source } from "./json-reader.ts";
import { countMade } from "./meter.ts";
import { jsonText } from "./printing.ts";

export { JsonSyntaxError } from "./json-reader.ts";
export { readNumber as parseNumber } from "./read-number.ts";

const DEPTH_LIMIT = 10_000;
/**
 * Numbers that may be too large for a double, for which jq takes the largest one, and escaped halves of
 * surrogate pairs, which jq replaces or refuses.
 */
const unlikeJsonParse = /\d{300}|[eE]\+?\d{3}|\\u[dD][89a-fA-F]/;

/** What texts such as `[{},{},{}]` become, the densest that there are. */
const BYTES_PER_CHARACTER = 20;

/** Reads one JSON value, as `fromjson` does; gives the mistake of a text that has none. */
export function parseJson(text: string, exact: boolean): Json | JsonSyntaxError {
  countMade(text.length * BYTES_PER_CHARACTER);
  if (!exact && !unlikeJsonParse.test(text) && !deeperThan(text, DEPTH_LIMIT)) {
    // The engine's own parser is many times faster; where it finds a mistake, ours says what jq says of it.
    try {
      return JSON.parse(text) as Json;
    } catch {}
  }
  try {
    return readJson(text, { lenient: true, exact });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return error;
  }
}

/**
 * Reads JSON without losing digits: numbers whose double wouldn't print as they are written become
 * `ExactNumber`s, all others are plain. Nesting is limited to 10,000 levels.
 *
 * @throws SyntaxError with the line and column
 */
export function parseExact(text: string): Json {
  return readJson(text, { lenient: false, exact: true });
}

/**
 * Reads one JSON value as jq reads its input, numbers exactly: also `nan`, `.5` and `007`, and `1e5` is `1E+5` from then on.
 *
 * @throws SyntaxError with the line and column
 */
export function parseInput(text: string): Json {
  return readJson(text, { lenient: true, exact: true });
}

/**
 * Reads the JSON values of a text as jq reads its input, one after the other: see `parseInput`.
 *
 * @param text the text, or what gives the next part of it when that is needed, undefined at its end
 * @param reached is told, before each, up to which offset the text was read
 * @throws JsonSyntaxError in jq's words, after the values before the mistake
 */
export function parseInputs(text: Source, reached?: (offset: number) => void): Generator<Json> {
  return readAll(text, { lenient: true, exact: true }, reached);
}

/**
 * The same as the events of `--stream` and `tostream`: `[path, leaf]`, and `[path]` where an array or object ends.
 *
 * Of a text that comes in parts, no more is kept than one of them.
 *
 * @param withErrors whether a mistake is the last event, `[message, path]`, instead of thrown
 * @param reached as in `parseInputs`
 */
export function parseEvents(
  text: Source,
  withErrors = false,
  reached?: (offset: number) => void,
): Generator<Json> {
  return readEvents(text, { lenient: true, exact: true }, withErrors, reached);
}

/**
 * A value as compact JSON, exact numbers as they were written. Unlike `JSON.stringify` it takes any depth
 * and prints what isn't finite as jq does: nan as null, infinity as the largest number.
 */
export function printExact(value: Json): string {
  return jsonText(value, { levels: Number.POSITIVE_INFINITY });
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
