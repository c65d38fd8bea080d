import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/support/cases.ts";
import { check, messageOf, NESTING_LIMIT, renderMessage } from "../src/index.ts";
import { lex } from "../src/syntax/lexer.ts";
import { parseTokens } from "../src/syntax/parser.ts";
import { TokenStream } from "../src/syntax/token-stream.ts";
import { keywords, operators } from "../src/syntax/tokens.ts";

/** What parsing a text costs, counted in looks at tokens, which no load of the machine changes. */
function cost(text: string) {
  const lexed = lex(text);
  const stream = new TokenStream(text, lexed);
  const { diagnostics } = parseTokens(stream);
  return { tokens: lexed.tokens.length, steps: stream.steps, stalled: stream.stalled, diagnostics };
}

/** Of well-formed programs a token takes about 60 looks; nesting and recovery look again. */
const STEPS_PER_TOKEN = 300;

const token = fc.oneof(
  fc.constantFrom(...operators),
  fc.constantFrom(...keywords),
  fc.constantFrom("a", "a::b", "a::b::c", "a::", "::", "$x", "$a::b", "$__loc__", ".a", "@json", "1", ".5"),
  fc.constantFrom('"', '"s"', "\\(", '"\\(', ')"', "'q'", "&&", "!", "#", "\n", "$", "@", "é"),
);
/** Glued and spaced tokens; some repeat, since a loop that stays where it is shows itself among openers. */
const soup = fc
  .array(fc.tuple(token, fc.constantFrom("", " "), fc.constantFrom(1, 1, 1, 2, 9)), { maxLength: 30 })
  .map((parts) => parts.map(([text, blank, times]) => (text + blank).repeat(times)).join(""));

describe("the parser always advances", () => {
  test("over a soup of tokens, with a bounded number of steps", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { tokens, steps, stalled } = cost(text);
        expect(stalled).toBe(false);
        expect(steps).toBeLessThan(STEPS_PER_TOKEN * (tokens + 1));
      }),
      { numRuns: cases(10_000) },
    );
  });

  test.each([
    "{a::b: 1}",
    "{a::b}",
    "{x: 1 a::b: 2}",
    ". as {a::b: $x} | $x",
    "{a::b: 1, c::d: 2}",
    "{$a::b: 1}",
  ])("over a name with colons as a key: %s", (text) => expect(cost(text).stalled).toBe(false));

  test.each([
    "[",
    "(",
    "{a:",
    "{(",
    "if ",
    "-",
    "try ",
    'a."\\(',
    "reduce ",
    ".[",
    "f(",
    "def f: ",
    ". as {a: ",
  ])("as far out of the deepest nesting: %s", (opener) => {
    for (const end of ["", "1", "]", ")", "}", ";", "a::b: 1", "end"]) {
      expect(cost(opener.repeat(NESTING_LIMIT - 12) + end).stalled).toBe(false);
    }
  });

  test("and a part of it that stays where it is would be stopped", () => {
    const text = "a b";
    const stream = new TokenStream(text, lex(text));
    let looks = 0;
    for (; !stream.atEnd; looks++) if (looks > 10_000_000) throw new Error("This loop isn't stopped.");
    expect(stream.stalled).toBe(true);
    expect(stream.diagnostics.map(({ code, start }) => ({ code, start }))).toEqual([
      { code: "syntax", start: 0 },
    ]);
  });
});

describe("messages and arguments stay small, whatever the program is", () => {
  const length = cases(1_000_000);
  const long = "n".repeat(length);
  test.each(
    [
      long,
      `${long}(1)`,
      `$${long}`,
      `@${long}`,
      `break $${long}`,
      `label ${long}`,
      `. as ${long} | 1`,
      `. ${long}`,
      `${long}()`,
      `{("${long}"): 1}, {([${long.replaceAll("n", "1,")}1]): 1}`,
      `. ${"1".repeat(length)}`,
      `. '${long}'`,
      `def f(${long}): 1; f`,
      `1 as $${long} | $${long}n`,
    ].map((text) => [text.slice(0, 20), text] as const),
  )("%s", (_, text) => {
    const { diagnostics } = check(text);
    expect(diagnostics).not.toEqual([]);
    for (const finding of diagnostics) {
      expect(renderMessage(finding).length).toBeLessThan(500);
      expect(JSON.stringify(finding.args).length).toBeLessThan(500);
      for (const { title } of finding.fixes ?? []) expect(title.length).toBeLessThan(100);
    }
  });

  test("hints aren't cut", () => {
    const [finding] = check(".a?//1").diagnostics;
    expect(renderMessage(finding!)).toMatch(/write a space between them\.$/);
  });

  test("a message can be had for a code and its arguments alone", () => {
    const [finding] = check("$x").diagnostics;
    expect(messageOf("unknown-variable", { name: "x" })).toBe(renderMessage(finding!));
  });
});
