import type { Command, FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";

const unsentChoice = defineRule<{ ids: readonly string[] }>({
  id: "unused/unsent-choice",
  severity: "warning",
  summary: "The last step of a target computes something of what a customer chose, and nothing sends it",
  why: "The platform ignores what a target gives. If its last program is the only one that reads a form field, the request that should send the result is missing: the customer's choice has no effect.",
  guards: ["data_pipeline.target", "command.!pipe", "expansion.custom_data", "D16"],
  message: ({ ids }) =>
    `Only this last program reads ${named(ids)}, and no request sends what it makes of ${ids.length > 1 ? "them" : "it"}.`,
  because: ({ ids }) => [
    `a customer fills in ${named(ids)}`,
    "the last program makes something of it",
    "the target ends, and its output is ignored",
  ],
  help: () => "Add the request that sends it, or move the program before the request that should.",
  examples: [
    {
      title: "D16",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {«"!jq"»: "{person: .id, list_id: ${custom_data.list.value}}"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .id, list_id: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/entries", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const named = (ids: readonly string[]): string => ids.map((id) => `\`${id}\``).join(", ");

const module: RuleModule = {
  rules: [unsentChoice],
  checks: {
    part(part, report) {
      for (const pipe of part.commands) {
        const step = pipe.key === "!pipe" ? lastProgram(pipe) : undefined;
        const ids = step === undefined ? [] : choicesReadOnlyBy(step, part);
        if (step !== undefined && ids.length > 0) report(unsentChoice, step.member.key, { ids });
      }
    },
  },
};
export default module;

/** The program whose output ends in nothing: the last step of a target, but for log entries that don't read it. */
function lastProgram({ children, place, parent }: Command): Command | undefined {
  if (place.name !== "data_pipeline.target" || parent !== undefined || children.length < 2) return undefined;
  const at = children.findLastIndex((child) => child?.key !== "!print_c");
  const step = children[at];
  if (step?.key !== "!jq" || step.program?.diagnostics.length !== 0) return undefined;
  // A program that may fail on purpose does something.
  if (/\b(?:error|halt)\b/.test(step.program.node.value)) return undefined;
  const read = new RegExp(String.raw`piped_content(?:\.|::)${at + 1}\b`);
  const isLogged = children
    .slice(at + 1)
    .some((child) => child?.argument?.kind !== "string" || read.test(child.argument.value));
  return isLogged ? undefined : step;
}

/** The form fields that a step reads, and no other command of its target. */
function choicesReadOnlyBy(step: Command, { expansions }: Part): readonly string[] {
  const own = new Set<FieldSymbol>();
  const others = new Set<FieldSymbol>();
  for (const { command, fields, fieldExact, root } of expansions)
    if (root === "custom_data" && command?.place.name === "data_pipeline.target")
      for (const field of fields) (command === step && fieldExact === true ? own : others).add(field);
  return [...own].flatMap((field) => (others.has(field) || field.id === undefined ? [] : [field.id]));
}

/** Whether this says of a pipe's last step what is wrong with it. */
export const endsInUnsentChoice = (pipe: Command, part: Part): boolean => {
  const step = lastProgram(pipe);
  return step !== undefined && choicesReadOnlyBy(step, part).length > 0;
};
