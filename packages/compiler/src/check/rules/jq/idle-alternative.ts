import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { defaultOf, fieldWithDefault } from "../../../flow/left-out.ts";
import { nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const idleAlternative = defineRule<{
  value: string;
  instead: string;
  field: string | undefined;
  isText: boolean;
  /** Whether it is a member of the value, which is null with it. */
  isPart?: true;
  /** Whether it is the very same. */
  isSame?: true;
}>({
  id: "jq/idle-alternative",
  severity: "warning",
  summary: "The value behind `//` is never used",
  why: "`//` takes its right side where the left one is null or false. A text is neither, and `| default` gives the empty text for a field that was left out. So the empty text is sent, and never the value behind `//`.",
  guards: ["D7", "D23", "expansion.default"],
  message: ({ value, instead, field, isPart, isSame }) =>
    isSame
      ? `\`${value}\` stands here twice: where it is null, it is null again.`
      : isPart
        ? `Where \`${value}\` is null, \`${instead}\` is null too, so it is never used.`
        : field === undefined
          ? `\`${value}\` is never null, so \`${instead}\` is never used.`
          : `Where a customer leaves out \`${field}\`, \`${value}\` is a text and not null, so \`${instead}\` is never used.`,
  because: ({ value, field, isPart, isSame }) => [
    isSame
      ? `\`${value}\` is null, and null again`
      : isPart
        ? `\`${value}\` is there: it is taken whole`
        : field === undefined
          ? `\`${value}\` is a text, whatever comes in`
          : `a customer leaves out \`${field}\`: the default is a text`,
    isSame ? "nothing else is tried" : "`//` goes on with its right side only for null and false",
  ],
  help: ({ field, isText, instead, isPart, isSame, value }) => {
    if (isSame) return "Write another value in its place, or remove it.";
    if (isPart) return `Turn them round: \`${instead} // ${value}\`.`;
    if (field === undefined) return "Test the value before it becomes a text, or leave out the `//`.";
    return isText
      ? `Name it in the expansion: \`| default:${instead.slice(1, -1)}\`.`
      : 'Ask whether it is `""` instead.';
  },
  examples: [
    {
      title: "D7: a field that was left out",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, note: (${custom_data.note.value | default} // «\\"none\\"»)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, note: ${custom_data.note.value | default:none}}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "A constant that isn't the last",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, phone: (.mobile // \\"\\" // «.landline»)}"}',
      good: '{"!jq": "{email: .email, phone: (.mobile // .landline // \\"\\")}"}',
    },
    {
      title: "A value before its own member",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "(.student // «.student.guardian») | {email: .email}"}',
      good: '{"!jq": "(.student.guardian // .student) | {email: .email}"}',
    },
    {
      title: "The same value again",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: (.emails[0] // «.emails[0]» | .address)}"}',
      good: '{"!jq": "{email: (first(.emails[] | select(.primary)) // .emails[0] | .address)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [idleAlternative],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !node.value.includes("//")) return;
      for (const { operands } of nodesOfKind(program, "Alternative"))
        for (const [index, operand] of operands.slice(0, -1).entries()) {
          const fallback = operands[index + 1]!;
          const field = fieldWithDefault(operand, program);
          const again = operands.slice(index + 1).find((each) => isAgain(each, operand, program));
          if (again !== undefined) {
            const value = excerpt(textAt(operand, program));
            report(
              idleAlternative,
              { node, from: again.start, to: again.end },
              { value, instead: value, field: undefined, isText: false, isSame: true },
            );
            break;
          }
          if (isPartOf(fallback, operand, program)) {
            report(
              idleAlternative,
              { node, from: fallback.start, to: fallback.end },
              {
                value: excerpt(textAt(operand, program)),
                instead: excerpt(textAt(fallback, program)),
                field: undefined,
                isText: false,
                isPart: true,
              },
            );
            break;
          }
          if (field === undefined && !isText(operand, program)) continue;
          const constant = constantOf(fallback);
          // To take what is empty for empty changes nothing; whether there is a list is told where it is used.
          // But of a constant, there is nothing empty: a dot is missing.
          const isFixed = typeof constantOf(operand) === "string" && constantOf(operand) !== "";
          if ((isEmpty(fallback) && !isFixed) || (field !== undefined && constant === defaultOf(field)))
            break;
          report(
            idleAlternative,
            { node, from: fallback.start, to: fallback.end },
            {
              value: excerpt(textAt(operand, program)),
              instead: excerpt(textAt(fallback, program)),
              field: field?.syntax.path[1]?.text,
              isText: typeof constant === "string" && !/[|}]/.test(constant),
            },
          );
          break;
        }
    },
  },
};
export default module;

/** Whether two operands are the same value as it is written; a list may give one that counts the second time. */
const isAgain = (one: Expression, other: Expression, program: JqProgram): boolean =>
  constantOf(one) === undefined &&
  textAt(one, program) === textAt(other, program) &&
  !/\binput\b/.test(textAt(one, program));

/** Whether one is a member of the other: `.student.guardian` of `.student`. */
function isPartOf(part: Expression, whole: Expression, program: JqProgram): boolean {
  if (part.kind !== "Postfix" || part.suffixes.at(-1)?.kind !== "Field") return false;
  if (whole.kind !== "Variable" && (whole.kind !== "Postfix" || /[[(?]/.test(textAt(whole, program))))
    return false;
  return textAt(part, program).startsWith(`${textAt(whole, program)}.`);
}

/** `""`, `[]`, `{}` */
function isEmpty(node: Expression): boolean {
  if (node.kind === "Array") return node.body === undefined;
  if (node.kind === "Object") return node.entries.length === 0;
  return constantOf(node) === "";
}

/** Whether a value is a constant that counts as true, or a text that is put together without anything that may fail: `//` catches failures. */
function isText(operand: Expression, program: JqProgram): boolean {
  const value = valueBehind(operand, program);
  const constant = constantOf(value);
  if (typeof constant === "string" || typeof constant === "number") return true;
  if (value.kind === "String")
    return nodesIn(value).every(
      ({ kind }) => kind !== "Call" && kind !== "Pipeline" && kind !== "Arithmetic",
    );
  if (value.kind === "Alternative") return isText(value.operands.at(-1)!, program);
  if (isWriting(value)) return true;
  if (value.kind !== "Pipeline") return false;
  if (isOfClock(value)) return true;
  const [first, last, ...others] = stagesOf(value);
  return (
    isWriting(last) &&
    others.length === 0 &&
    first?.kind === "Postfix" &&
    first.suffixes.every(({ kind }) => kind === "Field")
  );
}

/** `now | floor | todate`, which never fails. */
const isOfClock = (node: Expression): boolean =>
  node.kind === "Pipeline" &&
  stagesOf(node).every((stage, index) => {
    const call = stage.kind === "Call" ? stage.name.text : "";
    return index === 0 ? call === "now" : /^(?:floor|round|todate|todateiso8601|tostring)$/.test(call);
  });

const isWriting = (node: Expression | undefined): boolean =>
  node?.kind === "Call" && /^to(?:string|json)$/.test(node.name.text);
