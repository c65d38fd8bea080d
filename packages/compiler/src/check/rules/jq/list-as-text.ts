import type { Call, Expression } from "@configc/jq";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const field =
  '{"id": "list", "label": "Boats", "type": "multiselect", "required": false, "options": [{"display": "Laser", "value": "laser"}, {"display": "Keelboat", "value": "keel"}]}';
const entry = (boats: string): string =>
  `{"!pipe": [{"!jq": "{email: .email, boats: (\${custom_data.list.value | default} | ${boats})}"}, {"!http": {"method": "POST", "path": "/entries", "body": "\${piped_content.1}"}}]}`;

const listAsText = defineRule<{ field: string; text: string }>({
  id: "jq/list-as-text",
  severity: "warning",
  summary: "What customers choose in a multiselect is taken for a text",
  why: "The value of a multiselect is a list. With `| default` it is a text only where nothing was chosen. A function for texts works then, and fails for everybody who did choose.",
  guards: ["field.type", "D12", "D7", "D23"],
  message: ({ field: id, text }) =>
    `\`${text}\` works on a text. What was chosen in \`${id}\` is a list, so it fails for each customer who chose something.`,
  because: ({ field: id, text }) => [
    `a customer chooses something in \`${id}\`: the value is a list`,
    `\`${text}\` fails with a list`,
  ],
  help: () => 'Take the list as it is: `if . == "" then [] else . end`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/setup/select/form_fields/0": field },
      bad: entry('«split(\\",\\")»'),
      good: entry('if . == \\"\\" then [] else . end'),
    },
  ],
});

const module: RuleModule = {
  rules: [listAsText],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !program.holes.some(isChoice)) return;
      // Who asks for the kind of a value, or catches what fails, knows of both.
      if (!functions.test(program.node.value) || aware.test(program.node.value)) return;
      for (const { stages } of nodesOfKind(program, "Pipeline"))
        for (const [index, stage] of stages.entries()) {
          const next = stages[index + 1];
          const hole = next !== undefined && isExpression(stage) ? choiceIn(stage, program) : undefined;
          if (hole === undefined || next === undefined || !isExpression(next)) continue;
          for (const call of takersIn(next))
            report(listAsText, partAt(program, call), {
              field: hole.syntax.path[1]?.text ?? "",
              text: excerpt(textAt(call, program), 40),
            });
        }
    },
  },
};
export default module;

const names =
  "split|splits|sub|gsub|ascii_downcase|ascii_upcase|test|match|capture|scan|startswith|endswith|tonumber|fromjson|fromdate|fromdateiso8601|strptime|trim|ltrim|rtrim|explode";
const functions = new RegExp(`\\b(?:${names})\\b`);
const ofText = new RegExp(`^(?:${names})$`);
const aware = /\b(?:type|arrays|strings|scalars|iterables|try|isvalid)\b|\?/;

/** What was chosen of several, with something else where nothing was. Without a default its type says all. */
const isChoice = ({ root, fields = [], syntax }: Expansion): boolean =>
  root === "custom_data" &&
  syntax.filters[0]?.name === "default" &&
  syntax.path.length === 3 &&
  fields.length > 0 &&
  fields.every(({ type }) => type === "multiselect");

/** The choice that an expression is. In quotes it would be a text. */
function choiceIn(node: Expression, program: JqProgram): Expansion | undefined {
  if (node.kind === "Group") return choiceIn(node.body, program);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined || source === node ? undefined : choiceIn(source, program);
  }
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  return hole !== undefined && isChoice(hole) ? hole : undefined;
}

/** The functions for texts that take a stage's own input. What a condition lets through has a type that says all. */
function takersIn(node: Expression): readonly Call[] {
  switch (node.kind) {
    case "Group":
      return takersIn(node.body);
    case "Call":
      return ofText.test(node.name.text) ? [node] : [];
    case "Array":
      return node.body === undefined ? [] : takersIn(node.body);
    case "Pipeline": {
      const [first] = node.stages;
      return first !== undefined && isExpression(first) ? takersIn(first) : [];
    }
    case "Alternative":
      return node.operands[0] === undefined ? [] : takersIn(node.operands[0]);
    case "Arithmetic":
      return takersIn(node.first);
    case "Comparison":
      return takersIn(node.left);
    case "Postfix":
      return takersIn(node.head);
    default:
      return [];
  }
}
