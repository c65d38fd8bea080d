import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const digitTexts = defineRule<{ text: string; field: string; operator: string }>({
  id: "jq/digits-as-text",
  severity: "warning",
  summary: "A program reckons with an option, or orders by it, as if it were a number",
  why: 'What a customer chooses is a text, also where it looks like a number. Every number comes before every text, and texts are ordered sign by sign: "9" comes behind "10". And a text times a number is that text, repeated.',
  guards: ["D10", "D12", "D23"],
  message: ({ text, field, operator }) =>
    operator === "*"
      ? `\`${field}\` is a text, so \`${text}\` repeats its digits.`
      : `\`${field}\` is a text, so \`${text}\` doesn't compare numbers: every number comes before every text.`,
  because: ({ field, operator }) => [
    `each option of \`${field}\` is a text of digits`,
    operator === "*" ? '"5" * 3 is "555"' : '7 < "5" is true, and so is 100 < "5"',
  ],
  help: () => "Make a number of it with `tonumber`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "At least", "type": "dropdown", "options": [{"display": "Five", "value": "5"}, {"display": "Twenty", "value": "20"}]}',
      },
      bad: '{"!jq": "if «.amount < ${custom_data.form.value}» then null else {email: .email} end"}',
      good: '{"!jq": "if .amount < (${custom_data.form.value} | tonumber) then null else {email: .email} end"}',
    },
    {
      title: "Times a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "At least", "type": "dropdown", "options": [{"display": "Five", "value": "5"}, {"display": "Twenty", "value": "20"}]}',
      },
      bad: '{"!jq": "if .cents < («${custom_data.form.value} * 100» | tonumber) then null else {email: .email} end"}',
      good: '{"!jq": "if .cents < (${custom_data.form.value} | tonumber) * 100 then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [digitTexts],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || program.holes.length === 0) return;
      const tell = (node: Expression, operator: string, field: string): void => {
        const text = excerpt(program.node.value.slice(node.start, node.end).trim());
        report(digitTexts, { node: program.node, from: node.start, to: node.end }, { text, field, operator });
      };
      // A text that is subtracted or divided fails, which is told of the operands' types.
      const failing = new Set(
        nodesOfKind(program, "Arithmetic").flatMap(({ first, rest }) =>
          rest.every(({ operator }) => operator === "+" || operator === "*")
            ? []
            : [first, ...rest.map(({ operand }) => operand)].map(bare),
        ),
      );
      for (const node of nodesOfKind(program, "Arithmetic").filter((each) => !failing.has(each)))
        for (const [at, { operator, operand }] of node.rest.entries()) {
          const before = at === 0 ? node.first : undefined;
          const sides = [before, operand] as const;
          const field = sides.map((side) => (side === undefined ? undefined : digitsOf(side, program)));
          const other = field[0] === undefined ? before : operand;
          const known = field[0] ?? field[1];
          if (operator === "*" && known !== undefined && other !== undefined && isNumber(other))
            tell(node, operator, known.field);
        }
      for (const node of nodesOfKind(program, "Comparison")) {
        const { left, right, operator } = node;
        if (operator === "==" || operator === "!=") continue;
        const known = digitsOf(left, program) ?? digitsOf(right, program);
        const other = digitsOf(left, program) === undefined ? left : right;
        if (known === undefined || digitsOf(other, program) !== undefined) continue;
        // Texts of one length, as of years, are ordered as their numbers are.
        if (known.isOfOneLength || typeof constantOf(other) === "string") continue;
        tell(node, operator, known.field);
      }
    },
  },
};
export default module;

const isNumber = (node: Expression): boolean => typeof constantOf(bare(node)) === "number";

/** The field of which an expression is the value, if all its options are texts of digits. */
function digitsOf(
  node: Expression,
  { holes }: JqProgram,
): { readonly field: string; readonly isOfOneLength: boolean } | undefined {
  const inner = bare(node);
  const {
    root,
    rootExact,
    fields = [],
    syntax,
  } = (inner.kind === "Hole" ? holes[inner.hole] : undefined) ?? {};
  const isValue = syntax?.path.length === 3 && syntax.path[2]?.text === "value";
  if (root !== "custom_data" || rootExact !== true || !isValue || fields.length === 0) return undefined;
  const values = fields.flatMap(({ node: field, type }) =>
    type === "dropdown"
      ? objectItems(field.get("options")).map((option) => option.get("value"))
      : [undefined],
  );
  const digits = values.flatMap((value) =>
    value?.kind === "string" && /^\d+(?:\.\d+)?$/.test(value.value) ? [value.value.length] : [],
  );
  if (digits.length === 0 || digits.length < values.length) return undefined;
  return {
    field: syntax.path[1]?.text ?? "",
    isOfOneLength: new Set(digits).size === 1 && digits.length > 1,
  };
}
