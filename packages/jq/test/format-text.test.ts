import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { format, parse } from "../src/index.ts";
import { generateProgram } from "./differential/generate.ts";
import { Random } from "./differential/random.ts";

/** The comments of a text in which no string has a `#`. */
const commentsOf = (text: string): readonly string[] => (text.match(/#.*/g) ?? []).map((one) => one.trim());
const treeOf = (text: string): string => format(parse(text).program);

describe("format of a text", () => {
  test.each([
    ["a short one stays on its line", ".a   # why\n| .b", ".a # why\n| .b"],
    ["a leading comment", "# What it does.\n.a | .b", "# What it does.\n.a | .b"],
    ["one behind it", ".a|.b # end", ".a|.b # end"],
    [
      "long pipes are broken",
      '.items | map(select(.status == "active" and .amount > 100)) | sort_by(.amount) | map({id, name})',
      '.items\n| map(select(.status == "active" and .amount > 100))\n| sort_by(.amount)\n| map({id, name})',
    ],
    [
      "comments within brackets",
      "{\n  # First.\n  a: .x, # trailing\n  b: .y\n}",
      "{\n  # First.\n  a: .x, # trailing\n  b: .y\n}",
    ],
    [
      "comments before what closes a bracket",
      "map(.a # one\n| .b # two\n# three\n)",
      "map(\n  .a # one\n  | .b # two\n  # three\n)",
    ],
    ["a text with a mistake stays", ".a |   | .b # c", ".a |   | .b # c"],
    ["directives", 'import "a" as a;   # mine\na::f', 'import "a" as a; # mine\na::f'],
    ["a comment that goes on", ".a # one \\\n two\n| .b", ".a # one \\\n two\n| .b"],
    ["strings keep what looks like one", '"#a   #b" | .c', '"#a   #b" | .c'],
  ])("%s", (_what, text, wanted) => {
    expect(format(text)).toBe(wanted);
  });

  /** A program with blanks, line ends and comments put where blanks are, outside of strings. */
  const commented = fc
    .tuple(fc.nat(), fc.array(fc.nat(7), { minLength: 1, maxLength: 30 }))
    .map(([seed, choices]) => {
      const { text } = generateProgram(new Random(seed));
      let index = 0;
      let comments = 0;
      return text.replace(/"(?:\\.|[^"\\])*"|#|\s+/gs, (part) => {
        if (!/^\s/.test(part)) return part;
        const choice = choices[index++ % choices.length];
        if (choice === 0) return ` # c${comments++}\n`;
        if (choice === 1) return `\n  # c${comments++}\n `;
        return choice === 2 ? "\n" : part;
      });
    });

  test("keeps the tree and the comments, and changes nothing the second time", () => {
    let formatted = 0;
    fc.assert(
      fc.property(commented, (text) => {
        fc.pre(parse(text).diagnostics.length === 0);
        const once = format(text);
        expect(format(once)).toBe(once);
        expect(treeOf(once)).toBe(treeOf(text));
        expect(commentsOf(once)).toEqual(commentsOf(text));
        if (once !== text) formatted++;
      }),
      { numRuns: cases(300) },
    );
    expect(formatted).toBeGreaterThan(cases(150));
  });
});
