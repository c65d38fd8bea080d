import type { Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { spanOf } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { inputForPart, inputTwice } from "./input-twice.ts";
import { isWholeStep, recordOf } from "./step-records.ts";

const otherStep = defineRule<{ name: string; index: number; given: string; other: number }>({
  id: "value/other-step",
  severity: "warning",
  summary: "A record is called like the one that another step asked for",
  why: "`piped_content` counts the steps of a pipe. With another number it is another record: what is read of it is missing, or is somebody else's.",
  guards: ["command.!pipe", "D14"],
  message: ({ name, index, given, other }) =>
    `\`${name}\` gets the ${given} of \`piped_content.${index}\`. \`piped_content.${other}\` has what it is called.`,
  because: ({ name, index, given, other }) => [
    index === 0 ? "0 is all that came in" : `step ${index} asks for a ${given}`,
    `step ${other} ${index === 0 ? "takes" : "asks for"} what \`${name}\` says`,
  ],
  help: ({ other }) => `Read \`piped_content.${other}\`.`,
  examples: [
    {
      title: "A variable",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "(${«piped_content.2»}) as $job | {email: .email, number: $job.number}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "(${piped_content.1}) as $job | {email: .email, number: $job.number}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "(${piped_content.1}) as $job | {email: .email, number: $job.number}"}]}',
    },
    {
      title: "The input, which the program reads beside it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "${«piped_content.2»} as $j | {email: .customer.email, number: $j.number, state: $j.state}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "${piped_content.1} as $j | {email: .customer.email, number: $j.number, state: $j.state}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "${piped_content.1} as $j | {email: .customer.email, number: $j.number, state: $j.state}"}]}',
    },
    {
      title: "A member",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "{job: ${«piped_content.2»}, email: .email} | {email, number: .job.number}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "{job: ${piped_content.1}, email: .email} | {email, number: .job.number}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/jobs/${piped_content.0.job_id}"}}, {"!http": {"path": "/customers/${piped_content.1.customer_id}"}}, {"!jq": "{job: ${piped_content.1}, email: .email} | {email, number: .job.number}"}]}',
    },
  ],
  fixes: ({ at, args: { other } }, { document }) => [
    {
      title: `Read \`piped_content.${other}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: `piped_content.${other}` }],
    },
  ],
});

const module: RuleModule = {
  rules: [otherStep],
  checks: {
    program(program, report, model) {
      const { holes } = program;
      if (!holes.some(isWholeStep)) return;
      for (const { at, name, given, other } of inputTwice(program, model))
        report(otherStep, at, { name, index: program.command.stepsRun, given, other });
      for (const { at, name, given, other } of inputForPart(program, model))
        report(otherStep, at, { name, index: 0, given, other });
      for (const { patterns, source } of nodesOfKind(program, "Binding")) {
        const [pattern, ...others] = patterns;
        const read = bare(source);
        if (pattern?.kind === "VariablePattern" && others.length === 0 && read.kind === "Hole")
          tell(`$${pattern.name}`, holes[read.hole], report);
      }
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const [name, read] = [nameOf(key), value === undefined ? undefined : bare(value)];
          if (name !== undefined && read?.kind === "Hole") tell(name, holes[read.hole], report);
        }
    },
  },
};
export default module;

function tell(name: string, expansion: Expansion | undefined, report: Report): void {
  if (expansion === undefined || !isWholeStep(expansion)) return;
  const { command, node, syntax } = expansion;
  const [first, last] = [syntax.path[0]!, syntax.path[1]!];
  const index = Number(last.text);
  const steps = command?.pipe?.children.slice(0, command.stepsRun) ?? [];
  const given = recordOf(steps[index - 1]);
  const wanted = singular(wordsOf(name).at(-1) ?? "");
  if (given === undefined || given === wanted) return;
  const [other, ...others] = steps.flatMap((step, at) => (recordOf(step) === wanted ? [at + 1] : []));
  // Of two steps that ask for it, the one may be the record before, and the other the one behind.
  if (other === undefined || others.length > 0) return;
  report(otherStep, { node, from: first.start, to: last.end }, { name, index, given, other });
}
