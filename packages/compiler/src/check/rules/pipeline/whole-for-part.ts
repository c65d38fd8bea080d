import { defineRule } from "../../../findings/rule.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { RuleModule } from "../../checks.ts";

const wholeForPart = defineRule<{ member: string; read: string }>({
  id: "pipeline/whole-for-part",
  severity: "warning",
  summary: "A member gets a whole object that has a part of the member's name",
  why: "A step makes an object of several parts for a later request. If a member gets all of it, what was meant for that member is one level too deep, and the service finds nothing of what it asks for.",
  guards: ["command.!http", "command.!jq", "D8", "D14"],
  message: ({ member, read }) => `\`${member}\` gets all of \`${read}\`, which has a \`${member}\` in it.`,
  because: ({ member }) => [`\`${member}.${member}\` is sent`, `the service looks below \`${member}\``],
  help: ({ member, read }) => `Write \`\${${read}.${member}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{owner: {email: .email}, unit: {floor: 1}}"}, {"!http": {"method": "POST", "path": "/leases", "body": {"owner": "${«piped_content.1»}", "unit": "${piped_content.1.unit}"}}}]}',
      good: '{"!pipe": [{"!jq": "{owner: {email: .email}, unit: {floor: 1}}"}, {"!http": {"method": "POST", "path": "/leases", "body": {"owner": "${piped_content.1.owner}", "unit": "${piped_content.1.unit}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeForPart],
  checks: {
    expansion({ root, rootExact, syntax, node, command, position }, report) {
      const [first, index, ...below] = syntax.path;
      if (root !== "piped_content" || !rootExact || position !== "value" || below.length > 0) return;
      if (syntax.start > 0 || syntax.end < node.value.length || node.parent?.kind !== "member") return;
      const { name: member, parent } = node.parent;
      // What all of a request is called says nothing of what it is.
      if (command?.key !== "!http" || parent === command.argument) return;
      const step = command.pipe?.children[Number(index?.text) - 1];
      const ways = step?.key === "!jq" ? madeBy(step) : undefined;
      if (first === undefined || index === undefined || ways === undefined || ways.length === 0) return;
      if (!ways.every((way) => way.length > 1 && way.some(({ name }) => name === member))) return;
      report(
        wholeForPart,
        { node, from: first.start, to: index.end },
        { member, read: `piped_content.${index.text}` },
      );
    },
  },
};
export default module;
