import { children, type Expression, type Node } from "@configc/jq";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { readMember } from "./member-read.ts";
import { bare, nodesIn, nodesOfKind } from "./nodes.ts";
import { boundTo, stagesOf } from "./protocol/dependence.ts";

/** A member that is compared with what a customer chose: as it is, or with each of several. */
export interface ChosenComparison {
  readonly chosen: Expansion;
  /** The name of the member. */
  readonly name: string;
  /** It, or the list that it is in. */
  readonly node: Expression;
}

/**
 * Comparisons of members with the `value` of a form field, in each form in which programs write them: `.id == X`,
 * `X | any(. == $id)`, `X | index(.id)`, `.id | IN(X[])`, `[.tags[].id] | index(X)`.
 */
export function chosenComparisons(
  program: JqProgram,
  attribute: "value" | "display" = "value",
): readonly ChosenComparison[] {
  return chosenPairs(program, attribute).flatMap(({ chosen, other }) => {
    const name = nameIn(other, program);
    return name === undefined ? [] : [{ chosen, name, node: other }];
  });
}

/** What a customer chose, and what it is compared with. */
export interface ChosenPair {
  readonly chosen: Expansion;
  readonly other: Expression;
}

/** The same with whatever it is compared with. */
export function chosenPairs(program: JqProgram, attribute: "value" | "display"): readonly ChosenPair[] {
  const isChosen = ({ root, syntax }: Expansion): boolean =>
    root === "custom_data" && syntax.path[2]?.text === attribute;
  if (!program.holes.some(isChosen)) return [];
  const found: ChosenPair[] = [];
  const add = (a: Expression | undefined, b: Expression | undefined): void => {
    for (const [one, other] of [[a, b] as const, [b, a] as const]) {
      const chosen = one === undefined ? undefined : chosenIn(one, program, isChosen);
      if (chosen !== undefined && other !== undefined) found.push({ chosen, other });
    }
  };
  for (const { operator, left, right } of nodesOfKind(program, "Comparison"))
    if (operator === "==" || operator === "!=") add(left, right);
  for (const node of nodesOfKind(program, "Pipeline")) {
    const stages = stagesOf(node);
    for (const [index, stage] of stages.entries()) {
      const list = stages[index - 1];
      if (stage.kind !== "Call" || list === undefined) continue;
      const [first] = stage.arguments;
      switch (stage.name.text) {
        case "any":
        case "all":
        case "map":
        case "select":
          for (const other of equalToItem(first)) add(list, other);
          break;
        case "index":
        case "rindex":
        case "contains":
        case "inside":
          add(list, first);
          break;
        case "IN":
          add(list, first);
      }
    }
  }
  for (const { name, arguments: given } of nodesOfKind(program, "Call")) {
    if (given.length !== 2) continue;
    if (name.text === "IN") add(given[0], given[1]);
    if (name.text === "any" || name.text === "all")
      for (const other of equalToItem(given[1])) add(given[0], other);
  }
  return found;
}

/** What is compared with `.` in the condition of an `any` or `select`, not in a list within it. */
function equalToItem(condition: Node | undefined): readonly Expression[] {
  if (condition === undefined || condition.kind === "Pipeline") return [];
  if (condition.kind !== "Comparison") return children(condition).flatMap(equalToItem);
  const { operator, left, right } = condition;
  if (operator !== "==" && operator !== "!=") return [];
  if (bare(left).kind === "Identity") return [right];
  return bare(right).kind === "Identity" ? [left] : [];
}

/** The field of which an expression is what was chosen, or is a list of it. */
export function chosenIn(
  node: Expression,
  program: JqProgram,
  isChosen: (hole: Expansion) => boolean,
): Expansion | undefined {
  const within = (each: Expression): Expansion | undefined => chosenIn(each, program, isChosen);
  const inner = bare(node);
  switch (inner.kind) {
    case "Hole": {
      const hole = program.holes[inner.hole];
      return hole !== undefined && isChosen(hole) ? hole : undefined;
    }
    case "Variable": {
      const source = boundTo(program, inner);
      return source === undefined ? undefined : within(source);
    }
    case "Alternative":
      return within(inner.operands[0]!);
    case "Array":
      return inner.body === undefined ? undefined : within(inner.body);
    case "Pipeline": {
      const [first, ...others] = stagesOf(inner);
      const keeps = others.every(
        (stage) =>
          (stage.kind === "Call" &&
            /^(?:tostring|tonumber|arrays|map|ascii_downcase)$/.test(stage.name.text)) ||
          (stage.kind === "Postfix" && stage.head.kind === "Identity"),
      );
      return first !== undefined && keeps ? within(first) : undefined;
    }
    case "Postfix":
      return inner.suffixes.every(({ kind }) => kind === "Iterate" || kind === "Optional")
        ? within(inner.head)
        : undefined;
    default:
      return undefined;
  }
}

/** The name of the member that an expression is, or is a list of: `id` of `[.tags[].id]`. */
function nameIn(node: Expression, program: JqProgram): string | undefined {
  const inner = bare(node);
  if (inner.kind === "Variable") {
    const source = boundTo(program, inner);
    return source === undefined ? undefined : nameIn(source, program);
  }
  if (inner.kind === "Array") return inner.body === undefined ? undefined : nameIn(inner.body, program);
  if (inner.kind === "Pipeline") {
    const last = stagesOf(inner).at(-1);
    if (last?.kind === "Call" && last.name.text === "map" && last.arguments[0] !== undefined)
      return nameIn(last.arguments[0], program);
    if (last?.kind === "Postfix" && last.head.kind === "Identity") return nameIn(last, program);
  }
  if (nodesIn(inner).some(({ kind }) => kind === "Hole" || kind === "Object") && inner.kind !== "Hole")
    return undefined;
  if (inner.kind === "Hole" && program.holes[inner.hole]?.root === "custom_data") return undefined;
  return readMember(inner, program)?.name;
}
