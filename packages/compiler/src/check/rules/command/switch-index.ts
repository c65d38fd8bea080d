import { constant, type Expression, type Program } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt, plural } from "../../message-text.ts";

const switchIndex = defineRule<{ value: string; integer: boolean; count: number }>({
  id: "command/switch-index",
  severity: "error",
  summary: "A `!switch` picks a case that doesn't exist",
  why: "The program of a `!switch` gives the number of the case that runs, counted from 0. Any other value fails the command, and the customer's item is lost.",
  guards: ["D26", "command.!switch"],
  message: ({ value, integer, count }) =>
    integer
      ? `There is no case ${value}. This \`!switch\` has ${plural(count, "case")}: ${count === 1 ? "0" : `0 to ${count - 1}`}.`
      : `The index of a case must be a whole number. It is ${value}.`,
  because: ({ value, integer, count }) =>
    integer
      ? [`the cases are ${count === 1 ? "0" : `0 to ${count - 1}`}`, `the program gives ${value}: it fails`]
      : [`the program gives ${value}`, "no case has such a number: it fails"],
  help: ({ value, integer, count }) =>
    integer && Number(value) === count ? "The first case has the index 0." : undefined,
  examples: [
    {
      title: "D26: counted from 1",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "if .kind == \\"new\\" then 1 else «2» end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "{email: .mail}"}]}}',
      good: '{"!switch": {"jq": "if .kind == \\"new\\" then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "{email: .mail}"}]}}',
    },
    {
      title: "D26: negative",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "«-1»", "cases": [{"!jq": "{email: .email}"}]}}',
      good: '{"!switch": {"jq": "0", "cases": [{"!jq": "{email: .email}"}]}}',
    },
    {
      title: "D26: not a whole number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": ".kind as $kind | (.index // «\\"0\\"»)", "cases": [{"!jq": "{email: .email}"}]}}',
      good: '{"!switch": {"jq": ".kind as $kind | (.index // 0)", "cases": [{"!jq": "{email: .email}"}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [switchIndex],
  checks: {
    command: {
      "!switch"({ program, argument, children }, report) {
        const cases = argument?.kind === "object" ? argument.get("cases") : undefined;
        // No case at all is a finding about the list.
        if (program === undefined || cases?.kind !== "array" || children.length === 0) return;
        for (const { node: result, value } of constantResults(program.tree)) {
          const integer = typeof value === "number" && Number.isInteger(value);
          if (integer && value >= 0 && value < children.length) continue;
          report(
            switchIndex,
            { node: program.node, from: result.start, to: result.end },
            { value: excerpt(JSON.stringify(value), 30), integer, count: children.length },
          );
        }
      },
    },
  },
};
export default module;

/** The literals that a program can give as its value: all branches of an `if`, the sides of `//`, the end of a pipe. */
function constantResults(program: Program): readonly { node: Expression; value: unknown }[] {
  const found: { node: Expression; value: unknown }[] = [];
  const pending: (Expression | undefined)[] = [program.directives.length > 0 ? undefined : program.body];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) continue;
    switch (node.kind) {
      case "Group":
        pending.push(node.body);
        break;
      case "If":
        pending.push(node.otherwise, ...node.branches.map(({ body }) => body).reverse());
        break;
      case "Alternative":
        pending.push(...node.operands.toReversed());
        break;
      case "Pipeline": {
        const last = node.stages.at(-1);
        if (
          last !== undefined &&
          last.kind !== "Definition" &&
          last.kind !== "Binding" &&
          last.kind !== "Label"
        )
          pending.push(last);
        break;
      }
      default: {
        const value = constant({ ...program, body: node });
        if (value !== undefined) found.push({ node, value });
      }
    }
  }
  return found;
}
