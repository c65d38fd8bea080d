import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const addedTimes = defineRule<{ first: string; second: string }>({
  id: "jq/added-times",
  severity: "warning",
  summary: "Two moments are added to each other",
  why: "Between two moments lies a length of time: the later one minus the earlier one. Their sum is a number of seconds that means nothing, some hundred years from now.",
  guards: ["D23"],
  message: ({ first, second }) => `\`${first}\` and \`${second}\` are both moments, and their sum is none.`,
  because: ({ first, second }) => [
    `\`${first}\`: 1767225600, the seconds since 1970`,
    `\`${second}\`: 1767200000`,
    "the sum is a day in the year 2081",
  ],
  help: () => "Subtract the earlier one.",
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, years: ((«now + (.joined_on | strptime(\\"%Y-%m-%d\\") | mktime)») / 31557600 | floor)}"}',
      good: '{"!jq": "{email: .email, years: ((now - (.joined_on | strptime(\\"%Y-%m-%d\\") | mktime)) / 31557600 | floor)}"}',
      fixed:
        '{"!jq": "{email: .email, years: ((now - (.joined_on | strptime(\\"%Y-%m-%d\\") | mktime)) / 31557600 | floor)}"}',
    },
  ],
  fixes: ({ at, args: { first } }, { document }) => {
    if (!("from" in at)) return [];
    const text = at.node.value.slice(at.from, at.to);
    const rest = text.startsWith(first) ? text.slice(first.length) : "";
    const plus = /^\s*\+/.exec(rest)?.[0].length;
    if (plus === undefined) return [];
    const from = at.from + first.length + plus - 1;
    return [
      { title: "Subtract it", safe: false, edits: [replaceInString(document, at.node, from, from + 1, "-")] },
    ];
  },
});

const module: RuleModule = {
  rules: [addedTimes],
  checks: {
    program(program, report) {
      if (!/\+/.test(program.node.value) || !/now|mktime|fromdate|_at\b|[a-z]At\b/.test(program.node.value))
        return;
      for (const node of nodesOfKind(program, "Arithmetic")) {
        const [step, ...others] = node.rest;
        // With a third term it may be a mean of two, or what lies between others.
        if (step?.operator !== "+" || others.length > 0) continue;
        const [first, second] = [momentIn(node.first, program), momentIn(step.operand, program)];
        if (first === undefined || second === undefined) continue;
        // A time that is read by its name alone may be a length, or a text.
        if (first === "named" && second === "named" && !isPair(node.first, step.operand, program)) continue;
        if (isHalved(node, program)) continue;
        report(
          addedTimes,
          { node: program.node, from: node.start, to: node.end },
          {
            first: excerpt(textAt(node.first, program), 60),
            second: excerpt(textAt(step.operand, program), 60),
          },
        );
      }
    },
  },
};
export default module;

/** Whether an expression gives a moment: by what makes it, or by its name. */
function momentIn(given: Expression, program: JqProgram): "made" | "named" | undefined {
  const node = bare(given);
  switch (node.kind) {
    case "Call":
      return /^(?:now|mktime|fromdate|fromdateiso8601)$/.test(node.name.text) ? "made" : undefined;
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : momentIn(source, program);
    }
    case "Pipeline": {
      const stages = stagesOf(node);
      if (stages.length < node.stages.length) return undefined;
      const last = stages.findLast((stage) => !(stage.kind === "Call" && keeps.test(stage.name.text)));
      return last === undefined ? undefined : momentIn(last, program);
    }
    case "Arithmetic":
      return node.rest.every(
        ({ operator, operand }) => operator === "*" && textAt(operand, program) === "1000",
      )
        ? momentIn(node.first, program)
        : undefined;
    case "Postfix": {
      const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
      return last?.kind === "Field" && last.key.kind === "Name" && named.test(last.key.text)
        ? "named"
        : undefined;
    }
    case "Hole":
    case "String":
      return /\.(?:x-[\w-]+-)?(?:request-)?(?:time|timestamp|request-ms)\b/.test(textAt(node, program))
        ? "named"
        : undefined;
    default:
      return undefined;
  }
}

const keeps = /^(?:floor|round|ceil|tonumber)$/;
const named = /_at$|[a-z]At$/;

/** `.left_at + .entered_at`, of one record, which is used as a number. */
function isPair(first: Expression, second: Expression, program: JqProgram): boolean {
  const [one, other] = [first, second].map((node) => textAt(bare(node), program).replace(/\.\w+$/, ""));
  return (
    one === other &&
    nodesOfKind(program, "Arithmetic").some(
      (node) =>
        node.start <= first.start &&
        second.end <= node.end &&
        node.rest.some(({ operator }) => operator === "/"),
    )
  );
}

/** The middle of two moments. */
const isHalved = (sum: Expression, program: JqProgram): boolean =>
  /^\s*\)*\s*\/\s*2\b/.test(program.node.value.slice(sum.end));
