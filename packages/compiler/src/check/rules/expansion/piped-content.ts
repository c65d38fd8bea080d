import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { stepsRunAt } from "../../../flow/producers.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt, plural } from "../../message-text.ts";
import { legalUsesIn } from "./uses.ts";

const badIndex = defineRule<{ found: string }>({
  id: "expansion/bad-step-index",
  severity: "error",
  summary: "`piped_content` needs the number of a step",
  why: "`piped_content.0` is the input of the pipe and `piped_content.N` the output of its step N. Steps have no names, and can't be counted from the end.",
  guards: ["D14", "expansion.piped_content"],
  message: ({ found }) => `The number of a step must be a whole number, 0 or more. It is \`${found}\`.`,
  help: () => "0 is the input of the pipe, 1 the output of its first step.",
  examples: [
    {
      title: "D14: a name",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"${piped_content.«last»}"',
      good: '"${piped_content.0}"',
    },
    {
      title: "D14: negative",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"${piped_content.«-1».email}"',
      good: '"${piped_content.0.email}"',
    },
  ],
});

type StepNotRun = {
  index: string;
  /** How many steps have run. */
  run: number;
  /** What the indexes that exist stand for, from 1. */
  steps: readonly string[];
  kind: "own" | "later" | "none";
  piped: boolean;
  nested: boolean;
};

const stepNotRun = defineRule<StepNotRun>({
  id: "expansion/step-not-run",
  severity: "error",
  summary: "`piped_content` reads the output of a step that hasn't run",
  why: "A step sees the input of its pipe and the outputs of earlier steps. Reading any other step fails for every customer. Every step counts, including `!print_c` and `!save`; a nested pipe counts its own steps.",
  guards: ["D14", "D11", "expansion.piped_content", "command.!pipe"],
  message: ({ index, run, kind, piped }) => {
    if (!piped)
      return `There is no \`piped_content.${index}\`. This command isn't in a \`!pipe\`, so there is only \`piped_content.0\`, its input.`;
    const have = run === 0 ? "No step has" : `${plural(run, "step")} ${run === 1 ? "has" : "have"}`;
    const what = {
      own: "is the output of this command itself",
      later: "is the output of a later step",
      none: "doesn't exist",
    }[kind];
    return `${have} run here, and \`piped_content.${index}\` ${what}.`;
  },
  help: ({ steps, piped, nested }) => {
    if (!piped) return undefined;
    const list = steps.map(
      (step, number) => `${number + 1} = ${step === "" ? "a broken step" : `\`${step}\``}`,
    );
    return `${["0 = input", ...list].join(", ")}.${nested ? " A nested `!pipe` counts its own steps." : ""}`;
  },
  examples: [
    {
      title: "D14: only one step has run",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.«3».email}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.1.email}}"}]}',
      fixed: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.1.email}}"}]}',
    },
    {
      title: "D14: its own output",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.«2».email}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.1.email}}"}]}',
      fixed: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{email: ${piped_content.1.email}}"}]}',
    },
    {
      title: "D14: a nested pipe counts its own steps",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!pipe": [{"!jq": "${piped_content.«1»}"}, {"!jq": "{email}"}]}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!pipe": [{"!jq": "${piped_content.0}"}, {"!jq": "{email}"}]}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/me"}}, {"!pipe": [{"!jq": "${piped_content.0}"}, {"!jq": "{email}"}]}]}',
    },
    {
      title: "D14: a case of a `!switch` counts in the pipe around it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!switch": {"jq": "0", "cases": [{"!jq": "${piped_content.«2»}"}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!switch": {"jq": "0", "cases": [{"!jq": "${piped_content.1}"}]}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/me"}}, {"!switch": {"jq": "0", "cases": [{"!jq": "${piped_content.1}"}]}}]}',
    },
    {
      title: "D11: a pipeline command in no pipe has only its input",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"${piped_content.«1»}"',
      good: '"${piped_content.0}"',
      fixed: '"${piped_content.0}"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const { node, from, to } = at as StringPart;
    const bracketed = node.value.charAt(from) === "[";
    const text = bracketed ? `[${args.run}]` : `${args.run}`;
    const edits = [replaceInString(document, node, from, to, text)];
    const what = args.steps[args.run - 1];
    return [
      {
        title: `Change to \`piped_content.${args.run}\`, ${what === undefined || what === "" ? "the input" : `the output of \`${what}\``}`,
        safe: false,
        edits,
      },
    ];
  },
});

const module: RuleModule = {
  rules: [badIndex, stepNotRun],
  checks: {
    part(part, report, model) {
      for (const { names, command } of legalUsesIn(part, model, "piped_content")) {
        const [index] = names;
        if (index === undefined || command === undefined) continue;
        if (!/^\d+$/.test(index.text)) report(badIndex, index, { found: excerpt(index.text) });
        else {
          const run = stepsRunAt(command);
          if (Number(index.text) > run) report(stepNotRun, index, stepArgs(index.text, run, command));
        }
      }
    },
  },
};
export default module;

function stepArgs(index: string, run: number, { pipe }: Command): StepNotRun {
  const all = pipe?.children ?? [];
  const number = Number(index);
  return {
    index: index.length > 20 ? `${index.slice(0, 20)}…` : index,
    run,
    steps: all.slice(0, run).map((step) => step?.key ?? ""),
    kind: number === run + 1 ? "own" : number <= all.length ? "later" : "none",
    piped: pipe !== undefined,
    nested: pipe?.pipe !== undefined,
  };
}
