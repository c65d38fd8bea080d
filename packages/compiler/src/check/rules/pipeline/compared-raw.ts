import type { Expression } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { indexMade, stepBefore } from "../../../flow/producers.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { RuleModule } from "../../checks.ts";

const comparedRaw = defineRule<{ raw: string; name: string; step: number }>({
  id: "pipeline/compared-raw",
  severity: "warning",
  summary: "A value of the service is compared with one that a step has rewritten for it, as it was before",
  why: "A step writes a date or a code as the service does. The answer has it in that form, so the form of before is never equal to it: a record that is there isn't found, and each run makes it once more.",
  guards: ["expansion.piped_content", "command.!pipe", "D14"],
  message: ({ raw, name, step }) =>
    `Step ${step} makes \`${name}\` of \`${raw}\`, in another form. Here \`${name}\` of an answer is compared with the form of before.`,
  because: ({ raw, name, step }) => [
    `step ${step} writes \`${raw}\` in another form, as \`${name}\``,
    `the answer's \`${name}\` has that form`,
    "they are never equal",
  ],
  help: ({ name, step }) => `Compare with the \`${name}\` of step ${step}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, login: (.email | sub(\\"@.*\\"; \\"\\"))}"}, {"!http": {"path": "/members", "params": {"list": "${custom_data.list.value}"}}}, {"!switch": {"jq": "if any(.items[]; .login == ${«piped_content.0.email»}) then 0 else 1 end", "cases": [{"!print_c": "Known"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, login: (.email | sub(\\"@.*\\"; \\"\\"))}"}, {"!http": {"path": "/members", "params": {"list": "${custom_data.list.value}"}}}, {"!switch": {"jq": "if any(.items[]; .login == ${piped_content.1.login}) then 0 else 1 end", "cases": [{"!print_c": "Known"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [comparedRaw],
  checks: {
    program(program, report) {
      const { command, holes } = program;
      if (command.pipe === undefined || command.stepsRun < 2 || program.diagnostics.length > 0) return;
      // What an answer has is compared, and not what a step made with what it made it of.
      if (stepBefore(command)?.key !== "!http") return;
      if (!holes.some(({ root }) => root === "piped_content") || !/[!=]=/.test(program.node.value)) return;
      for (const node of nodesOfKind(program, "Comparison")) {
        if (node.operator !== "==" && node.operator !== "!=") continue;
        for (const [one, other] of [
          [node.left, node.right],
          [node.right, node.left],
        ] as const) {
          const hole = holeOf(one, program);
          const name = isOfAnswer(other) ? lastName(bare(other)) : undefined;
          const step = hole === undefined || name === undefined ? undefined : rewriterOf(hole, name, command);
          if (hole === undefined || name === undefined || step === undefined) continue;
          const { path } = hole.syntax;
          const at = { node: hole.node, from: path[0]!.start, to: path.at(-1)!.end };
          return report(comparedRaw, at, { raw: path.map(({ text }) => text).join("."), name, step });
        }
      }
    },
  },
};
export default module;

const isOfAnswer = (given: Expression): boolean => {
  const node = bare(given);
  return node.kind === "Postfix" && node.head.kind === "Identity";
};

/** The expansion that an operand is, by whatever name. */
function holeOf(given: Expression, program: JqProgram): Expansion | undefined {
  const node = bare(given);
  const bound = node.kind === "Variable" ? boundTo(program, node) : node;
  const value = bound === undefined ? undefined : bare(bound);
  const hole = value?.kind === "Hole" ? program.holes[value.hole] : undefined;
  return hole?.root === "piped_content" && hole.rootExact && hole.syntax.problem === undefined
    ? hole
    : undefined;
}

/** The step that makes a member of that name of what an expansion reads, in another form. */
function rewriterOf({ syntax }: Expansion, name: string, { pipe, stepsRun }: Command): number | undefined {
  const [, segment, ...members] = syntax.path;
  const index = Number(segment?.text);
  if (pipe === undefined || members.length === 0 || !(index >= 0)) return undefined;
  const raw = members.map(({ text }) => text).join("\n");
  for (let step = index + 1; step <= stepsRun; step++) {
    const { key, program } = pipe.children[step - 1] ?? {};
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) continue;
    if (indexMade(pipe, step - 1) !== indexMade(pipe, index) || !rewrites.test(program.node.value)) continue;
    const isMade = nodesOfKind(program, "Entry").some(
      ({ key: own, value }) => value !== undefined && nameOf(own) === name && isOtherForm(value, raw),
    );
    if (isMade) return step;
  }
  return undefined;
}

/** `.birthday | strptime(…) | strftime(…)`: a value of the input goes through what writes it otherwise. */
function isOtherForm(value: Expression, raw: string): boolean {
  const node = bare(value);
  if (node.kind !== "Pipeline") return false;
  const [first, ...others] = node.stages;
  const read = first?.kind === "Postfix" ? first : undefined;
  if (read?.head.kind !== "Identity" || stepsOf(read.suffixes)?.join("\n") !== raw) return false;
  return others.some((stage) =>
    nodesIn(stage).some((each) => each.kind === "Call" && rewrites.test(each.name.text)),
  );
}

/** What writes a time or a code in another form. */
const rewrites =
  /\b(?:strftime|todate|fromdate|fromdateiso8601|mktime|gsub|sub|ltrimstr|rtrimstr|tonumber)\b/;
