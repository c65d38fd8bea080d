import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { bare, countedBy, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";

/** Conditions that take one record for none. */
export const oneAsNoneIn = derivedOf((program: JqProgram, model) => {
  const { command, diagnostics, node } = program;
  if (diagnostics.length > 0 || !/\blength\)*\s*(?:==|>|>=)\s*[12]\b/.test(node.value)) return [];
  if (!command.place.name.startsWith("data_pipeline.")) return [];
  return choicesIn(program, model).flatMap(({ asked, then, otherwise }) => {
    const { name, isOne, node: condition } = asked;
    const [one, other] = isOne ? [then, otherwise] : [otherwise, then];
    // What reads the second one, too, is about several.
    if (mentions(one, name) || !other.includes(`${name}[0]`) || /\[(?:1|-1)\]/.test(other)) return [];
    const { start, end } = condition;
    const text = node.value.slice(start, end);
    const instead = isOne ? text.replace(/1$/, "0") : text.replace(/>=?\s*[12]$/, "> 0");
    return [{ text, name, instead, at: { node, from: start, to: end } }];
  });
});

interface Asked {
  readonly node: Expression;
  readonly name: string;
  /** Whether it holds for exactly one; otherwise it does for several only. */
  readonly isOne: boolean;
}

interface Choice {
  readonly asked: Asked;
  /** What is done where it holds, as it is written. */
  readonly then: string;
  readonly otherwise: string;
}

/** The ways between which the length of a list decides: the cases of a `!switch`, or the branches of a program that ends with a message. */
function choicesIn(program: JqProgram, model: Model): readonly Choice[] {
  const { command } = program;
  if (command.key === "!switch") {
    const body = plainBody(program);
    const [branch, ...others] = body.kind === "If" ? body.branches : [];
    if (body.kind !== "If" || branch === undefined || others.length > 0) return [];
    const asked = askedIn(branch.condition, program);
    const cases = [branch.body, body.otherwise].map((each) => {
      const index = each === undefined ? undefined : constantOf(each);
      const chosen = typeof index === "number" ? command.children[index] : undefined;
      return chosen === undefined ? undefined : model.document.text.slice(chosen.node.start, chosen.node.end);
    });
    const [then, otherwise] = cases;
    return asked === undefined || then === undefined || otherwise === undefined
      ? []
      : [{ asked, then, otherwise }];
  }
  return nodesOfKind(program, "If").flatMap(({ branches, otherwise }): readonly Choice[] => {
    const [branch, ...others] = branches;
    if (branch === undefined || otherwise === undefined || others.length > 0) return [];
    const asked = askedIn(branch.condition, program);
    const then = textAt(branch.body, program);
    // With one name, one is shown otherwise than several.
    if (asked?.isOne !== true || !/^(?:error\b|null$|empty$)/.test(then)) return [];
    return [{ asked, then, otherwise: textAt(otherwise, program) }];
  });
}

/** `(.people | length) == 1`, `.people | length > 1` */
function askedIn(condition: Expression, program: JqProgram): Asked | undefined {
  const node = bare(condition);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    const [list, ...others] = node.stages.slice(0, -1);
    if (last?.kind !== "Comparison" || list === undefined || others.length > 0) return undefined;
    const left = bare(last.left);
    return left.kind === "Call" && left.name.text === "length"
      ? askedOf(node, list as Expression, last.operator, last.right, program)
      : undefined;
  }
  const list = node.kind === "Comparison" ? countedBy(node.left) : undefined;
  return node.kind === "Comparison" && list !== undefined
    ? askedOf(node, list, node.operator, node.right, program)
    : undefined;
}

function askedOf(
  node: Expression,
  list: Expression,
  operator: string,
  right: Expression,
  program: JqProgram,
): Asked | undefined {
  const number = constantOf(right);
  const isOne = operator === "==" && number === 1;
  const isMany = (operator === ">" && number === 1) || (operator === ">=" && number === 2);
  const counted = bare(list);
  const name =
    counted.kind === "Hole" ? program.holes[counted.hole]?.syntax.path.at(-1)?.text : lastName(counted);
  return name !== undefined && (isOne || isMany) ? { node, name, isOne } : undefined;
}

/** Whether a list is read there, as a whole or by its places. */
const mentions = (text: string, name: string): boolean =>
  text.split(name).some((part, at) => at > 0 && /^(?:\[|\s*\||\s*[,})])/.test(part));
