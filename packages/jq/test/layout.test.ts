import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseInput, printExact } from "../src/index.ts";
import { type Layout, writeJson } from "../src/internal.ts";

function written(value: Json, layout: Layout = {}): string {
  let text = "";
  expect(
    writeJson(value, layout, (piece) => {
      text += piece;
      return true;
    }),
  ).toBe(true);
  return text;
}

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;

describe("writeJson", () => {
  test("on one line is what a program prints", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(written(value)).toBe(printExact(value));
      }),
    );
  });

  test("with an indentation has the line ends of JSON.stringify", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, noUnicodeString: true }),
        fc.constantFrom("  ", "\t"),
        (value, indent) => {
          // Numbers have forms of their own in jq.
          const texts = JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "number" ? 7 : part)));
          expect(written(texts as Json, { indent })).toBe(
            JSON.stringify(texts, null, indent).replaceAll("\x7f", "\\u007f"),
          );
        },
      ),
    );
  });

  test("with sorted members and ASCII only reads back as the same", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = written(value as Json, { indent: " ", sortKeys: true, ascii: true });
        expect(text).toMatch(/^[\0-\x7f]*$/);
        expect(JSON.parse(text)).toEqual(JSON.parse(printExact(value as Json)));
      }),
    );
  });

  test("a long text comes in pieces, none of which ends within a character", () => {
    const text = `a${"😀".repeat(100_000)}`;
    const pieces: string[] = [];
    writeJson([text], {}, (piece) => pieces.push(piece) > 0);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => !/[\ud800-\udbff]$/.test(piece))).toBe(true);
    expect(JSON.parse(pieces.join(""))).toEqual([text]);
  });

  test("ends when nothing more is wanted", () => {
    let pieces = 0;
    const list = Array.from({ length: 100_000 }, () => "text");
    expect(writeJson([list, list], { indent: "  " }, () => ++pieces < 2)).toBe(false);
    expect(pieces).toBe(2);
  });

  test("exact numbers, deep values and what isn't finite", () => {
    expect(written(parseInput('{"a":[1.000,1e400,100000000000000000001]}'))).toBe(
      '{"a":[1.000,1E+400,100000000000000000001]}',
    );
    let deep: Json = Number.NaN;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(written(deep)).toBe(`${"[".repeat(100_000)}null${"]".repeat(100_000)}`);
  });
});
