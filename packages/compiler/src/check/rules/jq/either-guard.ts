import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const eitherGuard = defineRule<{ test: string; compared: string; by: "and" | "or" }>({
  id: "jq/either-guard",
  severity: "warning",
  summary: "A test that a value is there is joined with its comparison the wrong way round",
  why: '`$token != "" and . == $token` compares with a token that is there. With `or`, the condition holds as soon as there is one, whatever it is compared with: a check lets everything pass.',
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ test, compared, by }) =>
    by === "or"
      ? `Where \`${test}\` holds, this is true, and \`${compared}\` isn't looked at.`
      : `Where \`${test}\` doesn't hold, this is false, and \`${compared}\` isn't looked at.`,
  because: ({ test, compared, by }) => [
    by === "or" ? `there is a value: \`${test}\` is true` : `there is a value: \`${test}\` is false`,
    `\`${compared}\` changes nothing`,
  ],
  help: ({ by }) => `Write \`${by === "or" ? "and" : "or"}\`.`,
  examples: [
    {
      title: "A token that is saved",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: '{"!switch": {"jq": "${data.workflow.hook_id | default} as $token | if «$token != \\"\\" or .headers[\\"x-hook-id\\"] == $token» then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      good: '{"!switch": {"jq": "${data.workflow.hook_id | default} as $token | if $token != \\"\\" and .headers[\\"x-hook-id\\"] == $token then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
    },
    {
      title: "A member of what may be null",
      ...place,
      bad: '{"!jq": "if «.owner != null or .owner.role == \\"admin\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if .owner != null and .owner.role == \\"admin\\" then {email: .email} else null end"}',
    },
    {
      title: "A number that may be missing",
      ...place,
      bad: '{"!jq": "{email: .email, _tags: (if «.days_left != null or .days_left <= 14» then [\\"soon\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if .days_left != null and .days_left <= 14 then [\\"soon\\"] else [] end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [eitherGuard],
  checks: {
    program(program, report) {
      if (!/\b(?:or|and)\b/.test(program.node.value)) return;
      if (!/[!=]=\s*(?:null|"")|\bhas\(|[!=]=\s*"object"/.test(program.node.value)) return;
      for (const { operator, operands } of nodesOfKind(program, "Logical")) {
        const [present, same] = operator === "or" ? ["!=", "=="] : ["==", "!="];
        const tests = operands.map(bare);
        for (const [index, test] of tests.entries()) {
          const value = presentBy(test, present, program);
          if (value === undefined) continue;
          const compared = tests.find(
            (each, place): each is Comparison =>
              each.kind === "Comparison" &&
              (each.operator === same ? place > index : isOrder(each)) &&
              isAbout(value, each, program),
          );
          if (compared === undefined) continue;
          const at = {
            node: program.node,
            from: Math.min(test.start, compared.start),
            to: Math.max(test.end, compared.end),
          };
          const [text, other] = [test, compared].map((each) => excerpt(textAt(each, program), 50));
          report(eitherGuard, at, { test: text!, compared: other!, by: operator });
        }
      }
    },
  },
};
export default module;

/** `$left <= 14`: null comes before all numbers and texts, so it doesn't tell what is there from what isn't. */
const isOrder = ({ operator }: Comparison): boolean => /^[<>]=?$/.test(operator);

/**
 * What a test says is there, or for `==` what it says isn't: `$token != ""`, `.query | has("word")`, and `(.body | type) == "object"`, where
 * nothing else has members.
 */
function presentBy(test: Expression, present: string, program: JqProgram): string | undefined {
  if (test.kind === "Comparison") {
    if (test.operator === present) return testedIn(test, program);
    const isObject =
      constantOf(test.right) === "object" && test.operator === (present === "!=" ? "==" : "!=");
    const [value, type, ...more] = isObject ? stagesOf(test.left) : [];
    const isType = type?.kind === "Call" && type.name.text === "type" && more.length === 0;
    return value === undefined || !isType ? undefined : `${textAt(value, program)}.`;
  }
  const [value, has, not, ...others] = stagesOf(test);
  if (value === undefined || has?.kind !== "Call" || has.name.text !== "has" || others.length > 0)
    return undefined;
  const isNot = not?.kind === "Call" && not.name.text === "not";
  if (isNot ? present !== "==" : not !== undefined || present !== "!=") return undefined;
  const name = has.arguments[0] === undefined ? undefined : constantOf(has.arguments[0]);
  return typeof name === "string" ? `${textAt(value, program)}.${name}` : undefined;
}

function stagesOf(given: Expression): readonly Expression[] {
  const node = given.kind === "Group" ? given.body : given;
  return node.kind === "Pipeline" && node.stages.every(isExpression) ? (node.stages as Expression[]) : [];
}

/** What is compared with null or the empty text: `$token` of `$token != ""`. */
function testedIn({ left, right }: Comparison, program: JqProgram): string | undefined {
  const nothing = constantOf(right);
  if (nothing !== null && nothing !== "") return undefined;
  const tested = withoutDefault(left);
  const isRead = tested.kind === "Variable" || tested.kind === "Hole" || tested.kind === "Postfix";
  return isRead ? textAt(tested, program) : undefined;
}

/** `.a` of `.a // ""` */
function withoutDefault(node: Expression): Expression {
  const inner = bare(node);
  return inner.kind === "Alternative" && inner.operands.length === 2 ? bare(inner.operands[0]!) : inner;
}

/** Whether one side of a comparison is that value or a member of it, and the other one isn't nothing, too. */
function isAbout(value: string, { left, right }: Comparison, program: JqProgram): boolean {
  const sides = [left, right].map((side) => textAt(withoutDefault(side), program));
  if ([left, right].some((side) => constantOf(side) === null || constantOf(side) === "")) return false;
  // With a dot at its end it is the members alone that are meant.
  if (value.endsWith(".")) return sides.some((side) => side.startsWith(value) && side !== value);
  return sides.some((side) => side === value || side.startsWith(`${value}.`) || side.startsWith(`${value}[`));
}
