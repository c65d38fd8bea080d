import { harmless, harmlessLine } from "@configc/runtime/internal";
import { expect, test } from "vitest";

test.each([
  ["plain text, ä 😀 \t and\nlines", "plain text, ä 😀 \t and\nlines"],
  ["\u001b[31mred", "\\u001b[31mred"],
  ["a\rb\u0000\u007f\u009b", "a\\u000db\\u0000\\u007f\\u009b"],
  ["\u202e\u2066\u200f\u061c\u200b\ufeff\u2028", "\\u202e\\u2066\\u200f\\u061c\\u200b\\ufeff\\u2028"],
])("%j is shown as %j", (text, shown) => {
  expect(harmless(text)).toBe(shown);
});

test("an entry of a log is one line, and JSON stays what it says", () => {
  expect(harmlessLine("a\r\nb\tc\n")).toBe("a\\nb\\tc\\n");
  const value = { a: "\u009b\u202ex\n\u2028" };
  expect(JSON.parse(harmlessLine(JSON.stringify(value)))).toEqual(value);
});
