import type { Command } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { ArrayNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const unreachableStep = defineRule<{ command: string; direct: boolean }>({
  id: "command/unreachable-step",
  severity: "warning",
  tag: "unnecessary",
  summary: "A `!pipe` step comes after one that always fails",
  why: "`!error` ends the command with a failure, so no later step runs, and nothing that it should send or save reaches the customer.",
  guards: ["command.!pipe", "command.!error", "D26"],
  message: ({ command, direct }) =>
    `This step, \`${command}\`, never runs: ${direct ? "the `!error` before it always fails" : "the step before it always ends in an `!error`"}.`,
  help: () => "To fail only sometimes, make the `!error` a case of a `!switch`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!error": "No email."}, {«"!jq"»: "{email: .email}"}]}',
      good: '{"!switch": {"jq": "if .email then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!error": "No email."}]}}',
      fixed: '{"!pipe": [{"!error": "No email."}]}',
    },
    {
      title: "every case of a switch fails",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!switch": {"jq": "if .email then 0 else 1 end", "cases": [{"!pipe": [{"!print_c": "stopped"}, {"!error": "Not yet."}]}, {"!error": "No email."}]}}, {«"!jq"»: "{email: .email}"}, {"!print_c": "done"}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .email then 0 else 1 end", "cases": [{"!jq": "."}, {"!error": "No email."}]}}, {"!jq": "{email: .email}"}, {"!print_c": "done"}]}',
      fixed:
        '{"!pipe": [{"!switch": {"jq": "if .email then 0 else 1 end", "cases": [{"!pipe": [{"!print_c": "stopped"}, {"!error": "Not yet."}]}, {"!error": "No email."}]}}]}',
    },
  ],
  fixes: ({ at }, { model }) => {
    const step = model.commands.find(({ member }) => member.key === at);
    const list = step?.node.parent as ArrayNode | undefined;
    const before = step === undefined ? undefined : list?.items[list.items.indexOf(step.node) - 1];
    const last = list?.items.at(-1);
    if (before === undefined || last === undefined) return [];
    const edits = [{ start: before.end, end: last.end, newText: "" }];
    return [{ title: "Remove the steps that never run", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [unreachableStep],
  checks: {
    command: {
      "!pipe"({ children }, report, model) {
        const failing = children.findIndex((child) => fails(child, model));
        const next = children[failing + 1];
        if (failing < 0 || next === undefined) return;
        const { key, member } = children[failing]!;
        report(unreachableStep, next.member.key, { command: next.key, direct: key === "!error" }, [
          { message: "always fails", at: member.key },
        ]);
      },
    },
  },
};
export default module;

/** Whether a command certainly ends the run with an error. */
const failing = derivedOf(({ key, children }: Command, model): boolean => {
  switch (key) {
    case "!error":
      return true;
    case "!pipe":
      return children.some((child) => fails(child, model));
    case "!switch":
      return children.length > 0 && children.every((child) => fails(child, model));
    default:
      return false;
  }
});

function fails(command: Command | undefined, model: Model): boolean {
  const key = command?.key;
  return (key === "!error" || key === "!pipe" || key === "!switch") && failing(command!, model);
}
