import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type ValueReaders, valueReaders } from "../../../flow/protocol/value-readers.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const logOutput = defineRule<{ index: number; instead: number }>({
  id: "pipeline/log-output",
  severity: "warning",
  summary: "An expansion reads the output of a log entry, and nothing reads the step behind it",
  why: "Every step counts, a log entry too. Where one was put in, the numbers behind it move on by one. A number that stayed reads what the log entry got, and the output that was meant is lost.",
  guards: ["expansion.piped_content", "command.!print_c", "D14"],
  message: ({ index, instead }) =>
    `Step ${index} is a log entry and gives what it got. Nothing reads the output of step ${instead}.`,
  because: ({ index, instead }) => [
    `step ${index} is \`!print_c\`: \`piped_content.${index}\` is what came into it`,
    `step ${instead} gives something, and nothing takes it`,
  ],
  help: ({ instead }) => `Did you mean \`piped_content.${instead}\`?`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!print_c": "Adds ${piped_content.0.email}"}, {"!http": {"path": "/people/find", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/entries", "body": {"person": "${piped_content.«1»}"}}}]}',
      good: '{"!pipe": [{"!print_c": "Adds ${piped_content.0.email}"}, {"!http": {"path": "/people/find", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/entries", "body": {"person": "${piped_content.2}"}}}]}',
      fixed:
        '{"!pipe": [{"!print_c": "Adds ${piped_content.0.email}"}, {"!http": {"path": "/people/find", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/entries", "body": {"person": "${piped_content.2}"}}}]}',
      also: ["unused/step-output"],
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const module: RuleModule = {
  rules: [logOutput],
  checks: {
    part(part, report) {
      if (!part.commands.some(({ key, pipe }) => key === "!print_c" && pipe !== undefined)) return;
      let readers: ValueReaders | undefined;
      for (const { root, rootExact, syntax, command, node } of part.expansions) {
        const segment = syntax.path[1];
        const index = Number(segment?.text);
        if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) continue;
        if (segment === undefined || !(index > 0) || command === undefined || command.stepsRun <= index)
          continue;
        const [log, behind] = [command.pipe?.children[index - 1], command.pipe?.children[index]];
        if (log?.key !== "!print_c" || behind === undefined || !isToBeRead(behind)) continue;
        readers ??= valueReaders(part);
        const { members, whole } = readers.of(behind);
        if (whole || members.size > 0) continue;
        report(logOutput, { node, from: segment.start, to: segment.end }, { index, instead: index + 1 });
      }
    },
  },
};
export default module;

/** Whether a step is there for what it gives: what only writes may have an answer that nobody needs. */
function isToBeRead({ key, argument }: Command): boolean {
  if (key === "!http") return /^(?:get|)$/i.test(textOf(argument, "method") ?? "");
  return key === "!jq" || key === "!switch" || key === "!extract" || key === "!pipe";
}
