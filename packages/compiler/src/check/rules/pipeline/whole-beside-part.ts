import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { bare, isExpression } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepAt } from "../../../flow/producers.ts";
import { memberMade } from "./built-records.ts";
import { bySwitch, type SentBody, sentBodies } from "./unbuilt-body.ts";

/**
 * Where a case sends all that a step gives to a list, and another case of the same `!switch` sends a part of that there, or what was made of that part:
 * `${piped_content.2}` beside `${piped_content.2.owner}`.
 */
export function wholesBesideParts(part: Part, model: Model) {
  const sent = sentBodies(part, model);
  if (sent.length < 2) return [];
  const siblings = bySwitch(sent);
  return sent.flatMap((one) => {
    for (const other of siblings.get(one.around) ?? []) {
      if (other === one || other.slot !== one.slot || other.asked !== one.asked) continue;
      const name = partSent(one, other);
      if (name !== undefined) return [{ expansion: one.expansion, other: other.expansion, name }];
    }
    return [];
  });
}

/** The part of what the one sends that the other sends, as it is or changed. */
function partSent(one: SentBody, other: SentBody): string | undefined {
  if (one.step === other.step) {
    const isBelow =
      other.below.length > one.below.length && one.below.every((each, at) => each === other.below[at]);
    return isBelow ? other.below[one.below.length] : undefined;
  }
  const program = other.step?.key === "!jq" ? other.step.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  let made: Expression | undefined = plainBody(program);
  for (const each of other.below) made = made === undefined ? undefined : memberMade(made, each);
  const path = made === undefined ? undefined : builtUpon(made, program, one);
  const [name] = path ?? [];
  return name;
}

/** The names below what the one sends that lead to what an expression adds to or changes: `${piped_content.0.candidate} + {…}`. */
function builtUpon(node: Expression, program: JqProgram, one: SentBody): readonly string[] | undefined {
  const plain = bare(node);
  if (plain.kind === "Arithmetic") {
    const isSum = plain.rest.every(({ operator }) => operator === "+");
    return isSum ? builtUpon(plain.first, program, one) : undefined;
  }
  if (plain.kind === "Pipeline") {
    const [first] = plain.stages;
    return first !== undefined && isExpression(first) ? builtUpon(first, program, one) : undefined;
  }
  const hole = plain.kind === "Hole" ? program.holes[plain.hole] : undefined;
  const [root, index, ...names] = hole?.syntax.path.map(({ text }) => text) ?? [];
  if (root !== "piped_content" || index === undefined || hole?.command === undefined) return undefined;
  const isSame =
    hole.command.pipe === pipeOf(one) && Number(index) === Number(one.expansion.syntax.path[1]?.text);
  const isWithin = names.length > one.below.length && one.below.every((each, at) => each === names[at]);
  return isSame && isWithin && stepAt(hole.command, Number(index)) === one.step
    ? names.slice(one.below.length)
    : undefined;
}

const pipeOf = ({ expansion }: SentBody) => expansion.command?.pipe;
