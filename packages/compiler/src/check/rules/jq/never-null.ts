import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const neverNull = defineRule<{ value: string; fallback: string; given: string; always: boolean }>({
  id: "jq/never-null",
  severity: "warning",
  summary: "A member is compared with null that an earlier step fills with `//`",
  why: 'After `.id // ""` nothing is null: the empty text stands for what is missing. A comparison with null is always the same then, and one of the two ways is never taken.',
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ value, given, always }) =>
    `\`${value}\` is never null: it comes from \`${given}\`. The comparison is always ${always}.`,
  because: ({ fallback, always }) => [
    `nothing is there: \`//\` gives \`${fallback}\`, which isn't null`,
    `the comparison is ${always} here, too`,
  ],
  help: ({ fallback }) => `Compare with \`${fallback}\`, or leave the \`//\` out.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{known: (.people[0].id // \\"\\"), list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if «.known == null» then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.2.list}"}}}, {"!http": {"method": "PATCH", "path": "/people", "body": {"id": "${piped_content.2.known}", "list": "${piped_content.2.list}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{known: (.people[0].id // null), list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if .known == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.2.list}"}}}, {"!http": {"method": "PATCH", "path": "/people", "body": {"id": "${piped_content.2.known}", "list": "${piped_content.2.list}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [neverNull],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/[!=]=\s*null\b|\bnull\s*[!=]=/.test(node.value)) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right, start, end } = comparison;
        if (operator !== "==" && operator !== "!=") continue;
        const value = isNull(left) ? right : isNull(right) ? left : undefined;
        const found = value === undefined ? undefined : givenBy(value, program);
        if (value === undefined || found === undefined) continue;
        report(
          neverNull,
          { node, from: start, to: end },
          {
            value: excerpt(textAt(value, program)),
            given: excerpt(textAt(found.value, found.program)),
            fallback: excerpt(textAt(found.fallback, found.program)),
            always: operator === "!=",
          },
        );
      }
    },
  },
};
export default module;

const isNull = (node: Expression): boolean => constantOf(node) === null;

interface Given {
  readonly value: Expression;
  readonly fallback: Expression;
  readonly program: JqProgram;
}

/** The `//` in the step before that gives a member which is read, and whose last side is a constant; of a `//` at hand jq's types tell it. */
function givenBy(node: Expression, program: JqProgram): Given | undefined {
  const read = memberRead(valueBehind(node, program), program);
  if (read === undefined) return undefined;
  const ways = resultsOf(read.step).filter(({ key }) => key !== "!error");
  const found = ways.map((way) => fallbackOf(read.name, way));
  return found.every((each) => each !== undefined) ? found[0] : undefined;
}

function fallbackOf(name: string, { key, program }: Command): Given | undefined {
  const object = key === "!jq" && program?.diagnostics.length === 0 ? finalObject(program) : undefined;
  const entry = object === undefined ? undefined : entryOf(object, name)?.value;
  if (entry === undefined || program === undefined) return undefined;
  const value = valueBehind(entry, program);
  const fallback = value.kind === "Alternative" ? value.operands.at(-1) : undefined;
  const constant = fallback === undefined ? undefined : constantOf(fallback);
  return fallback !== undefined && (typeof constant === "string" || typeof constant === "number")
    ? { value, fallback, program }
    : undefined;
}

/** `.known`, or `${piped_content.2.known}`, of a step before. */
function memberRead(
  value: Expression,
  program: JqProgram,
): { readonly step: Command; readonly name: string } | undefined {
  const { command } = program;
  if (value.kind === "Hole") {
    const hole = program.holes[value.hole];
    const [, index, member, ...others] = hole?.syntax.path ?? [];
    if (hole?.root !== "piped_content" || !hole.rootExact || member === undefined || others.length > 0)
      return undefined;
    const step =
      index?.text === "0"
        ? stepBefore(command.pipe ?? command)
        : command.pipe?.children[Number(index?.text) - 1];
    return step === undefined || hole.syntax.filters.length > 0 ? undefined : { step, name: member.text };
  }
  if (value.kind !== "Postfix") return undefined;
  const [source, ...others] = sourcesOf(program, value, []);
  const step = stepBefore(command);
  const [name, ...below] = source?.kind === "input" ? source.path : [];
  return name === undefined || below.length > 0 || others.length > 0 || step === undefined
    ? undefined
    : { step, name };
}
