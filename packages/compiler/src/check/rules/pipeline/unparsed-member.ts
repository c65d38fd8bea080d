import type { Node } from "@configc/jq";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const unparsedMember = defineRule<{ name: string; step: number; parsed: number }>({
  id: "pipeline/unparsed-member",
  severity: "warning",
  summary: "A member is read from the payload's JSON text instead of the step that parsed it",
  why: "`!extract` with `to_json` parses texts and gives the values. In the payload itself they are still texts, and a text has no members: the program fails for every record.",
  guards: ["command.!extract", "D26"],
  message: ({ name, step }) =>
    `\`piped_content.${step}.${name}\` is a JSON text here. \`!extract\` parsed it, and gives the value.`,
  because: ({ name, step, parsed }) => [
    `step ${parsed} parses \`${name}\``,
    `\`piped_content.${step}.${name}\` is the text that it parsed: it has no members`,
  ],
  help: ({ name, parsed }) => `Read \`\${piped_content.${parsed}.${name}}\`.`,
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!extract": {"item_keys": ["person", "form"], "to_json": true}}, {"!jq": "${piped_content.«0».person} as $person | {email: $person.email, form: .form.title}"}]}',
      good: '{"!pipe": [{"!extract": {"item_keys": ["person", "form"], "to_json": true}}, {"!jq": ".person as $person | {email: $person.email, form: .form.title}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unparsedMember],
  checks: {
    command: {
      "!extract"({ argument, pipe, parent, stepsRun }, report, model) {
        if (argument?.kind !== "object" || pipe === undefined || parent !== pipe) return;
        const [keys, parses] = [argument.get("item_keys"), argument.get("to_json")];
        if (keys?.kind !== "array" || parses?.kind !== "boolean" || !parses.value) return;
        const names = keys.items.flatMap((item) => (item.kind === "string" ? [item.value] : []));
        for (const expansion of model.expansions) {
          const { root, rootExact, syntax, command, node } = expansion;
          const [, index, member] = syntax.path;
          if (
            root !== "piped_content" ||
            !rootExact ||
            syntax.problem !== undefined ||
            command?.pipe !== pipe
          )
            continue;
          if (index?.text !== `${stepsRun}` || member === undefined || !names.includes(member.text)) continue;
          if (command.stepsRun <= stepsRun || !readsMembers(expansion, command)) continue;
          const at = { node, from: index.start, to: index.end };
          report(unparsedMember, at, { name: member.text, step: stepsRun, parsed: stepsRun + 1 });
        }
      },
    },
  },
};
export default module;

/** Whether members are read of what an expansion gives: it isn't parsed again. */
function readsMembers(expansion: Expansion, { program }: Command): boolean {
  if (expansion.syntax.path.length > 3) return true;
  if (program === undefined || program.diagnostics.length > 0) return false;
  const hole = program.holes.indexOf(expansion as (typeof program.holes)[number]);
  const isIt = (node: Node): boolean => node.kind === "Hole" && node.hole === hole;
  return nodesIn(program.tree).some((node) => {
    if (node.kind === "Postfix") return isIt(node.head) && node.suffixes[0]?.kind === "Field";
    if (node.kind !== "Binding" || !isIt(node.source)) return false;
    const [pattern] = node.patterns;
    const name = pattern?.kind === "VariablePattern" ? pattern.name : undefined;
    return nodesIn(program.tree).some(
      (each) =>
        each.kind === "Postfix" &&
        each.head.kind === "Variable" &&
        each.head.name === name &&
        each.suffixes[0]?.kind === "Field",
    );
  });
}
