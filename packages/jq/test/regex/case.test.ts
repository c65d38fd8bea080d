import { describe, expect, test } from "vitest";
import { caseVariants, fold } from "../../src/regex/matcher/case-folding.ts";
import { testOf } from "../../src/regex/matcher/character-tests.ts";
import { plainFolded } from "../../src/regex/native/case.ts";
import { sourceOf } from "../../src/regex/native/source.ts";
import { digit, space, word } from "../../src/regex/syntax/character-sets.ts";

/** All characters but surrogates that any case could concern, and some more. */
function* characters(): Generator<number> {
  for (let code = 0; code < 0x20000; code++) if (code < 0xd800 || code > 0xdfff) yield code;
}

describe("what the translation to JavaScript takes for granted about case", () => {
  test("characters whose folding is in ASCII are written out for it", () => {
    const missing: string[] = [];
    for (const code of characters()) {
      const folded = fold(code);
      if (!/^[\0-\x7f]+$/.test(folded)) continue;
      const letters = [...folded].map((letter) => letter.charCodeAt(0));
      const expression = new RegExp(`^(?:${sourceOf(plainFolded(letters))})$`, "v");
      if (!expression.test(String.fromCodePoint(code))) missing.push(code.toString(16));
    }
    expect(missing).toEqual([]);
  });

  test("digits, words and blanks stay what they are in any case", () => {
    const tests = [digit, word, space].map(testOf);
    const changing = [...characters()].filter((code) =>
      caseVariants(code).some((other) => tests.some((belongs) => belongs(code) !== belongs(other))),
    );
    expect(changing).toEqual([]);
  });
});
