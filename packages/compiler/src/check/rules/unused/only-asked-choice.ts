import { type Expression, type Node, resolve } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedFromText, derivedInPart } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, isLength, nodesIn } from "../../../flow/nodes.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { formsReadAsWhole, isFormReadingResolved } from "./form-readers.ts";

const withStages = {
  "/workflows/0/setup/select/form_fields/1":
    '{"label": "Stages", "id": "stages", "type": "multiselect", "options": [{"display": "Started", "value": "started"}, {"display": "Finished", "value": "finished"}]}',
};

const onlyAskedChoice = defineRule<{ id: string }>({
  id: "unused/only-asked-choice",
  severity: "warning",
  summary: "Of what a customer chooses, only whether anything was chosen is asked",
  why: "A condition that asks for the number of the chosen options is the same whichever they are; for a required field it is always true. So what the customer chose leaves nothing out, and nobody notices.",
  guards: ["command.!jq", "select.form_fields", "D12", "D23"],
  message: ({ id }) =>
    `Of the form field \`${id}\` the app only asks whether anything was chosen. What was chosen has no effect.`,
  because: ({ id }) => [`a customer chooses one option of \`${id}\``, "another choice has the same outcome"],
  help: () => "Compare what was chosen with the record: `any(…[]; . == $kind)`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: withStages,
      bad: '{"!jq": "if (${custom_data.form.value} == .form_id) and («${custom_data.stages.value}» | length > 0) then {email: .email} else null end"}',
      good: '{"!jq": ". as $in | if (${custom_data.form.value} == .form_id) and any(${custom_data.stages.value}[]; . == $in.stage) then {email: .email} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [onlyAskedChoice],
  checks: {
    document(model, report) {
      const asked = new Set(model.parts.flatMap(askedIn));
      if (asked.size === 0 || !isFormReadingResolved(model)) return;
      const whole = formsReadAsWhole(model);
      const read = new Set(model.expansions.flatMap((each) => (asked.has(each) ? [] : each.fields)));
      const told = new Set<FieldSymbol>();
      for (const { fields, node, syntax } of asked) {
        const [field, ...others] = fields;
        if (field?.id === undefined || others.length > 0 || read.has(field) || whole.has(field.workflow))
          continue;
        if (told.has(field) || !hasSeveral(field.node.get("options"))) continue;
        // Other reads than by expansions are those of the roots (D16).
        if (field.references.some((use) => !isOfExpansion(use.node.value, use.from))) continue;
        told.add(field);
        report(onlyAskedChoice, { node, from: syntax.start, to: syntax.end }, { id: field.id });
      }
    },
  },
};
export default module;

/** A box to tick has one option. */
const hasSeveral = (options: JsonNode | undefined): boolean =>
  options?.kind === "object" || (options?.kind === "array" && options.items.length > 1);

/** Expansions of what was chosen of which a program only asks whether there is anything. */
const askedIn = derivedInPart(({ programs }): readonly Expansion[] =>
  programs.flatMap((program) =>
    program.diagnostics.length > 0 || !program.holes.some(isChoice)
      ? []
      : [...askedHoles(program)].flatMap((index) => program.holes[index] ?? []).filter(isChoice),
  ),
);

const isChoice = ({ root, fields, fieldExact, syntax }: Expansion): boolean =>
  root === "custom_data" &&
  fieldExact === true &&
  fields.every(({ type }) => type === "multiselect") &&
  syntax.path.length === 3 &&
  syntax.path[2]?.text === "value";

/** The expansions that a program only asks for being there, by their index. */
const askedHoles: (program: JqProgram) => ReadonlySet<number> = derivedFromText((tree) => {
  const nodes = nodesIn(tree);
  const asked = new Set<Node>();
  const add = (given: Expression | undefined): void => {
    if (given !== undefined) asked.add(bare(given));
  };
  for (const node of nodes) {
    if (node.kind === "Comparison") {
      const [value, constant] = isNothing(node.right) ? [node.left, node.right] : [node.right, node.left];
      if (!isNothing(constant)) continue;
      const inner = bare(value);
      const counted = inner.kind === "Pipeline" && isLength(inner) ? inner.stages.slice(0, -1) : undefined;
      // How many are chosen may count: only none, or some, is asked here.
      if (counted !== undefined && counted.length === 1 && typeof constantOf(constant) === "number")
        add(counted[0] as Expression);
      else if (typeof constantOf(constant) !== "number" && /^[!=]=$/.test(node.operator)) add(inner);
    }
    // `$stages | length > 0` compares behind the pipe.
    if (node.kind === "Pipeline" && node.stages.length === 2) {
      const [first, last] = node.stages as readonly Expression[];
      const asks = last === undefined ? undefined : bare(last);
      if (
        asks?.kind === "Comparison" &&
        isLength(asks.left) &&
        bare(asks.left).kind === "Call" &&
        constantOf(asks.right) === 0
      )
        add(first);
    }
  }
  const found = new Set<number>();
  const used = new Set<number>();
  const { variables } = resolve(tree);
  const idle = new Set<Node>();
  for (const node of nodes) {
    const [pattern, ...others] = node.kind === "Binding" ? node.patterns : [];
    if (node.kind !== "Binding" || pattern?.kind !== "VariablePattern" || others.length > 0) continue;
    const uses = [...variables].flatMap(([use, definition]) => (definition === pattern ? [use] : []));
    if (uses.length > 0 && uses.every((use) => asked.has(use as Node))) idle.add(bare(node.source));
  }
  for (const node of nodes)
    if (node.kind === "Hole") (asked.has(node) || idle.has(node) ? found : used).add(node.hole);
  for (const hole of used) found.delete(hole);
  return found;
});

/** `0`, `null`, `""` and `[]` */
function isNothing(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Array") return node.body === undefined;
  const value = constantOf(node);
  return value === 0 || value === null || value === "";
}

/** Whether the name of a field at a place of a text stands in an expansion. */
const isOfExpansion = (text: string, from: number): boolean =>
  /[$][{<]\s*custom_data(?:\.|::)$/.test(text.slice(0, from));
