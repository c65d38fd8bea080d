import { defineRule } from "../../../findings/rule.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const wholeBesideParts = defineRule<{ member: string; read: string; parts: readonly string[] }>({
  id: "pipeline/whole-beside-parts",
  severity: "warning",
  summary: "A member gets all of a step's output, every part of which is sent beside it",
  why: "A step computes a date or two for a request. If another member of the request gets that step's whole output, it is most likely meant to get another step's, such as the contact: the service gets a record without a name and an email.",
  guards: ["command.!http", "expansion.piped_content", "D8", "D14"],
  message: ({ member, read, parts }) =>
    `\`${member}\` gets all of \`${read}\`, which has only ${parts.map((part) => `\`${part}\``).join(", ")}, and that is sent beside it.`,
  because: ({ member, parts }) => [`\`${member}\` is sent as \`{"${parts.join('": …, "')}": …}\``],
  help: ({ member }) => `Read the step that has what \`${member}\` should be.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["mapping/other-output"],
      bad: '{"!pipe": [{"!jq": "{wanted_on: (now | todate)}"}, {"!http": {"method": "POST", "path": "/releases", "body": {"wanted_on": "${piped_content.1.wanted_on}", "consignee": "${«piped_content.1»}"}}}]}',
      good: '{"!pipe": [{"!jq": "{wanted_on: (now | todate)}"}, {"!http": {"method": "POST", "path": "/releases", "body": {"wanted_on": "${piped_content.1.wanted_on}", "consignee": "${piped_content.0}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeBesideParts],
  checks: {
    expansion({ root, rootExact, syntax, node, command, position }, report) {
      const [first, index, ...below] = syntax.path;
      if (root !== "piped_content" || !rootExact || position !== "value" || below.length > 0) return;
      if (syntax.start > 0 || syntax.end < node.value.length || node.parent?.kind !== "member") return;
      const { name: member, parent } = node.parent;
      if (command?.key !== "!http" || parent === command.argument || parent?.kind !== "object") return;
      const step = command.pipe?.children[Number(index?.text) - 1];
      const ways = step?.key === "!jq" ? madeBy(step) : undefined;
      if (first === undefined || index === undefined || ways === undefined || ways.length !== 1) return;
      const parts = ways[0]!.map(({ name }) => name);
      const beside = new Set(parent.members.flatMap(({ value }) => partRead(value, index.text)));
      // Who logs what was computed calls it so.
      if (parts.length === 0 || isForLog.test(member) || !parts.every((part) => beside.has(part))) return;
      const at = { node, from: first.start, to: index.end };
      report(wholeBesideParts, at, { member, read: `piped_content.${index.text}`, parts });
    },
  },
};
export default module;

const isForLog = /raw|meta|debug|extra|payload|source|context|data/i;

/** `wanted_on` of `"${piped_content.1.wanted_on}"` */
function partRead(value: JsonNode | undefined, index: string): readonly string[] {
  if (value?.kind !== "string") return [];
  const [, step, part] = /^[$][{<]\s*piped_content\.(\d+)\.([\w-]+)\s*[}>]$/.exec(value.value) ?? [];
  return step === index && part !== undefined ? [part] : [];
}
