import { describe, expect, test } from "vitest";
import { evaluate, type Json, parseInput, prepare, renderMessage } from "../../src/index.ts";
import { dates, JqError, load, type PreparedProgram, regularExpressions } from "../../src/run.ts";
import { conformanceCases, conformanceMissing } from "../support/conformance.ts";

/** What arrives in a page: nothing but JSON. */
function sent(program: PreparedProgram | undefined): PreparedProgram {
  return JSON.parse(JSON.stringify(program)) as PreparedProgram;
}

const libraries = [regularExpressions, dates];

describe("a prepared program gives what it gives otherwise", () => {
  test.each<[string, Json]>([
    [".items | map({name, total: (.prices | add)})", { items: [{ name: "a", prices: [1, 2] }] }],
    ['def twice(f): f, f; [twice(.a), (.b | map(. * 2))] | @json "\\(.)"', { a: 1, b: [2] }],
    ["with_entries(.value |= ascii_upcase) | to_entries", { a: "x" }],
    ["[limit(3; range(10))], (to_entries | from_entries), ([paths] | length)", { a: [1, { b: 2 }] }],
    ['[.[] | sub("(?<l>[a-z])"; "<\\(.l)>")], (map(test("b")) | any)', ["a1", "b2"]],
    ['map(fromdate | todate), (map(strptime("%Y-%m-%dT%H:%M:%SZ")) | length)', ["2026-01-02T03:04:05Z"]],
    [
      "reduce .[] as [$k, $v] ({}; .[$k] += $v), ([.. | numbers] | add)",
      [
        ["a", 1],
        ["a", 2],
      ],
    ],
    ["label $out | foreach .[] as $x (0; . + $x; ., if . > 3 then break $out else empty end)", [1, 2, 3]],
    ['walk(if type == "number" then . + 1 else . end) | tojson | fromjson', [1, [2]]],
    ["del(.[0]), (.[1:] = [5]), (.. |= .), pick(.[0])", [1, 2]],
    ['[splits(", *")] | join("-"), ascii, @base64', "a, b,c"],
  ])("%s", (text, input) => {
    const prepared = prepare(text);
    expect(prepared.diagnostics).toEqual([]);
    const filter = load(sent(prepared.program), { libraries });
    let outputs: readonly Json[];
    let message: string | undefined;
    try {
      outputs = filter.all(input);
    } catch (error) {
      outputs = (error as JqError).outputsSoFar;
      message = (error as JqError).message;
    }
    expect({ outputs, message }).toEqual(direct(text, input));
  });
});

function direct(text: string, input: Json): { outputs: readonly Json[]; message: string | undefined } {
  try {
    return { outputs: evaluate(text, input), message: undefined };
  } catch (error) {
    return { outputs: (error as JqError).outputsSoFar, message: (error as JqError).message };
  }
}

test.skipIf(conformanceMissing)("so does each of jq's own cases", () => {
  const different = conformanceCases().filter(({ program: text, input }) => {
    const { program } = prepare(text);
    if (program === undefined) return false;
    const value = JSON.parse(JSON.stringify(parseInput(input))) as Json;
    const filter = load(sent(program), { libraries: [...libraries, told] });
    const options = { clock: () => 0, timeZone: "UTC" };
    const outcome = (run: () => readonly Json[]) => {
      try {
        return JSON.stringify(run());
      } catch (error) {
        return (error as JqError).message;
      }
    };
    return outcome(() => filter.all(value, options)) !== outcome(() => evaluate(text, value, options));
  });
  expect(different.map(({ program }) => program)).toEqual([]);
});

/** What tells of the language itself isn't for a page; the cases ask for it. */
const told = {
  name: "introspection",
  tables: { values: { "builtins/0": () => evaluate("builtins", null)[0] ?? null } },
};

test("variables, exact numbers and custom functions are given as to compile", () => {
  const slug = { run: (input: Json) => String(input).toLowerCase() };
  const { program } = prepare(".[0] + $more | slug", { variables: ["more"], functions: { "slug/0": slug } });
  const filter = load(sent(program), { functions: { "slug/0": slug } });
  expect(filter.first(["AB"], { bindings: { variables: { more: "C" } } })).toBe("abc");
});

test("what a program needs and isn't given is said at once", () => {
  const { program } = prepare('test("a"), now');
  expect(() => load(sent(program))).toThrow(/calls .*match|test/);
  expect(() => load({ ...sent(program), version: 2 as 1 }, { libraries })).toThrow(/another version/);
});

test.each([
  ["lenght", "unknown-function"],
  ['import "a" as a; 1', "module-directive"],
  ['"x" | modulemeta', "not-implemented"],
])("%s can't be prepared", (text, code) => {
  const { program, diagnostics } = prepare(text);
  expect(program).toBeUndefined();
  expect(diagnostics.map((finding) => [finding.code, renderMessage(finding) !== ""])).toEqual([[code, true]]);
});

test("a failure has its place in the text", () => {
  const { program } = prepare('.a | error("no")');
  try {
    load(sent(program)).first({});
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(JqError);
    expect((error as JqError).span).toEqual({ start: 5, end: 16 });
  }
});
