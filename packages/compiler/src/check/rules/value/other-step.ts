import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
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
      const named = namedIn(program);
      for (const { name, expansion } of named) tell(name, expansion, report);
      for (const { expansion, ...args } of namedTwice(named, program))
        report(otherStep, placeOf(expansion), args);
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const [name, read] = [nameOf(key), value === undefined ? undefined : bare(value)];
          if (name !== undefined && read?.kind === "Hole") tell(name, holes[read.hole], report);
        }
    },
  },
};
export default module;

/** A whole step under a name: `${piped_content.2} as $job`. */
interface Named {
  readonly name: string;
  readonly expansion: Expansion;
}

const namedIn = (program: JqProgram): readonly Named[] =>
  nodesOfKind(program, "Binding").flatMap(({ patterns: [pattern, ...others], source }) => {
    const read = bare(source);
    const expansion = read.kind === "Hole" ? program.holes[read.hole] : undefined;
    return pattern?.kind === "VariablePattern" && others.length === 0 && expansion !== undefined
      ? [{ name: `$${pattern.name}`, expansion }]
      : [];
  });

/**
 * `${piped_content.1} as $reading | ${piped_content.1} as $account`: one step under two names, of which one is that of another step; or one is its
 * own, and nothing reads what came in.
 */
function namedTwice(named: readonly Named[], { command, holes }: JqProgram) {
  const whole = named.filter(({ expansion }) => isWholeStep(expansion));
  const steps = command.pipe?.children.slice(0, command.stepsRun) ?? [];
  const nouns = steps.map(recordOf);
  return whole.flatMap(({ name, expansion }) => {
    const index = stepOf(expansion);
    const twins = whole.filter((each) => each.name !== name && stepOf(each.expansion) === index);
    const noun = nounOf(name);
    const given = index === 0 ? "input" : nouns[index - 1];
    if (twins.length !== 1 || given === undefined || noun === given) return [];
    if (index === 0) {
      const [other, ...others] = nouns.flatMap((each, at) =>
        each !== undefined && nounOf(each) === noun ? [at + 1] : [],
      );
      return other === undefined || others.length > 0 ? [] : [{ name, index, given, other, expansion }];
    }
    const readsInput = holes.some(
      ({ root, syntax }) => root === "piped_content" && syntax.path[1]?.text === "0",
    );
    const isOwn = nounOf(twins[0]!.name) === given;
    // `$r` and `$res` may be the record, whatever it is.
    if (readsInput || !isOwn || nouns.includes(noun) || noun.length < 3 || ofAny.test(noun)) return [];
    return given.startsWith(noun) ? [] : [{ name, index, given, other: 0, expansion }];
  });
}

const ofAny =
  /^(?:in|input|all|answer|response|res|result|body|data|page|doc|document|record|item|root|step|raw|this|that|old|new|full|whole|found|current)$/i;

const stepOf = ({ syntax }: Expansion): number => Number(syntax.path[1]?.text);
const nounOf = (name: string): string => singular(wordsOf(name).at(-1) ?? "");
const placeOf = ({ node, syntax }: Expansion) => ({
  node,
  from: syntax.path[0]!.start,
  to: syntax.path[1]!.end,
});

function tell(name: string, expansion: Expansion | undefined, report: Report): void {
  if (expansion === undefined || !isWholeStep(expansion)) return;
  const { command } = expansion;
  const index = stepOf(expansion);
  const steps = command?.pipe?.children.slice(0, command.stepsRun) ?? [];
  const given = recordOf(steps[index - 1]);
  const wanted = nounOf(name);
  if (given === undefined || given === wanted) return;
  const [other, ...others] = steps.flatMap((step, at) => (recordOf(step) === wanted ? [at + 1] : []));
  // Of two steps that ask for it, the one may be the record before, and the other the one behind.
  if (other === undefined || others.length > 0) return;
  report(otherStep, placeOf(expansion), { name, index, given, other });
}
