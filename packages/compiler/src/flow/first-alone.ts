import { children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { bare, isExpression } from "./nodes.ts";

/**
 * The read of a list's first or last record from which alone a list is made: `.items[0]` of `[.items[0] | {id, name}]`.
 * Undefined where more may come of it: what goes through a list of that record gives as many as that has.
 */
export function firstAlone(given: Expression): Expression | undefined {
  const list = bare(given);
  if (list.kind !== "Array" || list.body === undefined) return undefined;
  const body = bare(list.body);
  const stages = body.kind === "Pipeline" ? body.stages : [body];
  const [first, ...rest] = stages;
  if (first === undefined || !isExpression(first) || !isFirst(bare(first))) return undefined;
  return rest.some(multiplies) ? undefined : first;
}

/** Whether several may come of one: a list or a call around it makes one of them again. */
function multiplies(stage: Node): boolean {
  const pending: Node[] = [stage];
  for (const node of pending) {
    if (node.kind === "Iterate" || node.kind === "Comma") return true;
    if (node.kind !== "Array" && node.kind !== "Call") pending.push(...children(node));
  }
  return false;
}

/** `.items[0]`, `.items[-1]?`, `first(.items[])` */
function isFirst(node: Expression): boolean {
  if (node.kind === "Call") {
    const [argument, ...others] = node.arguments;
    const isEnd = node.name.text === "first" || node.name.text === "last";
    return isEnd && others.length === 0 && argument !== undefined && iterates(bare(argument));
  }
  if (node.kind !== "Postfix") return false;
  const [last, before] = node.suffixes.filter(({ kind }) => kind !== "Optional").reverse();
  const place = last?.kind === "Index" ? constantOf(last.index) : undefined;
  // Without a name before it, it may be one of the parts that a program has put together itself.
  return before?.kind === "Field" && (place === 0 || place === -1);
}

const iterates = (node: Expression): boolean =>
  node.kind === "Postfix" && node.suffixes.at(-1)?.kind === "Iterate" && node.suffixes.length > 1;
