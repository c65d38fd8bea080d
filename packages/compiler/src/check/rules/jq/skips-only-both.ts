import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { emptinessBy } from "../../../flow/emptiness.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { outcomeOf, waysOf } from "./branch-ways.ts";

const skipsOnlyBoth = defineRule<{ value: string; other: string }>({
  id: "jq/skips-only-both",
  severity: "warning",
  summary: "A record without an email address is skipped only if something else holds, too",
  why: "A contact is made by its email address. A record without one fails in the target, so it is skipped for that alone. Joined by `and`, it is skipped only if the other reason is there as well.",
  guards: ["D23", "D25", "data_pipeline.source", "command.!jq", "command.!switch"],
  message: ({ value, other }) =>
    `Where there is no \`${value}\`, this still goes on unless \`${other}\`. Each is a reason to skip a record.`,
  because: ({ value, other }) => [
    `there is no \`${value}\`, and not \`${other}\`: it goes on without an email address`,
    `there is one, and \`${other}\`: it goes on, too`,
  ],
  help: () => "Write `or`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if «(.email // \\"\\") == \\"\\" and (.may_write | not)» then null else {email: .email, name: .name} end"}',
      good: '{"!jq": "if (.email // \\"\\") == \\"\\" or (.may_write | not) then null else {email: .email, name: .name} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [skipsOnlyBoth],
  checks: {
    program(program, report) {
      const { command, node } = program;
      if (command.place.name !== "data_pipeline.source" || !/\band\b/.test(node.value)) return;
      for (const decision of nodesOfKind(program, "If")) {
        const found = onlyBoth(decision, program);
        if (found === undefined) continue;
        const { email, other, condition } = found;
        const [value, text] = [email, other].map((each) => excerpt(textAt(each, program), 50));
        report(skipsOnlyBoth, partAt(program, condition), { value: value!, other: text! });
      }
    },
  },
};
export default module;

function onlyBoth(node: If, program: JqProgram) {
  const [way, other, ...more] = waysOf(node, program);
  const condition = way === undefined ? undefined : bare(way.condition);
  if (way === undefined || other === undefined || more.length > 0 || condition?.kind !== "Logical")
    return undefined;
  if (condition.operator !== "and" || outcomeOf(way, program).kind !== "nothing") return undefined;
  if (!/^(?:other|whole)$/.test(outcomeOf(other, program).kind)) return undefined;
  const asked = condition.operands.map((operand) => ({ operand, email: emptyEmail(operand, program) }));
  const email = asked.find((each) => each.email !== undefined)?.email;
  const rest = asked.flatMap((each) => (each.email === undefined ? [each.operand] : []));
  const [first] = rest;
  if (email !== undefined && hasOtherEmail(node, textAt(email, program), program)) return undefined;
  return email !== undefined && first !== undefined && rest.every((each) => isReason(each, program))
    ? { email, other: first, condition }
    : undefined;
}

/** `.email` of `(.email // "") == ""` and of `.email == null`. */
function emptyEmail(operand: Expression, program: JqProgram): Expression | undefined {
  const [fact, ...others] = emptinessBy(operand, true, program);
  const node = bare(operand);
  if (fact === undefined || others.length > 0 || !fact.isEmpty || node.kind !== "Comparison")
    return undefined;
  const name = (fact.path.at(-1) ?? "").replace("$", "");
  if (roleOf(name) !== "email" && name !== "mail") return undefined;
  const left = bare(node.left);
  return left.kind === "Alternative" ? left.operands[0] : left;
}

/** What is a reason to skip a record by itself: nobody agreed, or a customer didn't choose it, or it is too small. */
function isReason(operand: Expression, program: JqProgram): boolean {
  const node = bare(operand);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    return last?.kind === "Call" && last.name.text === "not";
  }
  if (node.kind !== "Comparison") return false;
  if (/^[<>]=?$/.test(node.operator)) return true;
  const isLookup = /\bindex\(/.test(textAt(node.left, program));
  return node.operator === "==" && isLookup && constantOf(node.right) === null;
}

/** `email: (.email // .office_email)`: who has no address of their own gets another one. */
const hasOtherEmail = ({ otherwise }: If, email: string, program: JqProgram): boolean =>
  otherwise !== undefined &&
  nodesIn(otherwise).some(
    (each) =>
      each.kind === "Entry" &&
      roleOf(nameOf(each.key) ?? "") === "email" &&
      each.value !== undefined &&
      textAt(bare(each.value), program) !== email,
  );
