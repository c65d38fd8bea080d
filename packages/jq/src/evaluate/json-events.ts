import type { Json } from "../json.ts";
import { JsonSyntaxError, type Open, Reader, type ReaderOptions, type Source } from "./json-reader.ts";
import { isArray, isObject } from "./kinds.ts";

/**
 * Reads the JSON values of a text as jq's events: `[path, leaf]`, and `[path]` of the last part where an array or object
 * ends. They come as the text is read, also those before a mistake.
 *
 * @param withErrors whether a mistake is the last event, `[message, path]`
 * @param reached is told, before each event, how far the text was read
 * @throws JsonSyntaxError unless `withErrors`
 */
export function* readEvents(
  text: Source,
  options: ReaderOptions,
  withErrors: boolean,
  reached?: (offset: number) => void,
): Generator<Json> {
  let events: Json[] = [];
  /** Of what was added last to the innermost array or object. */
  const pathOfLast = (): Json => {
    const { stack } = reader;
    return stack.map((open, at) => (at === stack.length - 1 ? open.last : keyOf(open)));
  };
  const reader: Reader = new Reader(text, options, {
    added: (value) => {
      if (isLeaf(value)) events.push([pathOfLast(), value]);
    },
    closed: () => {
      events.push([pathOfLast()]);
    },
  });
  const flush = (): readonly Json[] => {
    const ready = events;
    events = [];
    return ready;
  };
  try {
    while (!reader.atEnd) {
      const value = reader.advance();
      reached?.(reader.offset);
      yield* flush();
      if (value !== undefined && isLeaf(value)) yield [[], value];
    }
    reader.finish();
  } catch (error) {
    yield* flush();
    if (!withErrors || !(error instanceof JsonSyntaxError)) throw error;
    yield [error.message, reader.stack.map(keyOf)];
  }
}

/** Where the next part belongs. */
function keyOf({ value, key, count }: Open): Json {
  return isArray(value) ? count : (key ?? null);
}

function isLeaf(value: Json): boolean {
  if (isArray(value)) return value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}
