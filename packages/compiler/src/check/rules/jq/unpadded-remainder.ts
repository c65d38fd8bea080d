import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const unpaddedRemainder = defineRule<{ text: string; before: string; digits: number }>({
  id: "jq/unpadded-remainder",
  severity: "warning",
  summary: "What is left of a division stands behind a point or a colon without its leading zeros",
  why: "5 of 100 is written `5`. Behind a point it means fifty: 12 euros and 5 cents become `12.5`, and 9 hours and 5 minutes `9:5`.",
  guards: ["D23", "command.!jq"],
  message: ({ text, digits }) =>
    `\`${text}\` has no leading zero: 5 is written as \`5\`, and not as \`${"5".padStart(digits, "0")}\`.`,
  because: ({ before, digits }) => [
    `5 is left: \`12${before}5\``,
    `it means \`12${before}${"5".padStart(digits, "0")}\``,
  ],
  help: ({ text, digits }) =>
    `Put zeros before it: \`("${"0".repeat(digits - 1)}" + (${text} | tostring))[-${digits}:]\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, price: \\"\\\\(.cents / 100 | floor).«\\\\(.cents % 100)»\\"}"}',
      good: '{"!jq": "{email: .email, price: \\"\\\\(.cents / 100 | floor).\\\\((\\"0\\" + (.cents % 100 | tostring))[-2:])\\"}"}',
    },
    {
      title: "Put together by +",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, length: ((.minutes / 60 | floor | tostring) + \\":\\" + «(.minutes % 60 | tostring)»)}"}',
      good: '{"!jq": "{email: .email, length: ((.minutes / 60 | floor | tostring) + \\" h \\" + (.minutes % 60 | tostring))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [unpaddedRemainder],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/%\s*\d/.test(program.node.value)) return;
      const tell = (before: string, node: Expression, from: number, to: number): void => {
        const mark = /\d?([.,:])$/.exec(before)?.[1];
        const remainder = mark === undefined ? undefined : remainderIn(node);
        const digits = remainder === undefined ? undefined : digitsOf(remainder.divisor, mark!);
        // Numbers of versions, rooms and chapters have no leading zeros.
        if (
          digits === undefined ||
          /version|release|build|revision|firmware|issue|room|door|chapter|verse|section|article|clause|paragraph/i.test(
            textAt(remainder!.node, program),
          )
        )
          return;
        const text = excerpt(textAt(remainder!.node, program), 40);
        report(unpaddedRemainder, { node: program.node, from, to }, { text, before: mark!, digits });
      };
      for (const { parts } of nodesOfKind(program, "String"))
        for (const [index, part] of parts.entries()) {
          const before = parts[index - 1];
          if (part.kind !== "Interpolation" || before === undefined || index < 2) continue;
          const written = program.node.value.slice(before.start, before.end);
          // A clock's or a price's first part stands right before the mark.
          if (before.kind !== "Interpolation" && written.length === 1)
            tell(written, part.expression, part.start, part.end);
        }
      for (const { first, rest } of nodesOfKind(program, "Arithmetic"))
        for (const [index, { operator, operand }] of rest.entries()) {
          const before = index === 0 ? first : rest[index - 1]!.operand;
          const isText = before.kind === "String" && before.parts.length === 1;
          if (operator === "+" && isText && (index > 0 || first !== before))
            tell(constantText(before, program), operand, operand.start, operand.end);
        }
    },
  },
};
export default module;

/** The text of a string without expressions in it, if it is one letter. */
function constantText(node: Expression, program: JqProgram): string {
  const text = textAt(node, program);
  return text.length === 3 ? text.slice(1, -1) : "";
}

/** `X % 100`, as a number or as its text. */
function remainderIn(node: Expression): { readonly node: Expression; readonly divisor: number } | undefined {
  const written = bare(node);
  const [first, ...rest] = written.kind === "Pipeline" ? stagesOf(written) : [written];
  const keeps = rest.every(
    (stage) => stage.kind === "Call" && /^(?:tostring|floor|round|trunc)$/.test(stage.name.text),
  );
  const value = first === undefined ? undefined : bare(first);
  if (!keeps || value?.kind !== "Arithmetic") return undefined;
  const last = value.rest.at(-1);
  const divisor = last?.operator === "%" ? numberOf(last.operand) : undefined;
  return divisor === undefined ? undefined : { node: value, divisor };
}

/** How many digits a remainder has behind a mark: minutes behind a colon, cents behind a point. */
function digitsOf(divisor: number, mark: string): number | undefined {
  if (mark === ":") return divisor === 60 ? 2 : undefined;
  return divisor === 100 ? 2 : divisor === 1_000 ? 3 : undefined;
}
