import fc from "fast-check";
import { expect, test } from "vitest";
import { changeBetween } from "../../src/parse/change.ts";
import { LineMap } from "../../src/parse/line-map.ts";

/** Texts of little but line breaks of every kind, and byte order marks wherever they are. */
const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n", "\ufeff"), maxLength: 12 });

const startsOf = (lines: LineMap): number[] =>
  Array.from({ length: lines.lineCount }, (_, index) => lines.lineStart(index + 1));

test("the lines of an edited text are those of the text read anew", () => {
  fc.assert(
    fc.property(texts, fc.array(texts, { minLength: 1, maxLength: 4 }), (first, versions) => {
      let [text, lines] = [first, new LineMap(first)];
      for (const next of versions) {
        lines = new LineMap(next, { lines, change: changeBetween(text, next) });
        text = next;
        expect(startsOf(lines)).toEqual(startsOf(new LineMap(text)));
      }
    }),
    { numRuns: 2000 },
  );
});
