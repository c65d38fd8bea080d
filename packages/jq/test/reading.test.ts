import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { JsonSyntaxError, parseEvents, parseInputs, printExact, type Source } from "../src/index.ts";

/** What is read of a source: values, how far it was read before each, and the mistake at the end. */
function readAll(
  source: Source,
  read: (source: Source, reached: (offset: number) => void) => Generator<unknown>,
): readonly string[] {
  const seen: string[] = [];
  let offset = 0;
  try {
    for (const value of read(source, (at) => {
      offset = at;
    })) {
      seen.push(`${offset}: ${printExact(value as never)}`);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    seen.push(error.message);
  }
  return seen;
}

/** The text in parts of these lengths, again and again. */
function inParts(text: string, lengths: readonly number[]): () => string | undefined {
  let at = 0;
  let turn = 0;
  return () => {
    if (at >= text.length) return undefined;
    const part = text.slice(at, at + lengths[turn++ % lengths.length]!);
    at += part.length;
    return part;
  };
}

const readers = {
  values: parseInputs,
  events: (source: Source, reached: (offset: number) => void) => parseEvents(source, false, reached),
  "events with errors": (source: Source, reached: (offset: number) => void) =>
    parseEvents(source, true, reached),
};

const texts = fc
  .array(
    fc.oneof(
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, null, 2)),
      fc.constantFrom(
        ...[
          "1.0",
          "[1e5]",
          "nan",
          '{"a":1.50}',
          '["\\ud83d\\ude00"]',
          '["\\ud83d"]',
          '{"a":-0}',
          "[0.00001]",
        ],
        ...[
          "[1",
          "}",
          '"x',
          '"a\\',
          '{"a":1,"a":[2]}',
          "tru",
          "[1] x",
          "\uFEFF[1]",
          '["é\\n"]',
          "[12345678901234567890]",
        ],
      ),
    ),
    { maxLength: 6 },
  )
  .chain((parts) => fc.constantFrom("\n", " ", "\r\n", "").map((between) => parts.join(between) + between));

describe.each(Object.entries(readers))("%s", (_, read) => {
  test("are the same of a text that comes in parts", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, lengths) => {
        expect(readAll(inParts(text, lengths), read)).toEqual(readAll(text, read));
      }),
      { numRuns: cases(400) },
    );
  });
});

test("a value on a line of its own is what it is among others", () => {
  fc.assert(
    fc.property(texts, (text) => {
      // A blank line end is no end of a line to whoever looks for those.
      const [lines, blanks] = [`${text}\n`, `${text.replaceAll("\n", " ")} `];
      const strip = (seen: readonly string[]): readonly string[] =>
        seen.map((line) => line.replace(/ at (?:EOF at )?line \d+, column \d+| ?at EOF ?/g, ""));
      if (/"[^"]*\n/.test(text)) return;
      expect(strip(readAll(lines, parseInputs))).toEqual(strip(readAll(blanks, parseInputs)));
    }),
    { numRuns: cases(400) },
  );
});

test("nothing is read before it is needed, and no more than that", () => {
  let parts = 0;
  const values = parseInputs(() => (parts++ < 1000 ? '{"a":1}\n[2]\n' : undefined));
  expect(values.next().value).toEqual({ a: 1 });
  expect(values.next().value).toEqual([2]);
  expect(parts).toBe(1);
  expect(values.next().value).toEqual({ a: 1 });
  expect(parts).toBe(2);
});
