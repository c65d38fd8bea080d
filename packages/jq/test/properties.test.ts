import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { check, demandedPaths, format, infer, type Node, nodeAt, parse, walk } from "../src/index.ts";
import { conformanceCases, conformanceMissing } from "./support/conformance.ts";
import { withoutSpans } from "./support/tree.ts";

const pieces = fc.constantFrom(
  ..."[](){}|,:;.?$@\"\\#-+*/%=<>!' \n\r".split(""),
  ...[
    "..",
    "?//",
    "//",
    "//=",
    "|=",
    "==",
    "$x",
    "$__loc__",
    "@json",
    "\\(",
    "\\u12",
    "\ud83d",
    "é",
    "0",
    "1.5e3",
    ".a",
    "a",
    "::",
  ],
  ...[
    "def ",
    "if ",
    "then ",
    "elif ",
    "else ",
    "end",
    " as ",
    "reduce ",
    "foreach ",
    "try ",
    "catch ",
    "label ",
    "break ",
    "and ",
    "or ",
    "import ",
    "include ",
  ],
  ...["map", "select(", "${x}", "__proto__", "constructor", "toString"],
);
const programs = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 40 }).map((list) => list.join("")),
);
const holes = (text: string) =>
  fc.array(fc.nat(text.length), { maxLength: 6 }).map((ends) => {
    const sorted = [...new Set(ends)].sort((a, b) => a - b);
    return sorted.flatMap((start, index) =>
      index % 2 === 0 && sorted[index + 1] !== undefined ? [{ start, end: sorted[index + 1]! }] : [],
    );
  });

describe("any text", () => {
  test("gives a tree whose spans lie inside it, and never throws", () => {
    fc.assert(
      fc.property(
        programs.chain((text) => fc.tuple(fc.constant(text), holes(text))),
        ([text, holes]) => {
          const { program, diagnostics } = check(text, { holes });
          for (const { start, end } of diagnostics) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(text.length);
          }
          const stack: Node[] = [];
          walk(program, {
            enter(node) {
              expect(node.start).toBeLessThanOrEqual(node.end);
              expect(node.end).toBeLessThanOrEqual(text.length);
              const parent = stack.at(-1);
              if (parent !== undefined) expect(node.start).toBeGreaterThanOrEqual(parent.start);
              stack.push(node);
              return undefined;
            },
            leave: () => void stack.pop(),
          });
          nodeAt(program, Math.floor(text.length / 2));
          infer(program);
          demandedPaths(program);
          if (diagnostics.length === 0 && holes.length === 0) {
            expect(withoutSpans(parse(format(program)).program)).toEqual(withoutSpans(program));
          }
        },
      ),
      { numRuns: cases(3000) },
    );
  });
});

describe.skipIf(conformanceMissing)("jq's own programs (skipped where that folder is absent)", () => {
  /** Programs that jq accepts and we report, with the reason. */
  const reported = new Map([
    [/^import /, "modules are parsed and reported: a hosted config has none"],
    [/_strindices/, "an internal function, not part of the language"],
  ]);

  test("parse and resolve without findings, and those that must not compile have one", () => {
    const wrong = conformanceCases().filter(({ program, fails }) => {
      const found = check(program).diagnostics.length > 0;
      return found !== fails && ![...reported.keys()].some((pattern) => pattern.test(program));
    });
    expect(wrong).toEqual([]);
  });

  test("are printed back as programs with the same tree", () => {
    for (const { program: text, fails } of conformanceCases()) {
      if (fails) continue;
      const { program } = parse(text);
      expect(withoutSpans(parse(format(program)).program)).toEqual(withoutSpans(program));
    }
  });
});
