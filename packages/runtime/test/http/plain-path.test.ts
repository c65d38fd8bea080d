import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainPath } from "../../src/http/plain-path.ts";

/** What needn't be parsed is what parsing gives. */

const origin = "https://api.example.com";

test.each([
  ["/", true],
  ["/v1.2/contacts", true],
  ["/contacts/7?page=2&sort=name:asc", true],
  ["//double", true],
  ["/a..b/c.", true],
  ["/~me/@x;y=1,2", true],
  ["", false],
  ["?page=1", false],
  [":443/x", false],
  ["@evil.example/x", false],
  [".evil.example/x", false],
  ["/a/../b", false],
  ["/./b", false],
  ["/..", false],
  ["/%2e%2e/b", false],
  ["/a\\b", false],
  ["/a b", false],
  ["/a\tb", false],
  ["/ä", false],
  ["/a#b", false],
  ["/a?b='c'", false],
  ["/a?", false],
])("%j: %s", (text, plain) => {
  expect(isPlainPath(text)).toBe(plain);
});

test("a plain path goes where it is written, as it is written", () => {
  const piece = fc.constantFrom(
    "/",
    ".",
    "..",
    "a",
    "B",
    "7",
    "?",
    "&",
    "=",
    "#",
    "%2e",
    "%",
    "\\",
    " ",
    ":",
    "@",
    ";",
    ",",
    "-",
    "~",
    "_",
    "'",
    "ä",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = `/${pieces.join("")}`;
      if (!isPlainPath(text)) return;
      const url = new URL(`${origin}${text}`);
      expect(url.origin).toBe(origin);
      expect(url.href).toBe(`${origin}${text}`);
      expect(url.pathname + url.search).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});
