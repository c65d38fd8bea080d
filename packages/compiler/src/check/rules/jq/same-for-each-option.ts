import type { Binding, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const source = (sides: string): string =>
  `{"!jq": ".\${custom_data.form.value} as $me | (if \${custom_data.form.value} == \\"giver\\" then ${sides} end) as $other | {email: $me.email, partner: $other.name}"}`;

const sameForEachOption = defineRule<{ text: string; name: string; other: string; field: string }>({
  id: "jq/same-for-each-option",
  severity: "warning",
  summary: "Two variables have the same value, whatever a customer chose",
  why: "Of two sides, a customer chooses one, and the program takes that one and the other one. With the branches the wrong way round both are the same side: the contact is their own partner.",
  guards: ["command.!jq", "D12"],
  message: ({ text, name, other, field }) =>
    `\`${text}\` is what \`$${other}\` is, whatever is chosen in \`${field}\`. So \`$${name}\` says nothing new.`,
  because: ({ name, other, field }) => [
    `each option of \`${field}\` was tried`,
    `\`$${name}\` and \`$${other}\` were the same member each time`,
  ],
  help: () => "Exchange the two branches, if the other side is meant.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "Contact", "type": "dropdown", "options": [{"display": "Who gives", "value": "giver"}, {"display": "Who receives", "value": "receiver"}]}',
      },
      bad: source(".giver else .receiver").replace("(if", "«(if").replace("end)", "end)»"),
      good: source(".receiver else .giver"),
    },
  ],
});

const module: RuleModule = {
  rules: [sameForEachOption],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || program.holes.length < 2) return;
      const bindings = nodesOfKind(program, "Binding");
      if (bindings.length < 2) return;
      const chosen = program.holes.find(
        ({ root, fields = [], syntax }) =>
          root === "custom_data" && syntax.path[2]?.text === "value" && fields[0]?.type === "dropdown",
      );
      const [field] = chosen?.fields ?? [];
      const options = field === undefined ? [] : staticOptions(field).map(({ value }) => value);
      if (field?.id === undefined || options.length < 2 || options.length > 20) return;
      const sides = bindings.flatMap((binding) => {
        const name = nameOf(binding);
        const all = options.map((option) => pathFor(binding.source, option, field, program));
        // What is the same for each option alone isn't chosen.
        return name !== undefined && !all.includes(undefined) && new Set(all).size > 1
          ? [{ binding, name, key: all.join("\n") }]
          : [];
      });
      for (const [index, { binding, name, key }] of sides.entries()) {
        const first = sides.slice(0, index).find((each) => each.key === key);
        if (first === undefined) continue;
        const text = excerpt(textAt(binding.source, program), 60);
        report(sameForEachOption, partAt(program, binding.source), {
          text,
          name,
          other: first.name,
          field: field.id,
        });
      }
    },
  },
};
export default module;

function nameOf({ patterns: [pattern, ...others] }: Binding): string | undefined {
  return pattern?.kind === "VariablePattern" && others.length === 0 ? pattern.name : undefined;
}

type Field = JqProgram["holes"][number]["fields"][number];

/** The member that an expression reads where an option is chosen. */
function pathFor(given: Expression, option: string, field: Field, program: JqProgram): string | undefined {
  const node = bare(given);
  const isChoice = (part: { readonly kind: string; readonly hole?: number }): boolean =>
    part.kind === "Hole" && program.holes[part.hole!]?.fields[0] === field;
  if (node.kind === "Postfix") {
    if (node.head.kind !== "Identity" && node.head.kind !== "Variable") return undefined;
    const names = node.suffixes.map((suffix) => {
      if (suffix.kind === "Index") return isChoice(bare(suffix.index)) ? option : constantOf(suffix.index);
      if (suffix.kind !== "Field") return undefined;
      const { key } = suffix;
      return key.kind === "Name" ? key.text : isChoice(key) ? option : undefined;
    });
    return names.every((name) => typeof name === "string")
      ? [node.head.kind === "Identity" ? "" : textAt(node.head, program), ...names].join(".")
      : undefined;
  }
  if (node.kind !== "If" || node.otherwise === undefined) return undefined;
  for (const { condition, body } of node.branches) {
    const asked = bare(condition);
    if (asked.kind !== "Comparison" || (asked.operator !== "==" && asked.operator !== "!=")) return undefined;
    const wanted = constantOf(asked.right);
    if (!isChoice(bare(asked.left)) || typeof wanted !== "string") return undefined;
    if ((wanted === option) === (asked.operator === "==")) return pathFor(body, option, field, program);
  }
  return pathFor(node.otherwise, option, field, program);
}
