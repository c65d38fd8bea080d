import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sameForOptions = defineRule<{ text: string; field: string; values: string; is: boolean }>({
  id: "jq/same-for-options",
  severity: "warning",
  summary: "A comparison is the same for every number that customers can choose",
  why: "The options of a field are all that a number can be. With a limit below all of them or above, one of the two ways is never taken, whatever is chosen.",
  guards: ["field.options", "command.!jq", "command.!switch", "D12", "D23"],
  message: ({ text, field, values, is }) =>
    `\`${text}\` is always ${is}: the options of \`${field}\` are ${values}.`,
  because: ({ text, field, is }) => [
    `each option of \`${field}\` was tried`,
    `\`${text}\` is ${is} for all of them`,
  ],
  help: () => "Compare with a number that lies between them.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "form", "label": "Seats", "type": "dropdown", "options": [{"display": "One", "value": "1"}, {"display": "Two", "value": "2"}, {"display": "Four", "value": "4"}]}',
      },
      bad: '{"!jq": "(${custom_data.form.value} | tonumber) as $n | {email: .email, together: («$n >= 1»)}"}',
      good: '{"!jq": "(${custom_data.form.value} | tonumber) as $n | {email: .email, together: ($n > 1)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [sameForOptions],
  checks: {
    reach: "linked",
    program(program, report) {
      if (program.diagnostics.length > 0 || !/[<>]=?\s*\d/.test(program.node.value)) return;
      if (!program.holes.some(({ root }) => root === "custom_data")) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = comparison;
        const limit = constantOf(right);
        // Whether there is any is asked to be sure.
        if (!/^[<>]/.test(operator) || typeof limit !== "number" || limit <= 0) continue;
        const field = numberChosen(left, program);
        const values = field === undefined ? undefined : numbersOf(field);
        if (field?.id === undefined || values === undefined) continue;
        const [is, ...others] = values.map((value) => holds(value, operator, limit));
        if (is === undefined || others.length === 0 || others.some((other) => other !== is)) continue;
        if (isToBeSure(comparison, limit, program)) continue;
        const text = excerpt(textAt(comparison, program), 50);
        report(sameForOptions, partAt(program, comparison), {
          text,
          field: field.id,
          values: values.join(", "),
          is,
        });
      }
    },
  },
};
export default module;

/**
 * Whether a comparison is one end of a range, `$n > 1 and $n < 9`, or keeps a number within limits, `if $n > 10 then 10 else $n end`, or refuses
 * what can't be: it holds for each option on purpose.
 */
function isToBeSure(comparison: Comparison, limit: number, program: JqProgram): boolean {
  const own = textAt(bare(comparison.left), program);
  const isRange = nodesOfKind(program, "Logical").some(({ operands }) => {
    const parts = operands.map(bare);
    return (
      parts.includes(comparison) &&
      parts.some(
        (each) =>
          each !== comparison && each.kind === "Comparison" && textAt(bare(each.left), program) === own,
      )
    );
  });
  return (
    isRange ||
    nodesOfKind(program, "If").some(
      ({ branches, otherwise }) =>
        branches.some(
          ({ condition }) => condition.start <= comparison.start && comparison.end <= condition.end,
        ) &&
        [...branches.map(({ body }) => body), otherwise].some((way) => {
          const given = way === undefined ? undefined : bare(way);
          if (given === undefined) return false;
          return (
            constantOf(given) === limit ||
            (given.kind === "Call" && (given.name.text === "error" || given.name.text === "empty"))
          );
        }),
    )
  );
}

/** The field that is chosen, made a number, also by a variable: `(${custom_data.seats.value} | tonumber) as $n`. */
function numberChosen(given: Expression, program: JqProgram): FieldSymbol | undefined {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : numberChosen(source, program);
  }
  const [value, made, ...others] = node.kind === "Pipeline" ? node.stages : [];
  if (value === undefined || made === undefined || others.length > 0 || !isExpression(value))
    return undefined;
  return made.kind === "Call" && made.name.text === "tonumber" ? fieldChosen(value, program) : undefined;
}

/** What customers can choose, where they must choose and each option is a number. */
function numbersOf(field: FieldSymbol): readonly number[] | undefined {
  if (!field.required || field.type !== "dropdown") return undefined;
  const values = staticOptions(field).map(({ value }) =>
    /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : NaN,
  );
  return values.length < 2 || values.some(Number.isNaN) ? undefined : values;
}

function holds(value: number, operator: string, limit: number): boolean {
  if (value === limit) return operator.endsWith("=");
  return value < limit === operator.startsWith("<");
}
