import { nearest } from "@configc/jq/internal";
import { rootPaths, takesRoots } from "../../../bind/roots-input.ts";
import { defineRule } from "../../../findings/rule.ts";
import { inputRoots } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const notARoot = defineRule<{ name: string }>({
  id: "reference/not-a-root",
  severity: "warning",
  summary: "A first step reads a member that only a response or a payload has",
  why: "Before the first request there is no response. The input of the first step has only `custom_data`, `data`, `polling_state` and `webhook`, so any other member is null, for every customer.",
  guards: ["D16", "command.!pipe"],
  message: ({ name }) => `There is no \`${name}\` here, because no request comes before this step.`,
  because: ({ name }) => ["the step's input has `custom_data`, `data` and the like", `\`.${name}\` is null`],
  help: () => "Move the `!http` before it, or read the output of another step.",
  examples: [
    {
      title: "D16",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [{"!jq": "{account_id: (.«account».id | tostring), description: .account.name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: (.account.id | tostring), description: .account.name}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [notARoot],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0) return;
      for (const { segments } of rootPaths(program)) {
        const [segment] = segments;
        if (segment === undefined || !isUnknown(segment.key)) continue;
        const name = `${segment.key}`;
        const written = program.node.value.slice(segment.start, segment.end);
        const from = segment.start + Math.max(0, written.indexOf(name));
        report(notARoot, { node: program.node, from, to: from + name.length }, { name });
        return;
      }
    },
    expansion({ root, rootExact, syntax, command, node }, report) {
      const [, index, member] = syntax.path;
      if (root !== "piped_content" || !rootExact || index?.text !== "0" || member === undefined) return;
      if (syntax.problem !== undefined || command === undefined || !isUnknown(member.text)) return;
      // Without a pipe, that is what is to be told.
      if (command.pipe === undefined || !takesRoots(command.pipe)) return;
      const at: StringPart = { node, from: member.start, to: member.end };
      report(notARoot, at, { name: member.text });
    },
  },
};
export default module;

/** A misspelled root is told as that. */
function isUnknown(key: string | number): boolean {
  return (
    typeof key === "string" &&
    !inputRoots.some((root) => root === key) &&
    nearest(key, inputRoots) === undefined
  );
}
