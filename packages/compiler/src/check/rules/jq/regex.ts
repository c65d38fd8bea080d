import { calls, type Expression, type FunctionCall, regexProblem } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { derivedFromText } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const invalidRegex = defineRule<{ pattern: string; problem: string }>({
  id: "jq/invalid-regex",
  severity: "error",
  summary: "jq refuses the regular expression or its flags",
  why: "The program stops with this error each time it runs, so the step always fails. Inside JSON, write each backslash of a regular expression four times: jq's string doubles it, and JSON doubles both.",
  guards: ["command.!jq", "D23"],
  message: ({ pattern, problem }) =>
    `\`${pattern}\` isn't a valid pattern or flag in jq: ${problem.replace(/^Regex failure: /, "")}.`,
  examples: [
    {
      title: "D23: a bracket that isn't closed",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, id: (.path | capture(«\\"form/(?<id>[0-9]+\\"»).id)}"}',
      good: '{"!jq": "{email: .email, id: (.path | capture(\\"form/(?<id>[0-9]+)\\").id)}"}',
    },
    {
      title: "D23: a flag that doesn't exist",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, phone: (.phone | gsub(\\" \\"; \\"\\"; «\\"gq\\"»))}"}',
      good: '{"!jq": "{email: .email, phone: (.phone | gsub(\\" \\"; \\"\\"; \\"g\\"))}"}',
    },
  ],
});

const matchesAll = defineRule<{ pattern: string }>({
  id: "jq/matches-all",
  severity: "warning",
  summary: "`test` with a pattern that every text matches",
  why: "A pattern of optional parts also matches the empty text, and with it a place in every other text. So `test` is always true, and what it should keep out goes through.",
  guards: ["command.!jq", "D23"],
  message: ({ pattern }) => `Every text matches \`${pattern}\`, so this is always true.`,
  because: ({ pattern }) => [
    `the empty text: \`${pattern}\` matches it`,
    "any other text: it matches the empty place at its beginning",
  ],
  help: () => "Make a part of the pattern required, or end it with `$`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .phone | test(«\\"^[+]?\\"») then {email: .email, phone: .phone} else null end"}',
      good: '{"!jq": "if .phone | test(\\"^[+]\\") then {email: .email, phone: .phone} else null end"}',
    },
  ],
});

/** Which argument of a function is its flags; the first one is always the pattern. */
const flagsOf: Readonly<Record<string, number | undefined>> = {
  "test/1": undefined,
  "test/2": 1,
  "match/1": undefined,
  "match/2": 1,
  "capture/1": undefined,
  "capture/2": 1,
  "scan/1": undefined,
  "scan/2": 1,
  "split/2": 1,
  "splits/1": undefined,
  "splits/2": 1,
  "sub/2": undefined,
  "sub/3": 2,
  "gsub/2": undefined,
  "gsub/3": 2,
};

interface Problem {
  readonly pattern: string;
  readonly problem: string;
  readonly from: number;
  readonly to: number;
}

const problemsOf = derivedFromText((tree): readonly Problem[] =>
  calls(tree).flatMap((call) => problemOf(call) ?? []),
);

function problemOf({ name, arity, node, builtin }: FunctionCall): Problem | undefined {
  const key = `${name}/${arity}`;
  if (builtin === undefined || !Object.hasOwn(flagsOf, key)) return undefined;
  const [first] = node.arguments;
  const pattern = first === undefined ? undefined : textOf(first);
  if (first !== undefined && pattern !== undefined) {
    const problem = regexProblem(pattern);
    if (problem !== undefined)
      return { pattern: excerpt(pattern), problem, from: first.start, to: first.end };
  }
  const at = flagsOf[key];
  const flagsNode = at === undefined ? undefined : node.arguments[at];
  const flags = flagsNode === undefined ? undefined : textOf(flagsNode);
  if (flagsNode === undefined || flags === undefined) return undefined;
  const problem = regexProblem("", flags);
  if (problem === undefined) return undefined;
  return { pattern: excerpt(flags), problem, from: flagsNode.start, to: flagsNode.end };
}

/** Patterns of `test` that match whatever text comes. */
const matchingAll = derivedFromText((tree): readonly Omit<Problem, "problem">[] =>
  calls(tree).flatMap(({ name, node, builtin }) => {
    const [first] = node.arguments;
    if (builtin === undefined || name !== "test" || first === undefined) return [];
    const pattern = textOf(first);
    if (pattern === undefined || !matchesEmptyPlaces(pattern)) return [];
    return [{ pattern: excerpt(pattern), from: first.start, to: first.end }];
  }),
);

/** Whether a pattern matches the empty text, and asks for nothing around it; what Node reads in another way isn't known. */
function matchesEmptyPlaces(pattern: string): boolean {
  if (/[$\\]|\(\?/.test(pattern)) return false;
  try {
    return new RegExp(pattern, "u").test("");
  } catch {
    return false;
  }
}

/** A text that is known before the program runs. */
function textOf(expression: Expression): string | undefined {
  const value = constantOf(expression);
  return typeof value === "string" ? value : undefined;
}

const module: RuleModule = {
  rules: [invalidRegex, matchesAll],
  checks: {
    program(program, report) {
      // Asked by the text first: most programs have no regular expression.
      if (
        program.diagnostics.length > 0 ||
        !/\b(?:test|match|capture|scan|splits?|g?sub)\b/.test(program.node.value)
      )
        return;
      for (const { pattern, problem, from, to } of problemsOf(program))
        report(invalidRegex, { node: program.node, from, to }, { pattern, problem });
      for (const { pattern, from, to } of matchingAll(program))
        report(matchesAll, { node: program.node, from, to }, { pattern });
    },
  },
};
export default module;
