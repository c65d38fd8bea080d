import type { Json } from "../../src/index.ts";
import type { ReferenceResult } from "./reference.ts";

export interface Difference {
  readonly program: string;
  readonly input: Json;
  readonly expected: ReferenceResult;
  readonly actual: ReferenceResult;
}

interface Pair {
  readonly program: string;
  readonly input: Json;
}

/**
 * A difference that we keep, as the README's table tells. It counts as kept only if its cause can be shown: the
 * same pair without the cause gives the same in both engines.
 */
interface Kept {
  readonly why: string;
  readonly isCandidate: (difference: Difference) => boolean;
  readonly withoutCause: (pair: Pair) => Pair;
}

/** The program with definitions of its own in place of builtins, which both engines then use. */
const defining =
  (definitions: string) =>
  ({ program, input }: Pair): Pair => ({ program: `${definitions} ${program}`, input });

const changing =
  (pattern: RegExp, replacement: string) =>
  ({ program, input }: Pair): Pair => ({
    program: program.replace(pattern, replacement),
    input: JSON.parse(JSON.stringify(input).replace(pattern, replacement)) as Json,
  });

/** Times that C libraries treat differently: numbers, their parts, and texts. */
const unusualTime =
  'if type == "number" then . < 0 or . > 1e12 elif type == "array" then ((.[0] | numbers) // 0) < 1000 elif type == "string" then test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$") | not else false end';

const kept: readonly Kept[] = [
  {
    why: "the C library of the reference build counts other times far from now, and reads other texts as times",
    isCandidate: ({ program }) => /gmtime|date|strftime/.test(program),
    withoutCause: defining(
      ["gmtime", "todate", "todateiso8601", "strftime(f)", "fromdateiso8601"]
        .map((head) => {
          const call = head.replace("(", "_of(");
          const inner = call === head ? `${head}_of` : call;
          return `def ${inner}: ${head}; def ${head}: if ${unusualTime} then error("unusual time") else ${inner} end;`;
        })
        .join(" "),
    ),
  },
  {
    why: "after an empty match jq goes on by a byte, not a character",
    isCandidate: ({ program }) => program.includes('"b?"'),
    withoutCause: changing(/"b\?"/g, '"b"'),
  },
  {
    why: "a zero that is negated has no sign; in jq it has one if it was computed",
    isCandidate: ({ program, expected }) =>
      /-0(?![\d.])/.test(JSON.stringify(expected)) || program.includes("@base64"),
    withoutCause: changing(/(^|[(,|;]\s*)-\s*(?=[.(](?!\d))/g, "$1 0 - "),
  },
  {
    why: "the last digit of powers is that of the JavaScript engine",
    isCandidate: ({ program }) => program.includes("exp2"),
    withoutCause: changing(/exp2/g, "floor"),
  },
  {
    why: "members whose names are digits come first",
    isCandidate: ({ program, input, expected }) =>
      /tostring|INDEX/.test(program) ||
      /"-?\d+"/.test(JSON.stringify(input)) ||
      /\\"-?\d+\\"/.test(JSON.stringify(expected)),
    withoutCause: (pair) =>
      defining(
        'def text_of: tostring; def tostring: if type == "number" then "n" + text_of else text_of end; def INDEX(s; f): reduce s as $row ({}; .["n" + ($row | f | tostring)] = $row); def INDEX(f): INDEX(.[]; f);',
      )(
        changing(/@(sh|text|json|html|uri)\b(?!\s*")/g, '("n" + @$1)')(changing(/"(-?\d+)"/g, '"n$1"')(pair)),
      ),
  },
  {
    why: "jq's messages end at a NUL",
    isCandidate: ({ program, input }) =>
      program.includes("fromjson") && JSON.stringify(input).includes("\\u0000"),
    withoutCause: changing(/\\u0000/g, "0"),
  },
  {
    why: "numbers are doubles unless they are asked to be exact",
    isCandidate: ({ input }) => JSON.stringify(input).includes('"1e3"'),
    withoutCause: changing(/"1e3"/g, '"13"'),
  },
  {
    why: "a range from nan is empty, in jq it has no end",
    isCandidate: ({ program }) => program.includes("range("),
    withoutCause: defining(
      'def range_of($from; $upto): range($from; $upto); def range($from; $upto): if [$from, $upto | numbers | isnan] | any then error("nan") else range_of($from; $upto) end;',
    ),
  },
];

/** Why a difference is kept; undefined if it isn't. `isDifferent` compares another pair. */
export async function reasonToKeep(
  difference: Difference,
  isDifferent: (pair: Pair) => Promise<boolean>,
): Promise<string | undefined> {
  const candidates = kept.filter(({ isCandidate }) => isCandidate(difference));
  for (const { why, withoutCause } of candidates) {
    if (!(await isDifferent(withoutCause(difference)))) return why;
  }
  const { program: text, input } = difference;
  const without = candidates.reduce<Pair>((pair, { withoutCause }) => withoutCause(pair), {
    program: text,
    input,
  });
  if (candidates.length > 1 && !(await isDifferent(without))) return "several of these together";
  // Its cause can't be taken away: the other alternatives are what the program is about. What breaks in jq's definitions of
  // builtins counts as well.
  if (
    text.includes("?//") &&
    /\b(?:break|first|limit|nth|isempty|any|all|walk|map_values|IN|del|pick|paths?)\b|[^=!<>]=[^=]/.test(text)
  ) {
    return "jq takes a break for a failure, and tries the next alternative of ?//; patterns in paths";
  }
  return undefined;
}
