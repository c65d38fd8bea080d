import { describe, expect, it } from "vitest";
import { compile, type Filter, JqError, type Json, parseExact } from "../src/index.ts";

/**
 * Names that a program knows before it runs are read and set in ways of their own; they must give what a name gives that
 * is only known when running.
 */
const plain = ["name", "first-name", "a name of more than fifteen characters", "", "ключ", "\ud83d\ude00"];
const ofArrays = ["0", "7", "-1", "length", "values", "keys", "at", "map"];
const ofTexts = ["link", "toFixed"];
const ofExactNumbers = ["text", "negated", "toNumber"];
const ofAll = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"];
/** More than `inline-caches` has places for; those at the end share theirs. */
const many = Array.from({ length: 200 }, (_, at) => `member ${at}`);
const names = [...plain, ...ofArrays, ...ofTexts, ...ofExactNumbers, ...ofAll, ...many.slice(-3)];

function inputsFor(name: string): readonly Json[] {
  const member = JSON.stringify(name);
  const [own, empty] = [`{${member}: "own", "other": 1}`, `{${member}: null}`].map((text) =>
    JSON.parse(text),
  );
  const large = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`m${at}`, at]));
  const others = [[], ["item"], null, true, 5, "text", parseExact("12345678901234567890")];
  return [own, empty, {}, { other: 1 }, large, ...others];
}

function filterOf(program: string): Filter {
  const { filter, diagnostics } = compile(program, { variables: ["n"], exact: true });
  if (filter === undefined) throw new Error(JSON.stringify(diagnostics));
  return filter;
}

/** What a program gives or how it fails. */
function outcome(filter: Filter, input: Json, name: string): unknown {
  try {
    return JSON.stringify(filter.all(input, { bindings: { variables: { n: name } } }));
  } catch (error) {
    if (error instanceof JqError) return error.message;
    throw error;
  }
}

function expectTheSame(known: string, unknown: Filter, name: string): void {
  const filter = filterOf(known);
  for (const input of inputsFor(name)) {
    const what = `${known} of ${JSON.stringify(input)?.slice(0, 80)}`;
    expect(outcome(filter, input, name), what).toBe(outcome(unknown, input, name));
  }
}

/** Each with the same where the name is only known when running. */
const forms: readonly (readonly [string, (literal: string) => string, string])[] = [
  ["a member", (name) => `.[${name}]`, ".[$n]"],
  ["a member after a dot", (name) => `.${name}`, ".[$n]"],
  ["an optional member", (name) => `.[${name}]?`, ".[$n]?"],
  ["a member of a member", (name) => `.[${name}][${name}]`, ".[$n][$n]"],
  ["a member of many", (name) => `(., .) | .[${name}]?`, "(., .) | .[$n]?"],
  ["a key", (name) => `{${name}: 1, other: ., ${name}: 2}`, "{($n): 1, other: ., ($n): 2}"],
  ["a key in parentheses", (name) => `{(${name}): .}`, "{($n): .}"],
  ["a key that stands for a member", (name) => `{${name}}`, "{($n): .[$n]}"],
  ["several keys", (name) => `{a: 1, b: 2, c: 3, d: 4, ${name}: 5}`, "{a: 1, b: 2, c: 3, d: 4, ($n): 5}"],
  ["a key with several values", (name) => `[{${name}: (1, 2)}]`, "[{($n): (1, 2)}]"],
];

describe("names known before a program runs", () => {
  for (const name of many) filterOf(`.["${name}"], {"${name}"}`);

  it.each(forms)("%s", (_, known, unknown) => {
    const filter = filterOf(unknown);
    for (const name of names) expectTheSame(known(JSON.stringify(name)), filter, name);
  });

  it("identifiers are such names", () => {
    const member = filterOf(".[$n]");
    const object = filterOf("{($n): .[$n], other: 1}");
    for (const name of names.filter((one) => /^[a-z_]\w*$/i.test(one))) {
      expectTheSame(`.${name}`, member, name);
      expectTheSame(`{${name}, other: 1}`, object, name);
    }
  });

  it("members that the host left undefined are null", () => {
    const input = { name: undefined } as unknown as Json;
    expect(outcome(filterOf(".name, {name}, .name?"), input, "name")).toBe('[null,{"name":null},null]');
  });
});
