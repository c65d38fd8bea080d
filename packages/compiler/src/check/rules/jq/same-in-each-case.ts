import type { Expression, Json } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { withoutNot } from "../../../flow/plain-if.ts";
import { type Made, madeBefore } from "../../../flow/step-members.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sameInEachCase = defineRule<{ text: string; name: string; value: string; always: boolean }>({
  id: "jq/same-in-each-case",
  severity: "warning",
  summary: "A condition asks for a member that each case of the step before makes alike",
  why: "The cases of a `!switch` say in a member which of them ran, and a later step decides by it. Where all of them write the same, that step takes the same way for every record, whatever was done.",
  guards: ["command.!switch", "command.!jq", "D26"],
  message: ({ text, name, value, always }) =>
    `\`${text}\` is always ${always}: each case makes \`${name}: ${value}\`.`,
  because: ({ text, name, value, always }) => [
    `whichever case runs, \`${name}\` is \`${value}\``,
    `\`${text}\` is ${always} for every record`,
  ],
  help: ({ name }) => `Let each case say what it does in \`${name}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if .is_new then 0 else 1 end", "cases": [{"!jq": "{id: .id, created: false}"}, {"!jq": "{id: .id, created: false}"}]}}, {"!jq": "{id, reason: (if «.created» then \\"welcome\\" else \\"loyalty\\" end)}"}, {"!http": {"method": "POST", "path": "/credits", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if .is_new then 0 else 1 end", "cases": [{"!jq": "{id: .id, created: true}"}, {"!jq": "{id: .id, created: false}"}]}}, {"!jq": "{id, reason: (if .created then \\"welcome\\" else \\"loyalty\\" end)}"}, {"!http": {"method": "POST", "path": "/credits", "body": "${piped_content.3}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [sameInEachCase],
  checks: {
    program(program, report) {
      const { node, command, diagnostics } = program;
      // What is a step of a pipe alone has one before it.
      if (command.pipe === undefined || diagnostics.length > 0) return;
      if (!/\bif\b|\bselect\b|[!=]=/.test(node.value)) return;
      for (const { asked, value, isThat } of askedIn(program)) {
        const made = madeBefore(asked, program);
        const known = made === undefined ? undefined : sameOf(made);
        if (made === undefined || known === undefined) continue;
        // What is asked for nothing but being there, `== null`, is asked to be sure.
        if (value === null) continue;
        const holds = value === undefined ? known !== false && known !== null : known === value;
        const whole = isThat.node;
        report(
          sameInEachCase,
          partAt(program, whole),
          {
            text: excerpt(textAt(whole, program)),
            name: made[0]!.name,
            value: JSON.stringify(known),
            always: holds === isThat.is,
          },
          made.map(({ entry, program: from }) => ({
            message: "made here",
            at: { node: from.node, from: entry.start, to: entry.end },
          })),
        );
        return;
      }
    },
  },
};
export default module;

interface Asked {
  readonly asked: Expression;
  /** What it is compared with; undefined where it is itself the condition. */
  readonly value: Json | undefined;
  /** The whole that is asked, and whether it holds for that value or for others. */
  readonly isThat: { readonly node: Expression; readonly is: boolean };
}

/** The members that conditions ask for: `if .created`, `select(.created | not)`, `.way == "new"`. */
function askedIn(program: JqProgram): readonly Asked[] {
  const conditions = [
    ...nodesOfKind(program, "If").flatMap(({ branches }) => branches.map(({ condition }) => condition)),
    ...nodesOfKind(program, "Logical").flatMap(({ operands }) => operands),
    ...nodesOfKind(program, "Call").flatMap(({ name, arguments: given }) =>
      name.text === "select" ? given : [],
    ),
  ];
  return [
    ...conditions.flatMap((node) => {
      const { condition, holds: is } = withoutNot(node);
      const inner = bare(condition);
      const isRead = inner.kind === "Postfix" || inner.kind === "Hole" || inner.kind === "Variable";
      return isRead ? [{ asked: inner, value: undefined, isThat: { node: bare(node), is } }] : [];
    }),
    ...nodesOfKind(program, "Comparison").flatMap((node): Asked[] => {
      if (node.operator !== "==" && node.operator !== "!=") return [];
      const [left, right] = [constantOf(node.left), constantOf(node.right)];
      if ((left === undefined) === (right === undefined)) return [];
      const [asked, value] = right === undefined ? [node.right, left] : [node.left, right];
      return [{ asked, value, isThat: { node, is: node.operator === "==" } }];
    }),
  ];
}

/** The constant that several ways of a step all give a member; of one way alone it may be a setting. */
function sameOf(made: readonly Made[]): Json | undefined {
  if (made.length < 2) return undefined;
  const values = made.map(({ entry: { value } }) =>
    value === undefined ? undefined : constantOf(bare(value)),
  );
  const [first] = values;
  return isWord(first) && values.every((each) => each === first) ? first : undefined;
}

const isWord = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";
