import type { Expression } from "@configc/jq";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const field = (type: string): string =>
  `{"id": "list", "label": "Lists", "type": ${type}, "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}}`;

const choiceAsList = defineRule<{ field: string; text: string }>({
  id: "jq/choice-as-list",
  severity: "warning",
  summary: "What customers choose in a dropdown is taken for a list",
  why: "The value of a dropdown is that of one option, a text or a number. A function for lists fails with it, for every record.",
  guards: ["field.type", "D12", "D23"],
  message: ({ field: id, text }) =>
    `\`${text}\` works on a list. What was chosen in \`${id}\` is the value of one option, so it fails for each customer.`,
  because: ({ field: id, text }) => [
    `a customer chooses something in \`${id}\`: the value is that of one option`,
    `\`${text}\` fails with it`,
  ],
  help: ({ field: id }) => `Make \`${id}\` a \`multiselect\`, or use the value as it is.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!jq": "{email: .email, ids: (${custom_data.list.value} | map(tonumber)), note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      },
      bad: field('«"dropdown"»'),
      good: field('"multiselect"'),
    },
  ],
});

const module: RuleModule = {
  rules: [choiceAsList],
  checks: {
    reach: "linked",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !program.holes.some(isOneChoice)) return;
      // Who asks for the kind of a value, or catches what fails, knows of both.
      if (!listing.test(program.node.value) || aware.test(program.node.value)) return;
      for (const { stages } of nodesOfKind(program, "Pipeline"))
        for (const [index, stage] of stages.entries()) {
          const next = stages[index + 1];
          if (next === undefined || !isExpression(stage) || !isExpression(next) || !takesList(next)) continue;
          const source = bare(stage).kind === "String" ? undefined : valueBehind(stage, program);
          const hole = source?.kind === "Hole" ? program.holes[source.hole] : undefined;
          if (hole === undefined || !isOneChoice(hole) || !offersOneValue(hole, model)) continue;
          const type = hole.fields[0]!.node.get("type");
          const taken = partAt(program, next);
          report(
            choiceAsList,
            type ?? taken,
            { field: hole.fields[0]!.id ?? "", text: excerpt(textAt(next, program), 40) },
            [{ message: "taken for a list", at: taken }],
          );
        }
    },
  },
};
export default module;

const listing = /\b(?:map|join|any|all|add|sort|sort_by|unique)\b|\.\[\]/;
const aware = /\b(?:type|arrays|strings|scalars|iterables|try|isvalid|if)\b|\?/;

const isOneChoice = ({ root, fieldExact, fields = [], syntax }: Expansion): boolean =>
  root === "custom_data" &&
  fieldExact === true &&
  syntax.path[2]?.text === "value" &&
  syntax.path.length === 3 &&
  syntax.filters.length === 0 &&
  fields.length === 1 &&
  fields[0]?.type === "dropdown";

/** Whether a stage goes through the items of its input. */
function takesList(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Call") return /^(?:map|join|any|all|add|sort|sort_by|unique)$/.test(node.name.text);
  return node.kind === "Postfix" && node.head.kind === "Identity" && node.suffixes[0]?.kind === "Iterate";
}

/** Whether the options are made of a list, each with a member of a record as its value. Of those in the document the types tell. */
function offersOneValue({ fields: [field] }: Expansion, model: Model): boolean {
  const command = field === undefined ? undefined : flowOf(model).plainAt(field.node.get("options"));
  const last = command?.key === "!pipe" ? command.children.at(-1) : command;
  const program: JqProgram | undefined = last?.key === "!jq" ? last.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return false;
  const values = nodesOfKind(program, "Object").flatMap((object) =>
    entryOf(object, "display") === undefined ? [] : (entryOf(object, "value")?.value ?? []),
  );
  return (
    values.length > 0 &&
    values.every((value) =>
      /(?:^|[._])(?:id|code|key|slug|uuid|number)(?: \| tostring\)?)?$/.test(textAt(value, program)),
    )
  );
}
