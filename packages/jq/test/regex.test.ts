import { loadJq } from "jq-wasm";
import { describe, expect, test } from "vitest";
import { compile, evaluate, JqError, regexProblem } from "../src/index.ts";

/** Program and input: every construct of the syntax, every flag, every builtin, and what is refused. The reference is asked. */
const cases: readonly (readonly [string, string | number])[] = [
  ['[match("^b";"g").offset]', "a\nb"],
  ['[match("a$";"g").offset]', "a\nb\na\n"],
  ['[match("a$";"g").offset]', "a\nb"],
  ['test("a.b")', "a\nb"],
  ['test("a.b";"s")', "a\nb"],
  ['test("^b";"s")', "a\nb"],
  ['test("a$";"s")', "a\nb"],
  ['test("a$";"p")', "a\nb"],
  ['test("\\\\h")', "f"],
  ['test("\\\\h")', " "],
  ['test("\\\\R")', "\n"],
  ['test("\\\\X")', "é"],
  ['test("\\\\K")', "é"],
  ['[match("a\\\\Kb").offset]', "ab"],
  ['match("(?<n>a)(b)")', "ab"],
  ['match("(?<n>a)|(?<n>b)")', "b"],
  ['match("(a)|(b)")', "b"],
  ['capture("(?<n>a)|(?<m>b)")', "b"],
  ['[match("";"g")]', "ab"],
  ['[match("(?=u)";"g")]', "qux"],
  ['[match("( )*";"g")]', "abc"],
  ['[match("( )*";"gn")]', "abc"],
  ['[match("a*?";"gn")]', "aab"],
  ['[match("";"gn")]', ""],
  ['test("a";"q")', "a"],
  ['test("(")', "a"],
  ['test("a**")', "a"],
  ['test("[")', "a"],
  ['test("a{2,1}")', "aa"],
  ['test("*a")', "a"],
  ['test("(?<n>")', "a"],
  ['test("\\\\")', "a"],
  ['test("[b-a]")', "a"],
  ['test("\\\\p{Foo}")', "a"],
  ['test("(?<1a>x)")', "a"],
  ['test("\\\\k<x>")', "a"],
  ['test(")")', ")"],
  ['test("]")', "]"],
  ['test("a++")', "aa"],
  ['test("a{,2}")', "a"],
  ['test("{")', "{"],
  ["test(1)", "a"],
  ['test("a";1)', "a"],
  ['test("a")', 1],
  ['test("a";null)', "a"],
  ['match(["a","g"])', "aa"],
  ["test([])", "a"],
  ["test({})", "a"],
  ['[match(["a",null])]', "aa"],
  ['test("A";"i")', "a"],
  ['test("(?i)A")', "a"],
  ['test("a b";"x")', "ab"],
  ['test("a#c\\nb";"x")', "ab"],
  ['[match("aa|a";"l").string]', "aa"],
  ['[match("a|aa";"l").string]', "aa"],
  ['[match("a|aa";"gl").string]', "aaa"],
  ['[match("a|ab|abc").string]', "abc"],
  ['test("(?<=a)b")', "ab"],
  ['test("(?<=a+)b")', "ab"],
  ['test("(?<!a)b")', "cb"],
  ['test("(?>a+)a")', "aa"],
  ['test("a++a")', "aa"],
  ['test("(?(1)a|b)")', "a"],
  ['test("(a)?(?(1)b|c)")', "ab"],
  ['test("\\\\g<1>(a)")', "aa"],
  ['test("(?<p>\\\\((?:[^()]|\\\\g<p>)*\\\\))")', "(a(b))"],
  ['[match("\\\\bfoo\\\\b";"g").offset]', "foo xfoo foo"],
  ['test("\\\\p{L}")', "é"],
  ['test("[[:alpha:]]")', "é"],
  ['test("\\\\w")', "é"],
  ['test("\\\\d")', "٣"],
  ['test("\\\\s")', " "],
  ['test("[[:punct:]]")', "$"],
  ['test("\\\\x41")', "A"],
  ['test("\\\\x{1F600}")', "😀"],
  ['test("\\\\u0041")', "A"],
  ['match("😀.")', "a😀b"],
  ['[match(".";"g").offset]', "a😀b"],
  ['test("[a&&b]")', "a"],
  ['test("[a-z&&[^b]]")', "b"],
  ['test("(?~ab)")', "ab"],
  ['[match("(?~ab)").string]', "xxab"],
  ['test("\\\\Z")', "a\n"],
  ['test("a\\\\Z")', "a\n"],
  ['test("a\\\\z")', "a\n"],
  ['test("\\\\Aa")', "a"],
  ['[match("\\\\Ga";"g").offset]', "aab"],
  ['test("\\\\Qa.b\\\\E")', "a.b"],
  ['test("\\\\N")', "\n"],
  ['test("\\\\O")', "\n"],
  ['test("\\\\N{DIGIT ONE}")', "1"],
  ['test("(?m).")', "\n"],
  ['test("(?s).")', "\n"],
  ['test("(?m)^b")', "a\nb"],
  ['test("(?-m)a$")', "a\nb"],
  ['test("(?x) a b")', "ab"],
  ['test("(?i:A)b")', "aB"],
  ['test("\\\\1(a)")', "aa"],
  ['test("(a)\\\\1")', "aa"],
  ['test("(?<n>a)\\\\k<n>")', "aa"],
  ['test("(?<n>a)\\\\1")', "aa"],
  ['test("(?P<n>a)")', "a"],
  ["test(\"(?'n'a)\")", "a"],
  ['test("\\\\h+")', "0aF"],
  ['test("a\\\\/b")', "a/b"],
  ['test("\\\\e")', "\u001b"],
  ['test("\\\\cA")', "\u0001"],
  ['test("\\\\0")', "\u0000"],
  ['test("[\\\\d-z]")', "-"],
  ['test("[]a]")', "]"],
  ['test("[^]a]")', "]"],
  ['test("[a-\\\\d]")', "a"],
  ['[gsub("(?<x>.)"; "\\(.x)1","\\(.x)2")]', "ab"],
  ['[sub("(?<x>.)"; "\\(.x)1","\\(.x)2")]', "ab"],
  ['[gsub("(?<x>.)"; "\\(.x)1","\\(.x)2","z")]', "abc"],
  ['gsub("";"x")', "ab"],
  ['gsub("^";"x")', "ab"],
  ['gsub("a";1)', "ab"],
  ['gsub("z";1)', "ab"],
  ['[gsub("a";empty)]', "ab"],
  ['[gsub("z";empty)]', "ab"],
  ['gsub("(?<a>x)|b";"\\(.a)")', "ab"],
  ['gsub("(x)|b";"\\(.)")', "ab"],
  ['sub("a";"b";"g")', "aa"],
  ['gsub("a";"b";"n")', "aa"],
  ['gsub(["a","i"];"b")', "Aa"],
  ['[scan("a")]', "aba"],
  ['[scan("(a)(x)?")]', "aba"],
  ['[scan(["a","i"])]', "aA"],
  ['[scan("A";"i")]', "aA"],
  ['[scan("a";"g")]', "aa"],
  ['split(", *";null)', "a, b,c"],
  ['split(", *")', "a, b,c"],
  ['[splits(", *")]', "a, b,c"],
  ['[splits("a";"gi")]', "bAc"],
  ['split("";null)', "ab"],
  ['split("a";"q")', "ab"],
  ["split(1;null)", "ab"],
  ['split("a";null)', 1],
  ["[splits(1)]", "a"],
  ['capture("(?<a>x)?(?<b>y)")', "y"],
  ['[capture("(?<a>.)";"g")]', "ab"],
  ['capture(["(?<a>.)","g"])', "ab"],
  ['[capture("z")]', "ab"],
  ['capture("(?<a>x)|(?<a>y)")', "y"],
  ['capture("(?<a>x)|(?<a>y)")', "x"],
  ['test("a.b";"p")', "a\nb"],
  ['test("^b";"p")', "a\nb"],
  ['test("a.b";"sn")', "a\nb"],
  ['match("(a)|(b)|()")', "c"],
  ['[match("(?<a>)")]', "c"],
  ['test("a{1,2}+b")', "aaab"],
  ['test("a{2}?")', "aa"],
  ['[match("a{2}?").string]', "aaaa"],
  ['[match("a{1,3}?").string]', "aaaa"],
  ['[match("a{1,}+").string]', "aaaa"],
  ['test("a{1}{2}")', "aa"],
  ['test("a?*+")', "aa"],
  ['test("a{100001}")', "a"],
  ['test("a{0}")', ""],
  ['test("(?:)*")', "a"],
  ['test("^*")', "a"],
  ['test("(?=a)*a")', "a"],
  ['test("\\\\b*a")', "a"],
  ['test("(?<=a|bc)d")', "bcd"],
  ['test("(?<!a|bc)d")', "bcd"],
  ['test("(?<=(a))b")', "ab"],
  ['[match("(?<=(a))b").captures[].string]', "ab"],
  ['test("(?<!(a))b")', "ab"],
  ['test("[[:foo:]]")', "a"],
  ['test("[[:^alpha:]]")', "1"],
  ['test("[a-c-e]")', "-"],
  ['test("[\\\\w&&[^a]]")', "a"],
  ['test("[a[bc]]")', "b"],
  ['test("[^a&&b]")', "c"],
  ['test("[\\\\b]")', "\b"],
  ['test("\\\\p{^L}")', "1"],
  ['test("\\\\P{L}")', "1"],
  ['test("\\\\p{Greek}")', "α"],
  ['test("\\\\p{Script=Greek}")', "α"],
  ['test("\\\\p{greek}")', "α"],
  ['test("\\\\p{Uppercase_Letter}")', "A"],
  ['test("\\\\p{Lu}")', "A"],
  ['test("\\\\pL")', "A"],
  ['test("\\\\H")', "a"],
  ['test("\\\\v")', "\u000b"],
  ['test("\\\\D\\\\W\\\\S")', "a- "],
  ['test("(?#c)a")', "a"],
  ['test("(?#c")', "a"],
  ['test("(?i)a(?-i)b")', "AB"],
  ['test("a(?i)b|c")', "C"],
  ['test("(?a)x")', "x"],
  ['test("(?<n>a)\\\\k<1>")', "aa"],
  ['test("(a)\\\\k<-1>")', "aa"],
  ['test("(a)\\\\g<-1>")', "aa"],
  ['test("\\\\g<0>?a")', "aa"],
  ['test("(?<a>a|b\\\\g<a>c){1}$")', "bbacc"],
  ["test(\"\\\\k'n'(?<n>a)\")", "aa"],
  ['test("\\\\2(a)")', "a"],
  ['test("\\\\8")', "8"],
  ['test("\\\\08")', "\u00008"],
  ['test("\\\\x{110000}")', "a"],
  ['test("\\\\xZ")', "a"],
  ['test("\\\\x4")', "\u0004"],
  ['test("\\\\C-a")', "\u0001"],
  ['test("\\\\M-a")', "a"],
  ['test("a|*")', "a"],
  ['test("(*FAIL)")', "a"],
  ['test("(?{x})")', "a"],
  ['test("+")', "+"],
  ['test("(?z)")', "+"],
  ['test("(?")', "+"],
  ['test("(?<")', "+"],
  ['test("[a-")', "+"],
  ['test("[a\\\\")', "+"],
  ['test("[[:alpha:")', "+"],
  ['test("a{1")', "a{1"],
  ['test("a{1,2")', "a{1,2"],
  ['test("a{x}")', "a{x}"],
  ['test("(?<n>a)(?<n>b)\\\\k<n>")', "abb"],
  ['test("\\\\y")', "y"],
  ['test("\\\\Y")', "Y"],
  ['test("\\\\X")', ""],
  ['[match("(?~ab)";"g")|[.offset,.string]]', "xxabyab"],
  ['[match("(?~ab)").string]', "abc"],
  ['[match("(?~a*)").string]', "abc"],
  ['[match("(?~abc)").string]', "xababcx"],
  ['[match("^(?~ab)$").string]', "aab"],
  ['[match("/\\\\*(?~\\\\*/)\\\\*/").string]', "a /* b */ c */"],
];

const jq = await loadJq();

const known = new Map<string, string>();

function reference(program: string, input: unknown): string {
  const key = JSON.stringify([program, input]);
  let output = known.get(key);
  if (output === undefined) {
    const { stdout, stderr } = jq.raw(JSON.stringify(input), program, ["-c"]);
    output = stdout.trim() || stderr.trim().replace(/^jq: error \(at .*?\): /, "error: ");
    known.set(key, output);
  }
  return output;
}

function ours(program: string, input: string | number): string {
  try {
    return evaluate(program, input)
      .map((output) => JSON.stringify(output))
      .join("\n");
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

describe("as in the reference", () => {
  test.each(cases)("%s of %j", (program, input) => {
    expect(ours(program, input)).toBe(reference(program, input));
  });
});

describe("as in the reference, also when JavaScript's engine runs what it may", () => {
  test.each(cases)("%s of %j", (program, input) => {
    const { filter } = compile(program);
    const run = () =>
      filter!
        .all(input)
        .map((output) => JSON.stringify(output))
        .join("\n");
    const expected = reference(program, input);
    if (filter === undefined || expected.startsWith("error")) return;
    // That is found out only when a pattern has been used for a while.
    for (let i = 0; i < 200; i++) run();
    expect(run()).toBe(expected);
  });
});

describe("bounded", () => {
  const hard: readonly (readonly [string, string])[] = [
    ["(a+)+$", `${"a".repeat(100_000)}b`],
    ["(a|a)*b", "a".repeat(100_000)],
    ["^(\\w+\\s?)*$", `${"word ".repeat(20_000)}!`],
    ["(?<p>a\\g<p>?)+b", "a".repeat(50_000)],
    ["(.*)*\\1x", "ab".repeat(20_000)],
    ["(?<=.{500}a)b", "a".repeat(50_000)],
  ];
  test.each(hard)("%s ends", (pattern, text) => {
    const run = () => evaluate(`test(${JSON.stringify(pattern)})`, text, { budget: { steps: 300_000 } });
    try {
      expect(run()).toEqual([false]);
    } catch (error) {
      expect(error).toBeInstanceOf(JqError);
      expect((error as JqError).kind).toBe("budget");
    }
  });

  test.each([
    ["a long text in one run", "^a*$", "a".repeat(1_000_000), true],
    ["a long text in a loop of groups", "^(?:ab)*$", "ab".repeat(200_000), true],
    ["deep groups", `${"(".repeat(900)}a${")".repeat(900)}`, "a", true],
  ])("%s needs no stack", (_, pattern, text, expected) => {
    expect(evaluate(`test(${JSON.stringify(pattern)})`, text)).toEqual([expected]);
  });

  test("too deep a pattern is refused", () => {
    expect(regexProblem("(".repeat(20_000))).toBe("Regex failure: too deep nest level");
  });
});

describe("what is wrong with a pattern is known without running it", () => {
  test.each([
    ["(", "", "Regex failure: end pattern with unmatched parenthesis"],
    ["a", "q", "q is not a valid modifier string"],
    ["a(b)", "gx", undefined],
  ])("%s with flags %j", (pattern, flags, problem) => {
    expect(regexProblem(pattern, flags)).toBe(problem);
  });
});
