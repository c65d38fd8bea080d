import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesOf, snippet } from "../src/formats/snippet.ts";
import { cellsOf, visible } from "../src/terminal/text.ts";

/** The snippet of a text in which `«…»` marks the finding. */
function shown(marked: string, width = 80): string[] {
  const start = marked.indexOf("«");
  const text = marked.replace("«", "").replace("»", "");
  const marks = [{ start, end: marked.indexOf("»") - 1, primary: true }];
  return snippet(linesOf(text), marks, width).map((line) => {
    if (line.kind === "source") return line.text;
    return line.kind === "marks" ? " ".repeat(line.indentation) + line.carets : "⋮";
  });
}

describe("marks stand below their characters", () => {
  test.each<[string, string, string[]]>([
    ["plain", 'a "«b»"', ['a "b"', "   ^"]],
    ["tabs before", "\ta\t«b»", ["    a   b", "        ^"]],
    ["a tab within", "«a\tb»c", ["a   bc", "^^^^^"]],
    ["wide characters before", "接続«x»", ["接続x", "    ^"]],
    ["wide characters within", "x«接続»y", ["x接続y", " ^^^^"]],
    ["full width forms", "Ａ«ｶ»", ["Ａｶ", "  ^"]],
    ["an emoji of several characters", "👩‍👩‍👧«x»", ["👩‍👩‍👧x", "  ^"]],
    ["combining marks", "e\u0301«x»", ["e\u0301x", " ^"]],
    ["control characters", "\u001b[31m«x»", ["␛[31mx", "     ^"]],
    ["characters that turn the reading order", "\u202e«x»", ["<U+202E>x", "        ^"]],
    ["a lone surrogate", "\ud800«x»", ["<U+D800>x", "        ^"]],
    ["nothing marked", "a«»b", ["ab", " ^"]],
    ["the end of the line", "ab«»", ["ab", "  ^"]],
    ["over the end of the line", "a«b\nc»d", ["ab", " ^"]],
    ["a line before it", "one\n  «two»", ["one", "  two", "  ^^^"]],
    ["an empty line before it", "\n«two»", ["two", "^^^"]],
    ["windows line ends", "one\r\n«two»\r\n", ["one", "two", "^^^"]],
    ["old line ends", "one\r«two»", ["one", "two", "^^^"]],
    ["a byte order mark", "\ufeff«x»", ["x", "^"]],
  ])("%s", (_, marked, expected) => {
    expect(shown(marked)).toEqual(expected);
  });
});

describe("long lines are cut around the place", () => {
  const filler = "0123456789".repeat(20);
  test.each<[string, string, string[]]>([
    ["at the start", `«ab»${filler}`, [`ab${filler.slice(0, 16)}…`, "^^"]],
    ["in the middle", `${filler}«ab»${filler}`, ["…56789ab01234567890…", "      ^^"]],
    ["at the end", `${filler}«ab»`, ["…56789ab", "      ^^"]],
    ["longer than the room", `«${filler}»`, [`${filler.slice(0, 18)}…`, "^".repeat(18)]],
  ])("%s", (_, marked, expected) => {
    expect(shown(marked, 20)).toEqual(expected);
  });

  test("a line of megabytes takes no time", () => {
    const line = "x".repeat(5_000_000);
    const started = process.cpuUsage();
    const lines = shown(`${line}«y»${line}`, 80);
    expect(lines[0]).toContain("y");
    // CPU time, in µs: a busy machine is no slow command.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});

test("several marks: each below its line, what is between is left out", () => {
  const text = "one\ntwo\nthree\nfour\nfive";
  const marks = [
    { start: 19, end: 23, primary: true },
    { start: 0, end: 3, label: "here", primary: false },
  ];
  const lines = snippet(linesOf(text), marks, 80);
  expect(lines.map((line) => (line.kind === "source" ? line.number : line.kind))).toEqual([
    1,
    "marks",
    "gap",
    4,
    5,
    "marks",
  ]);
});

test("whatever the text and the place, marks stay inside what is shown, and nothing escapes to the terminal", () => {
  const anyText = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\t", "\n", "\r", "接", "\u0301", "\u001b", "\ud83d", "x"),
      fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
    ),
    maxLength: 300,
  });
  fc.assert(
    fc.property(anyText, fc.nat(400), fc.nat(400), fc.integer({ min: 20, max: 60 }), (text, a, b, width) => {
      const [start = 0, end = 0] = [a, b]
        .map((offset) => Math.min(offset, text.length))
        .sort((x, y) => x - y);
      for (const line of snippet(linesOf(text), [{ start, end, primary: true }], width)) {
        if (line.kind === "source")
          expect(line.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        if (line.kind === "marks")
          expect(line.indentation + line.carets.length).toBeLessThanOrEqual(width + 1);
      }
    }),
  );
});

test("cells cover a line without gaps", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      const offsets = cellsOf(line).map(({ offset }) => offset);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      expect(new Set(offsets).size).toBe(offsets.length);
    }),
  );
});

test("text that is fit for a terminal stays as it is", () => {
  expect(visible("“quotes”, `code`, 接続, é, 🧑‍🚀, tab\t")).toBe("“quotes”, `code`, 接続, é, 🧑‍🚀, tab\t");
});
