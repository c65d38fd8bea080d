import { describe, expect, test } from "vitest";
import { completionContext, scopeAt, signatureAt, tokenAt, typeAt } from "../../src/editor/index.ts";
import { parse, printType } from "../../src/index.ts";
import { named } from "./table.ts";

/** Takes the cursor `‸` out of a program. */
function cursor(marked: string): { text: string; offset: number } {
  return { text: marked.replace("‸", ""), offset: marked.indexOf("‸") };
}

describe("the type at a place", () => {
  test.each([
    [".lab‸els[].name", ".labels", "{name: string}[]"],
    [".labels[‸].name", ".labels[]", "{name: string}"],
    [".labels[].na‸me", ".labels[].name", "string"],
    [".labels | map(.na‸me)", ".name", "string"],
    ["‸.id + 1", ".id", "number"],
    [". as $i | $i.title | len‸gth", "length", "number"],
    ['"<\\(.ti‸tle)>"', ".title", "string"],
    ["def f(g): g; f(.i‸d)", ".id", "number"],
    ["if .body then .bo‸dy else 1 end", ".body", "string"],
  ])("%s", (marked, part, type) => {
    const { text, offset } = cursor(marked);
    const found = typeAt(parse(text).program, named["issue"]!, offset)!;
    expect([text.slice(found.start, found.end), printType(found.output)]).toEqual([part, type]);
  });
});

describe("what can be completed", () => {
  test.each([
    [".‸", "member", "", "id"],
    [".ti‸t", "member", "tit", "id"],
    [".labels[0].‸", "member", "", "name"],
    [".labels | map(.‸", "member", "", "name"],
    [".labels[] | select(.‸) | .name", "member", "", "name"],
    ["if .done then .labels[].‸", "member", "", "name"],
    [". as $x | $x.‸ | 1", "member", "", "id"],
    ["{id: .id, ‸}", "object-key", "", "id"],
    ["{ti‸}", "object-key", "ti", "id"],
  ])("%s: members", (marked, kind, replaced, member) => {
    const { text, offset } = cursor(marked);
    const context = completionContext(text, offset, named["issue"]);
    expect(context.kind).toBe(kind);
    if (context.kind !== "member" && context.kind !== "object-key") return;
    expect(text.slice(context.replace.start, context.replace.end)).toBe(replaced);
    expect(printType(context.of)).toContain(member);
  });

  test.each([
    ["1 as $abc | $‸", "variable", "", "abc"],
    ["1 as $abc | $a‸b + 1", "variable", "ab", "abc"],
    ["def foo: 1; ‸", "expression", "", "foo"],
    ["def foo: 1; map(f‸", "expression", "f", "foo"],
    ["label $out | break $‸", "label", "", "out"],
    [". | @‸", "format", "", undefined],
    ['@js‸ "x"', "format", "js", undefined],
    ['"ab‸c"', "none", undefined, undefined],
    ['"ab\\(.a + ‸)"', "expression", "", undefined],
    ["1 # ‸", "none", undefined, undefined],
    ["1 as $x‸ | 2", "none", undefined, undefined],
    ["def f‸: 1; f", "none", undefined, undefined],
    ["‸", "expression", "", undefined],
  ])("%s: names", (marked, kind, replaced, name) => {
    const { text, offset } = cursor(marked);
    const context = completionContext(text, offset);
    expect(context.kind).toBe(kind);
    if (!("replace" in context)) return;
    expect(text.slice(context.replace.start, context.replace.end)).toBe(replaced);
    if (name === undefined || !("names" in context)) return;
    const { variables, functions, labels } = context.names;
    expect([
      ...variables.map((variable) => variable.name),
      ...functions.map((known) => known.name),
      ...labels,
    ]).toContain(name);
  });

  test.each([
    ["‸", "if try reduce foreach label def"],
    [".a + ‸", "if try reduce foreach"],
    [".a | ‸", "if try reduce foreach label def"],
    ["map(‸", "if try reduce foreach label def"],
    [".a ‸", "and or as"],
    [".a a‸", "and or as"],
    ["if .a ‸", "and or as then"],
    ["if .a then .b ‸", "and or as elif else end"],
    ["if .a then .b else .c ‸", "and or as end"],
    ["if .a then .b elif .c ‸", "and or as then"],
    ["if .a then (.b ‸", "and or as"],
    ["if .a then .b end ‸", "and or as"],
    ["if .a then try .b ‸", "and or as catch elif else end"],
    ["try .a ‸", "and or as catch"],
    ["try .a | .b ‸", "and or as"],
    ["try .a catch .b ‸", "and or as"],
    ["reduce .[] ‸", "as"],
    ["reduce .[] as $x (0; . ‸", "and or as"],
    ['"a\\(.b ‸)"', "and or as"],
    ["‸ | .a", "if try reduce foreach label def"],
    ["‸ {a}", ""],
    [".a‸", undefined],
    ["]‸", undefined],
  ])("%s: forms of the syntax", (marked, forms) => {
    const { text, offset } = cursor(marked);
    const context = completionContext(text, offset);
    expect("forms" in context ? context.forms.join(" ") : undefined).toBe(forms);
  });

  test("nothing inside of an expansion", () => {
    const holes = [{ start: 1, end: 8 }];
    expect(completionContext(".${a.bc} | .", 4, named["issue"], { holes }).kind).toBe("none");
    expect(completionContext("${a.b} | .", 10, named["issue"], { holes: [{ start: 0, end: 6 }] }).kind).toBe(
      "member",
    );
  });
});

test("names are visible from where they are bound to the end of their pipeline", () => {
  const text = "def f($n): $n; (1 as [$a, {b: $c}] | reduce .[] as $r (0; . + $r)) | def g: 2; g";
  const at = (offset: number): string[] => {
    const { variables, functions } = scopeAt(parse(text).program, offset, ["given"]);
    return [
      ...variables.map(({ name }) => `$${name}`),
      ...functions.map(({ name, arity }) => `${name}/${arity}`),
    ];
  };
  const outer = ["$given", "$__loc__", "$ENV"];
  expect(at(text.indexOf("$n;") + 1)).toEqual(["$n", ...outer, "n/0", "f/1"]);
  expect(at(text.indexOf("reduce") + 8)).toEqual(["$c", "$a", ...outer, "f/1"]);
  expect(at(text.indexOf("+ $r"))).toEqual(["$r", "$c", "$a", ...outer, "f/1"]);
  expect(at(text.length)).toEqual([...outer, "g/0", "f/1"]);
});

test.each([
  ["map(‸", ["map(update)"], 0],
  ['sub("a"; ‸)', ["sub($regex; replacement)", "sub($regex; replacement; $flags)"], 1],
  ["limit(1; .[] | (‸", ["limit($count; generator)"], 1],
  ["def f($a; g): 1; f(1; ‸)", ["f($a; g)"], 1],
  ["map({a: (.b + ‸", ["map(update)"], 0],
  ["range(1; 2; ‸)", ["range($from; $upto; $by)", "range($upto)", "range($from; $upto)"], 2],
  ["length ‸", undefined, 0],
  ["limit(1; unknown(‸", undefined, 0],
  ["map(.a)‸", undefined, 0],
])("the signatures in %s", (marked, signatures, argument) => {
  const { text, offset } = cursor(marked);
  const help = signatureAt(text, offset);
  expect(help?.signatures.map(({ name, parameters }) => `${name}(${parameters.join("; ")})`)).toEqual(
    signatures,
  );
  if (help !== undefined) expect(help.argument).toBe(argument);
});

test.each([
  [".a‸ | b", "field", ".a"],
  ["a|‸b", "identifier", "b"],
  ["a‸|b", "identifier", "a"],
  ['"x‸y"', "string-text", "xy"],
  ["1 ‸ 2", undefined, undefined],
])("the token at %s", (marked, kind, part) => {
  const { text, offset } = cursor(marked);
  const token = tokenAt(text, offset);
  expect([token?.kind, token && text.slice(token.start, token.end)]).toEqual([kind, part]);
});
