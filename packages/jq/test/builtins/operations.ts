import type { Json } from "../../src/index.ts";
import { builtins } from "../../src/index.ts";

/** One value of each kind, and those whose texts are cut in messages. */
export const values: readonly Json[] = [
  null,
  false,
  true,
  0,
  -2.5,
  3,
  "",
  "b,é",
  "a text that is longer than messages show",
  [],
  [1, "b", null],
  [[3, 1], { a: 2 }],
  {},
  { a: 1, b: [2] },
  { key: "a value that is longer than messages show" },
];

/** Fewer, for what takes two of them. */
export const pairValues: readonly Json[] = [
  null,
  true,
  1,
  -2.5,
  "b",
  "a text that is longer than messages show",
  [],
  [1, ["b"]],
  {},
  { a: { b: 1 } },
];

const binaryOperators = ["+", "-", "*", "/", "%", "==", "<", "<=", "and", "or", "//"];

const pathPrograms = [
  "$a[$b]",
  "$a[$b]?",
  "$a[$b:]",
  "$a[:$b]",
  "$a | .[$b] = 1",
  "$a | .[$b] += 1",
  "$a | .[$b] |= empty",
  "$a | .[$b:] = [9]",
  "$a | del(.[$b])",
  "$a | del(.[$b:])",
  "$a | path(.[$b])",
  "$a | getpath([$b])",
  "$a | setpath([$b]; 1)",
  "$a | delpaths([[$b]])",
  "$a | setpath($b; 1)",
  "$a | delpaths($b)",
  "$a | has($b)",
  "{($b): $a}",
  "$a as [$x] | $x",
  "$a as {$x} | $x",
  "$a as {($b): $x} | $x",
  "$a | limit($b; 1, 2)",
  "$a | first(range($b))",
  "$a | error($b)",
  "$a | [paths(. == $b)]",
  "$a | map(. == $b)",
  "$a | [.[] | . + $b]",
  "$a | [.[]? | try (. - $b) catch .]",
  "$a | any(. == $b)",
  "$a | sort_by(. == $b)",
  "$a | group_by($b)",
  "$a | pick(.[$b])",
  "$a | to_entries | map(.value == $b)",
  "$a | reduce .[] as $x ($b; . + $x)",
  "$a | IN($b, 1)",
  "$a | @base64 + ($b | @json)",
];

const unaryPrograms = [
  "-$a",
  "$a[]",
  "$a.a",
  '$a["a"]',
  "$a[0]",
  "$a[1:2]",
  "$a | .a.b.c = 1",
  "$a | .[0] = 1",
  "$a | .[] += 1",
  "$a | .. ",
  "$a | [.[]?]",
  "$a | path(..)",
  "$a | [..] | length",
  "$a | del(.a, .[0]?)",
  "$a | map(length)",
  "$a | map_values(empty)",
  "$a | with_entries(.value |= tojson)",
  "$a | [limit(2; .[])]",
  "$a | first(.[])",
  "$a | path(first(.a, .b))",
  "$a | tojson | fromjson",
  "$a | sort_by(.a)",
  "$a | group_by(.a)",
  "$a | unique_by(length)",
  "$a | min_by(.a)",
  "$a | max_by(length)",
  "$a | walk(.)",
  "$a | error",
  "$a | try error catch .",
  "$a | try error(.) catch .",
  "$a | [.[] as [$x] ?// $x | $x]",
  "$a | if . then 1 else 2 end",
  "$a | if . then 1 end",
  "$a | not",
  '$a | "\\(.)"',
  "$a | label $out | 1, break $out, 2",
  "$a | .a |= empty",
  "$a | env | type",
  "$a | INDEX(.a)",
  "$a | [combinations]",
  "$a | [.[]?, 1] | add",
  "$a | add(.[]?)",
  "$a | fromstream(tostream)",
  "$a | [1 | truncate_stream($a | tostream)]",
  '$a | [getpath(["a"], [0])?]',
  "$a | try (. as [$x, [$y]] | [$x, $y]) catch .",
  '$a | ltrimstr("a")',
  "$a | $__loc__",
  "$a | ascii_downcase?",
  "$a | @csv, @tsv",
  "$a | @uri",
  "$a | @sh",
  "$a | @base64",
  "$a | @base64d",
  "$a | @base32",
  "$a | @urid",
  "$a | @json",
  "$a | @text",
  "$a | tostream",
  "$a | ..|numbers",
  "$a | abs",
  "$a | have_literal_numbers",
];

/** Builtins whose result depends on the surroundings, or that are written in other tables. */
const elsewhere =
  /^(?:now|localtime|mktime|gmtime|strflocaltime|strftime|strptime|input|inputs|debug|stderr|halt|halt_error|env|input_filename|get_.*|input_line_number|modulemeta|builtins|repeat|recurse|range|until|while|test|match|capture|scan|sub|gsub|split|splits|combinations|have_decnum|gamma)$/;

/** Programs of `$a`, and programs of `$a` and `$b`. */
export function programs(): { readonly unary: readonly string[]; readonly binary: readonly string[] } {
  const known = builtins.filter(({ name }) => !elsewhere.test(name));
  const calls = (arity: number): readonly string[] =>
    known.filter(({ parameters }) => parameters.length === arity).map(({ name }) => name);
  return {
    unary: [...new Set([...unaryPrograms, ...calls(0).map((name) => `$a | ${name}`)])],
    binary: [
      ...new Set([
        ...binaryOperators.map((operator) => `$a ${operator} $b`),
        ...pathPrograms,
        ...calls(1).map((name) => `$a | ${name}($b)`),
        ...calls(2).map((name) => `null | ${name}($a; $b)`),
      ]),
    ],
  };
}

/** A program's outputs as one value, its error as another. */
export function wrapped(program: string): string {
  return `. as [$a, $b] | try {outputs: [${program}]} catch {error: .}`;
}
