import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { roleOf } from "../../../flow/value-role.ts";

// What a condition asks for, where a member of the record may be null: much of it says nothing of that member.

/** `($kinds | length) > 0`, of a field that customers may skip. */
export function asksOfOptional(operand: Expression, program: JqProgram): boolean {
  const parts = nodesIn(operand);
  // `(${…} | if type == "array" then . else [] end) as $kinds` is what was chosen, too.
  const made = parts.flatMap((each) =>
    each.kind === "Variable" ? nodesIn(boundTo(program, each) ?? each) : [each],
  );
  const holes = made.flatMap((each) => (each.kind === "Hole" ? [program.holes[each.hole]] : []));
  return (
    !parts.some(({ kind }) => kind === "Field" || kind === "Identity" || kind === "Index") &&
    !made.some(({ kind }) => kind === "Field" || kind === "Index") &&
    holes.length > 0 &&
    holes.every(
      (hole) =>
        hole?.root === "custom_data" &&
        hole.fieldExact === true &&
        hole.fields.every((field) => !field.required),
    )
  );
}

/** `a or b` asks both. */
export function operandsOf(condition: Expression): readonly Expression[] {
  const node = bare(condition);
  return node.kind === "Logical" ? node.operands.flatMap(operandsOf) : [node];
}

/** `(.owner.email // "") == ""`: whether a record has an address says nothing of its other members. */
export function asksForAddress(condition: Expression, member: string): boolean {
  const node = bare(condition);
  if (node.kind !== "Comparison") return false;
  const [asked, constant] = [bare(node.left), constantOf(node.right)];
  const value = asked.kind === "Alternative" ? bare(asked.operands[0]!) : asked;
  // `$mail`, as the program calls what it has picked out.
  const name =
    value.kind === "Postfix" ? nameOfValue(value) : value.kind === "Variable" ? value.name : undefined;
  const role =
    name === undefined || name === member ? undefined : /^e?mail$/i.test(name) ? "email" : roleOf(name);
  return (constant === null || constant === "") && (role === "email" || role === "phone");
}

/** Whether a condition asks for an address, and else for what the customer chose: any of the options may be that of the record with null. */
export function asksForChoice(condition: Expression, member: string, program: JqProgram): boolean {
  const node = bare(condition);
  if (node.kind === "Logical") return node.operands.every((each) => asksForChoice(each, member, program));
  if (asksForAddress(node, member)) return true;
  const parts = nodesIn(node).flatMap((each) =>
    each.kind === "Variable" ? nodesIn(boundTo(program, each) ?? each) : [each],
  );
  return (
    parts.some((each) => each.kind === "Hole" && program.holes[each.hole]?.root === "custom_data") &&
    !parts.some(
      (each) =>
        (each.kind === "String" && constantOf(each) !== "") ||
        (each.kind === "Field" && each.key.kind === "Name" && each.key.text === member),
    )
  );
}

/** `$silent and …`, where `$silent` is `.consent.email != true`: whether somebody wants mail says nothing of the record's other members. */
export function asksForConsent(condition: Expression, member: string, program: JqProgram): boolean {
  const node = bare(condition);
  const bound = node.kind === "Variable" ? boundTo(program, node) : node;
  if (bound === undefined) return false;
  const asked = bare(bound);
  const read = bare(asked.kind === "Comparison" ? asked.left : asked);
  if (asked.kind === "Comparison" && !isFlagValue(asked.right)) return false;
  if (read.kind !== "Postfix" || read.suffixes.some(({ kind }) => kind !== "Field")) return false;
  const names = read.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  return !names.includes(member) && names.some((name) => ofConsent.test(wordsOf(name).join(" ")));
}

const isFlagValue = (node: Expression): boolean => {
  const constant = constantOf(node);
  return typeof constant === "boolean" || constant === null;
};

const ofConsent =
  /\b(?:consents?|consented|opt(?:ed)? (?:in|out)|opt ?(?:in|out)|unsubscribed|do not (?:contact|mail|email)|no (?:mail|email|marketing|newsletter)|(?:mail|email|marketing|newsletter|mailing) (?:ok|allowed|wanted|permission|permitted))\b/;

/**
 * Whether one part of what passes a record over says nothing of the member: `A and B` passes over those alone of which both hold, so the
 * others come, whatever the other part asks for.
 */
export const isLoose = (condition: Expression, saysNothing: (part: Expression) => boolean): boolean => {
  const node = bare(condition);
  if (node.kind !== "Logical") return saysNothing(node);
  const isPart = (each: Expression) => isLoose(each, saysNothing);
  return node.operator === "and" ? node.operands.some(isPart) : node.operands.every(isPart);
};
