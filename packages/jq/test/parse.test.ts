import { describe, expect, test } from "vitest";
import { check, NESTING_LIMIT, parse, renderMessage } from "../src/index.ts";
import { holesOf, sexpr, unmark } from "./support/tree.ts";

const tree = (text: string) => sexpr(parse(text, { holes: holesOf(text) }).program.body);

describe("precedence and associativity", () => {
  test.each([
    ["1 | 2, 3", "(Pipeline 1 (Comma 2 3))"],
    ["1 // 2 // 3", "(Alternative 1 2 3)"],
    ["1, 2 // 3", "(Comma 1 (Alternative 2 3))"],
    [".a = 1 // 2", "(Alternative (= (Postfix . (Field a)) 1) 2)"],
    [".a |= 1 or 2", "(|= (Postfix . (Field a)) (or 1 2))"],
    ["1 or 2 and 3", "(or 1 (and 2 3))"],
    ["1 and 2 == 3", "(and 1 (== 2 3))"],
    ["1 < 2 + 3", "(< 1 (Arithmetic 2 (+ 3)))"],
    ["1 - 2 + 3 * 4 / 5", "(Arithmetic 1 (- 2) (+ (Arithmetic 3 (* 4) (/ 5))))"],
    ["-1 * 2", "(Arithmetic (Negation 1) (* 2))"],
    ["1 - -2", "(Arithmetic 1 (- (Negation 2)))"],
    ["-.a?", "(Negation (Postfix . (Field a) ?))"],
    ["try -1 catch . + 2", "(Arithmetic (Try (Negation 1) .) (+ 2))"],
    ["1 + try 2 catch 3 * 4", "(Arithmetic 1 (+ (Arithmetic (Try 2 3) (* 4))))"],
    ["1 + 2 as $x | $x", "(Pipeline (Binding (Arithmetic 1 (+ 2)) $x) $x)"],
    ["1, 2 as $x | $x, 3 | 4", "(Comma 1 (Pipeline (Binding 2 $x) (Comma $x 3) 4))"],
    ["def f: 1; f, 2 | 3", "(Pipeline (Definition f 1) (Comma (Call f) 2) 3)"],
    ["1, label $x | 2 | 3", "(Comma 1 (Pipeline (Label x) 2 3))"],
    ["1 as $a | 2 as $b | 3", "(Pipeline (Binding 1 $a) (Binding 2 $b) 3)"],
    ["reduce -1 as $x (0; 1).a", "(Postfix (Reduce (Negation 1) $x 0 1) (Field a))"],
    ["if 1 then 2 end | 3", "(Pipeline (If (Branch 1 2)) 3)"],
    ["if 1 then 2 elif 3 then 4 else 5 end[0]", "(Postfix (IfElse (Branch 1 2) (Branch 3 4) 5) (Index 0))"],
    [
      "foreach .[] as [$a, {b: $c}] (0; 1; 2)",
      "(Foreach (Postfix . []) (ArrayPattern $a (ObjectPattern (PatternEntry b $c))) 0 1 2)",
    ],
    [". as [$a] ?// $b | 1", "(Pipeline (Binding . (ArrayPattern $a) $b) 1)"],
  ])("%s", (text, expected) => {
    expect(parse(text).diagnostics).toEqual([]);
    expect(tree(text)).toBe(expected);
  });
});

describe("terms", () => {
  test.each([
    ["..", ".."],
    [".. .a", "(Postfix .. (Field a))"],
    [".a.b", "(Postfix . (Field a) (Field b))"],
    ['."a"."b"', '(Postfix . (Field (String "a")) (Field (String "b")))'],
    ['.a."b\\(1)"?', '(Postfix . (Field a) (Field (String "b" (Interpolation 1))) ?)'],
    [".and.or", "(Postfix . (Field and) (Field or))"],
    ['.["a"].[0]', "(Postfix . (Field a) (Index 0))"],
    [".[1:][:2][3:4]", "(Postfix . (Slice 1) (Slice 2) (Slice 3 4))"],
    [".[]?", "(Postfix . [] ?)"],
    [". [0]", "(Postfix . (Index 0))"],
    ["1 .a", "(Postfix 1 (Field a))"],
    [
      '"a\\(1 + "b\\(2)")c"',
      '(String "a" (Interpolation (Arithmetic 1 (+ (String "b" (Interpolation 2))))) "c")',
    ],
    ['@base64 "x\\(.)"', '(String @base64 "x" (Interpolation .))'],
    ["@json", "@json"],
    ["$__loc__", "SourceLocation"],
    ["$a::b", "$a::b"],
    [
      '{a, $x, "b", (1): 2, @base64 "c": 3, $__loc__, "\\(1)": 2, if: 4,}',
      '(Object (Entry a) (Entry $x) (Entry (String "b")) (Entry (Group 1) 2) (Entry (String @base64 "c") 3) (Entry SourceLocation) (Entry (String (Interpolation 1)) 2) (Entry if 4))',
    ],
    ["{a: 1 | 2, b: -1}", "(Object (Entry a (Pipeline 1 2)) (Entry b (Negation 1)))"],
    ["{$x: 1}", "(Object (Entry $x 1))"],
    [
      '. as {$a, b: $c, $d: [$e], "f": $g, (1): $h} | 1',
      '(Pipeline (Binding . (ObjectPattern (PatternEntry $a) (PatternEntry b $c) (PatternEntry $d (ArrayPattern $e)) (PatternEntry (String "f") $g) (PatternEntry (Group 1) $h))) 1)',
    ],
    ["def f(g; $x): g; f(1; 2)", "(Pipeline (Definition f g $x (Call g)) (Call f 1 2))"],
    ["label $out | break $out", "(Pipeline (Label out) (Break out))"],
    ["1 # a\\\n2\n + 3", "(Arithmetic 1 (+ 3))"],
    ["1 # a\\\\\n + 3", "(Arithmetic 1 (+ 3))"],
    ["1 # a\\\r\n + 3", "1"],
    [".5e3 + 1.", "(Arithmetic .5e3 (+ 1.))"],
    ['"\\u00e9\\ud83d\\ude00\\/\\n"', '(String "é😀/\\n")'],
    ["1 as $if | $if", "(Pipeline (Binding 1 $if) $if)"],
  ])("%s", (text, expected) => {
    expect(parse(text).diagnostics).toEqual([]);
    expect(tree(text)).toBe(expected);
  });
});

describe("expansions are holes (D10)", () => {
  test.each([
    [". + ${a}", "(Arithmetic . (+ hole0))"],
    ['"x${a}y\\(1)${b}"', '(String "x" (Interpolation hole0) "y" (Interpolation 1) (Interpolation hole1))'],
    ['@uri "${a}"', "(String @uri (Interpolation hole0))"],
    [".${a}.b", "(Postfix . (Field hole0) (Field b))"],
    [".a.${b}[0]", "(Postfix . (Field a) (Field hole0) (Index 0))"],
    ["{${a}: 1, b: ${c}}", "(Object (Entry hole0 1) (Entry b hole1))"],
    ["1 # ${a}\n + 2", "(Arithmetic 1 (+ 2))"],
    ["${a}.b | ${c}", "(Pipeline (Postfix hole0 (Field b)) hole1)"],
    ["${a | default:x}", "hole0"],
    ['"${a " }"', "(String (Interpolation hole0))"],
  ])("%s", (text, expected) => {
    expect(parse(text, { holes: holesOf(text) }).diagnostics).toEqual([]);
    expect(tree(text)).toBe(expected);
  });

  test.each([
    "1 ⟦${a}⟧",
    "foo⟦${a}⟧ | .b",
    ".foo⟦${a}⟧",
    "⟦${a}⟧_id",
    ".⟦${a}⟧_id",
    "⟦$${a}⟧",
    "⟦@${a}⟧",
    "1 as ⟦${a}⟧ | 2",
    "def ⟦${a}⟧: 1; 2",
  ])("elsewhere it is reported: %s", (marked) => {
    const { text, spans } = unmark(marked);
    const found = parse(text, { holes: holesOf(text) }).diagnostics;
    expect(found.map(({ code, start, end }) => ({ code, start, end }))).toEqual([
      { code: "hole-position", ...spans[0] },
    ]);
  });
});

describe("one mistake gives one diagnostic, at its own characters", () => {
  test.each([
    ["1 +⟦⟧ ", "unexpected-end"],
    ["⟦⟧", "unexpected-end"],
    ["⟦⟧# only a comment", "unexpected-end"],
    ["def f: 1;⟦⟧", "unexpected-end"],
    [". | ⟦|⟧ .b", "syntax"],
    ["(1⟦⟧", "unclosed"],
    ["[1, (2⟦]⟧", "unclosed"],
    ["{a: 1⟦⟧", "unclosed"],
    ["if 1 then 2⟦⟧", "unclosed"],
    ["if 1 ⟦end⟧", "syntax"],
    ["[1⟦;⟧ 2]", "syntax"],
    ["{a: .b ⟦c⟧: .d}", "syntax"],
    ["{a: 1⟦;⟧ b: 2}", "syntax"],
    ["{a: . ⟦as⟧ $x | $x, b: 2}", "syntax"],
    ["{⟦1⟧: 2, b: 3}", "syntax"],
    ['{("a")⟦}⟧', "syntax"],
    [".a⟦?//⟧1", "syntax"],
    ["1 == 2 ⟦==⟧ 3", "syntax"],
    [".a ==⟦=⟧ .b", "syntax"],
    [".a ⟦&&⟧ .b", "syntax"],
    [".a |⟦|⟧ .b", "syntax"],
    ["⟦!⟧.x", "syntax"],
    ["⟦'x'⟧ | .y", "syntax"],
    [". ⟦foo⟧", "syntax"],
    ["..⟦a⟧", "syntax"],
    ["reduce .[] as $x (0⟦)⟧", "syntax"],
    ["reduce 1⟦,⟧ 2 as $x (0; 1)", "syntax"],
    ["1 as ⟦x⟧ | 2", "syntax"],
    ["label ⟦x⟧ | 2", "syntax"],
    ["1 + ⟦def⟧ f: 1; f", "syntax"],
    ["length(⟦)⟧", "syntax"],
    [". as [⟦]⟧ | 1", "syntax"],
    ["1⟦)⟧ | .b", "syntax"],
    ['⟦"⟧abc', "unterminated-string"],
    ['[1, ⟦"⟧abc] | .x', "unterminated-string"],
    ['"a⟦\\q⟧b"', "invalid-escape"],
    ['"a⟦\\u12⟧x"', "invalid-escape"],
    ['"a⟦\\ud83d⟧x"', "invalid-escape"],
    ['⟦import⟧ "a" as foo; foo::bar', "module-directive"],
    ["⟦page_count⟧", "unknown-function"],
    ["⟦selct⟧(.a)", "unknown-function"],
    ["⟦leaf_paths⟧", "unknown-function"],
    ["[1] | ⟦join⟧", "wrong-arity"],
    ["⟦split⟧(1; 2; 3)", "wrong-arity"],
    ["def f(a): 1; ⟦f⟧", "wrong-arity"],
    ["1 as $foo | ⟦$fo⟧", "unknown-variable"],
    ["reduce 1 as $x (⟦$x⟧; 1)", "unknown-variable"],
    [". as {$a, (⟦$a⟧): $b} | 1", "unknown-variable"],
    ["⟦$x⟧ + $x", "unknown-variable"],
    ["label $out | break ⟦$ot⟧", "unknown-label"],
    ["def f: break ⟦$a⟧; label $a | f", "unknown-label"],
    ["⟦@base46⟧", "unknown-format"],
    ['⟦@base46⟧ "x"', "unknown-format"],
    ["{(⟦0⟧): 1}", "invalid-key"],
    ["{(⟦1 + 1⟧): 2}", "invalid-key"],
    ["{(⟦1 < 2⟧): 2}", "invalid-key"],
    [".a⟦.⟧[1:]", "syntax"],
    [".a | .[0]?⟦.⟧[:2] | .b.[0] | .c.[]", "syntax"],
    [". as {a: [{(⟦null⟧): $x}]} | $x", "invalid-key"],
  ] as [string, string][])("%s → %s", (marked, code) => {
    const { text, spans } = unmark(marked);
    const found = check(text).diagnostics;
    expect(found.map(({ code, start, end }) => ({ code, start, end }))).toEqual([{ code, ...spans[0] }]);
    expect(renderMessage(found[0]!)).toMatch(/^.{10,}[.?]$|: /);
  });

  test("the rest of a broken program is still in the tree", () => {
    expect(tree("f(1 2) | .x")).toBe("(Pipeline (Call f 1) (Postfix . (Field x)))");
    expect(tree("{a: .b c: .d}")).toBe(
      "(Object (Entry a (Postfix . (Field b))) (Entry c (Postfix . (Field d))))",
    );
    expect(tree("1) | .b")).toBe("(Pipeline 1 (Postfix . (Field b)))");
  });
});

describe("repairs", () => {
  const fixed = (text: string) =>
    check(text).diagnostics.flatMap(({ fixes = [] }) =>
      fixes.map(({ edits }) =>
        [...edits]
          .sort((a, b) => b.start - a.start)
          .reduce(
            (result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end),
            text,
          ),
      ),
    );
  test.each([
    ["page_count", [".page_count"]],
    ["lenght", ["length", ".lenght"]],
    ["leaf_paths", ["paths(scalars)"]],
    ["1 as $foo | $fo", ["1 as $foo | $foo"]],
    ["@base46", ["@base64"]],
    [".a?//1", [".a? //1"]],
    ['sub("a", "b")', ['sub("a"; "b")']],
  ])("%s", (text, expected) => {
    expect(fixed(text)).toEqual(expected);
  });
});

describe("no input overflows the stack", () => {
  test.each(["[", "(", "{a:", "-", "try ", "if 1 then ", "def f: ", "reduce ", "f(", ".[", "1,1 as $x|"])(
    "20,000 × %s gives one nesting finding",
    (opener) => {
      const found = parse(opener.repeat(20_000)).diagnostics;
      expect(found.map(({ code }) => code)).toEqual(["nesting"]);
    },
  );

  test("patterns too", () => {
    const found = parse(`. as ${"[".repeat(20_000)}`).diagnostics;
    expect(found.map(({ code }) => code)).toEqual(["nesting"]);
  });

  test.each(["|1", "+1", ",1", "//1", " and 1", ".a", "[0]", "?", " as $x|1"])(
    "100,000 × %s is no nesting",
    (link) => {
      expect(check(`1 ${link.repeat(100_000)}`).diagnostics).toEqual([]);
    },
  );

  test("the limit itself is accepted", () => {
    const depth = NESTING_LIMIT - 1;
    expect(parse(`${"[".repeat(depth)}1${"]".repeat(depth)}`).diagnostics).toEqual([]);
  });
});
