import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { entryOf } from "../literal-object.ts";
import { bare, isExpression, textAt } from "../nodes.ts";
import { resolved } from "./forms.ts";
import { stageBefore } from "./stage-before.ts";
import { keptPath } from "./state-paths.ts";
import type { StateWrite } from "./state-writes.ts";

/** Whether what is written leaves a key as it was. */
export function keepsKey({ keys, keepsOthers, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return value === undefined ? keepsOthers : isKept(value, key, program);
}

/** Whether an expression gives a key of the state as it was, whichever way it takes. */
export function isKept(node: Expression, key: string, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return isKept(node.body, key, program);
    case "If":
      return (
        node.otherwise !== undefined &&
        [...node.branches.map(({ body }) => body), node.otherwise].every((body) => isKept(body, key, program))
      );
    default: {
      const path = keptPath(node, program);
      return path?.length === 1 && path[0] === key;
    }
  }
}

/** Whether an expression may give a key of the state as it was, on one of its ways. */
export function mayBeKept(node: Expression, key: string, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return mayBeKept(node.body, key, program);
    case "If":
      return (
        node.otherwise === undefined ||
        [...node.branches.map(({ body }) => body), node.otherwise].some((body) =>
          mayBeKept(body, key, program),
        )
      );
    case "Alternative":
      return node.operands.some((operand) => mayBeKept(operand, key, program));
    default:
      return isKept(node, key, program) || isKeptByDefault(node, key, program);
  }
}

/** `$last.at`, where `(.rows[-1] // {at: ${polling_state.at}}) as $last`. */
export function isKeptByDefault(node: Expression, key: string, program: JqProgram): boolean {
  const [suffix, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  if (node.kind !== "Postfix" || suffix?.kind !== "Field" || others.length > 0) return false;
  const name = suffix.key.kind === "Name" ? suffix.key.text : undefined;
  const source = node.head.kind === "Variable" ? resolved(node.head, program) : bare(node.head);
  if (source?.kind !== "Alternative" || name === undefined) return false;
  const last = bare(source.operands.at(-1)!);
  const value = last.kind === "Object" ? entryOf(last, name)?.value : undefined;
  return value !== undefined && mayBeKept(value, key, program);
}

/** Whether another iteration may follow where a write is made. */
export function mayGoOn({ iterate, when, program }: StateWrite): boolean {
  if (iterate === undefined) return true;
  if (constantOf(bare(iterate)) === false) return false;
  return !when.some(({ condition, holds }) => {
    const says = saidBy(condition, iterate, program);
    return says !== undefined && says !== holds;
  });
}

/** Whether a key stays as it was where a write is made and another iteration follows. */
export function keepsWhileGoingOn(write: StateWrite, key: string): boolean {
  const value = write.keys.get(key);
  if (value === undefined) return write.keepsOthers;
  const taken = bare(whileGoingOn(value, write));
  // Once it is there, it stays.
  const [first] = taken.kind === "Alternative" ? taken.operands : [];
  return isKept(taken, key, write.program) || (first !== undefined && isKept(first, key, write.program));
}

/** What a value is where another iteration follows: of `if .more then ${polling_state.since} else … end` the first. */
export function whileGoingOn(value: Expression, write: StateWrite): Expression {
  const own = bare(value);
  if (own.kind !== "If" || own.branches.length !== 1 || write.iterate === undefined) return value;
  const [{ condition, body }] = own.branches as [(typeof own.branches)[number]];
  const says = saidBy(condition, write.iterate, write.program);
  if (says === true) return whileGoingOn(body, write);
  return says === false && own.otherwise !== undefined ? whileGoingOn(own.otherwise, write) : value;
}

/** What a condition is where another one, such as `iterate`, is true; undefined where they have nothing to do with one another. */
export function saidBy(condition: Expression, iterate: Expression, program: JqProgram): boolean | undefined {
  const [asked, going] = [condition, iterate].map((each) => positive(each, program));
  return asked!.text === going!.text ? asked!.is === going!.is : undefined;
}

/** `.iterate`, where it is a member of an object that the stage before makes: what stands there. */
function ownMember(node: Expression, program: JqProgram): Expression {
  const [suffix, ...others] = node.kind === "Postfix" && node.head.kind === "Identity" ? node.suffixes : [];
  if (suffix?.kind !== "Field" || suffix.key.kind !== "Name" || others.length > 0) return node;
  const made = stageBefore(program).get((node as Postfix).head);
  const value = made?.kind === "Object" ? entryOf(made, suffix.key.text)?.value : undefined;
  return value === undefined ? node : (resolved(value, program) ?? value);
}

type Postfix = Extract<Expression, { kind: "Postfix" }>;

/** A condition as it is written, without `not`. */
function positive(
  node: Expression,
  program: JqProgram,
  is = true,
): { readonly text: string; readonly is: boolean } {
  const own = ownMember(resolved(node, program) ?? node, program);
  if (own.kind === "Pipeline") {
    const [first, last, ...others] = own.stages;
    const isNegated = last?.kind === "Call" && last.name.text === "not" && others.length === 0;
    if (isNegated && first !== undefined && isExpression(first)) return positive(first, program, !is);
  }
  if (own.kind !== "Comparison") return { text: textAt(own, program), is };
  const [left, right] = [own.left, own.right].map((side) => textAt(bare(side), program));
  // `a != b` is `a == b` the other way round, and so are `a >= b` and `a < b`; `a > b` is `b < a`.
  switch (own.operator) {
    case "!=":
      return { text: `${left} == ${right}`, is: !is };
    case ">=":
      return { text: `${left} < ${right}`, is: !is };
    case ">":
      return { text: `${right} < ${left}`, is };
    case "<=":
      return { text: `${right} < ${left}`, is: !is };
    default:
      return { text: `${left} ${own.operator} ${right}`, is };
  }
}
