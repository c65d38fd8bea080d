import type { Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";

const listInList = defineRule<{ id: string }>({
  id: "value/list-in-list",
  severity: "warning",
  summary: "What was chosen in a multiselect is put into another list",
  why: 'The value of a multiselect is a list already. In brackets it becomes a list with one item, which is a list: `[["a","b"]]`. Services know no such item.',
  guards: ["D8", "D12", "field.type"],
  message: ({ id }) => `\`${id}\` is a multiselect, whose value is a list: this is a list in a list.`,
  because: ({ id }) => [`a customer chooses two of \`${id}\``, 'this is `[["a","b"]]`'],
  help: () => "Leave out the brackets.",
  examples: [
    {
      title: "D12",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      with: {
        "/workflows/0/data_pipeline/target/!http/path": '"/subscribers"',
        "/workflows/0/setup/select/form_fields/0/type": '"multiselect"',
      },
      bad: '{"lists": ["«${custom_data.list.value}»"]}',
      good: '{"lists": "${custom_data.list.value}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [listInList],
  checks: {
    expansion(expansion, report) {
      const { node, syntax } = expansion;
      const id = multiselectIn(expansion);
      if (id === undefined || node.parent?.kind !== "array") return;
      const template = parseTemplate(node.value);
      if (template !== undefined && isWhole(template))
        report(listInList, { node, from: syntax.start, to: syntax.end }, { id });
    },
    program(program, report) {
      // Lists of lists are made one again.
      if (!program.node.value.includes("[") || /\b(?:flatten|add)\b/.test(program.node.value)) return;
      for (const { body, start, end } of nodesOfKind(program, "Array")) {
        const only = body === undefined ? undefined : bare(body);
        const hole = only?.kind === "Hole" ? program.holes[only.hole] : undefined;
        const id = hole === undefined ? undefined : multiselectIn(hole);
        if (id !== undefined) report(listInList, { node: program.node, from: start, to: end }, { id });
      }
    },
  },
};
export default module;

/** The multiselect whose choice an expansion gives whole. */
function multiselectIn({ root, rootExact, fieldExact, fields, syntax }: Expansion): string | undefined {
  const isChoice = root === "custom_data" && rootExact && fieldExact && syntax.path.length === 3;
  if (!isChoice || fields.length === 0 || fields.some(({ type }) => type !== "multiselect")) return undefined;
  return fields[0]?.id;
}
