import fc from "fast-check";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { moved } from "../src/lenses/moved.ts";

const text = fc.string({ unit: fc.constantFrom("a", "{", "\n", "\r\n", "é"), maxLength: 12 });

/** The mark is what stands at the place: it is there exactly once, or gone. */
const MARK = "§";

test("a place moves with what stands at it, and is gone with it", () => {
  const edits = fc.array(fc.tuple(fc.nat(30), fc.nat(6), text), { maxLength: 4 });
  fc.assert(
    fc.property(text, text, edits, (before, after, all) => {
      const document = TextDocument.create("a", "a", 0, before + MARK + after);
      const place = document.positionAt(before.length);
      const changes = all.map(([from, length, replaced]) => {
        const start = document.positionAt(Math.min(from, document.getText().length));
        const end = document.positionAt(document.offsetAt(start) + length);
        const change = { range: { start, end }, text: replaced };
        TextDocument.update(document, [change], document.version + 1);
        return change;
      });
      const at = document.getText().indexOf(MARK);
      expect(moved(place, changes)).toEqual(at < 0 ? undefined : document.positionAt(at));
    }),
    { numRuns: 2_000 },
  );
});

test("what is written before it moves it, what is written in its place makes it go", () => {
  const at = (line: number, character: number) => ({ line, character });
  const here = { start: at(2, 4), end: at(2, 4) };
  expect(moved(at(2, 4), [{ range: here, text: "x\n  " }])).toEqual(at(3, 2));
  expect(moved(at(2, 4), [{ range: { start: at(2, 4), end: at(2, 5) }, text: "x" }])).toBeUndefined();
  expect(moved(at(2, 4), [{ range: { start: at(2, 5), end: at(9, 0) }, text: "" }])).toEqual(at(2, 4));
});
