import { constantOf } from "../constant.ts";
import type { Call, Comparison, Expression, Logical } from "../syntax-tree.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { ofKinds, truthy } from "./operations.ts";
import { ordered, type Relation, relationOf } from "./order.ts";
import { type Place, placeOf } from "./places.ts";
import { equalTo, falsy, filled, havingMember, type Refinement, refineAt, unequalTo } from "./refine.ts";
import { isUnit, literal, never, partsOf, type Type, union } from "./type.ts";

/** What is known where a condition has turned out true or false. An input of type `never` can't be reached. */
interface Known {
  readonly input: Type;
  readonly scope: Scope;
}

/** What is known where the condition is `truth`; also that it was evaluated without failing. */
export function narrow(node: Expression, known: Known, truth: boolean, context: Context): Known {
  if (known.input.kind === "never") return known;
  switch (node.kind) {
    case "Group":
      return narrow(node.body, known, truth, context);
    case "Logical":
      return logical(node, known, truth, context);
    case "Comparison":
      return comparison(node, known, truth, context);
    case "Call":
      return call(node, { path: [] }, known, truth, context);
    case "Pipeline":
      return pipeline(node.stages as readonly Expression[], known, truth, context);
    default: {
      const place = placeOf(node, context.resolution);
      return place === undefined ? known : refined(place, truth ? truthy : falsy, known);
    }
  }
}

function logical({ operator, operands }: Logical, known: Known, truth: boolean, context: Context): Known {
  // `and` is true where all are, and false where the first, or else the second, … is false.
  const isAll = (operator === "and") === truth;
  let rest = known;
  const ends: Known[] = [];
  for (const operand of operands) {
    if (!isAll) ends.push(narrow(operand, rest, truth, context));
    rest = narrow(operand, rest, operator === "and", context);
  }
  return isAll ? rest : ends.reduce((a, b) => joined(a, b, known.scope));
}

/** What is known if either is. Variables that differ are known no better than before. */
function joined(a: Known, b: Known, before: Scope): Known {
  if (a.input.kind === "never") return b;
  if (b.input.kind === "never") return a;
  return { input: union(a.input, b.input), scope: a.scope === b.scope ? a.scope : before };
}

function comparison(node: Comparison, known: Known, truth: boolean, context: Context): Known {
  const { operator, left, right } = node;
  if (operator !== "==" && operator !== "!=") return byOrder(node, operator, known, truth, context);
  const isEqual = (operator === "==") === truth;
  let result = known;
  for (const [tested, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const refinement = equality(other, isEqual, result, context);
    if (refinement === undefined) continue;
    const place = placeOf(tested, context.resolution);
    if (place !== undefined) result = refined(place, refinement, result);
    const typed = askedPlace(tested, "type", context);
    if (typed !== undefined) result = refined(typed, (type) => byKind(type, refinement), result);
    const measured = isEqual ? undefined : askedPlace(tested, "length", context);
    if (measured !== undefined && isZero(other)) result = refined(measured, filled, result);
  }
  return result;
}

/** `left < right` and the like tell of both sides' kinds, and `length > 0` that there are items. */
function byOrder(
  { left, right }: Comparison,
  operator: Relation,
  known: Known,
  truth: boolean,
  context: Context,
): Known {
  let result = known;
  for (const isLeft of [true, false]) {
    const [tested, other] = isLeft ? [left, right] : [right, left];
    const place = placeOf(tested, context.resolution);
    const measured = place === undefined ? askedPlace(tested, "length", context) : undefined;
    if (place === undefined && measured === undefined) continue;
    const { type, cardinality } = context.flow(other, result.input, result.scope);
    if (cardinality !== "one") continue;
    const relation = relationOf(operator, truth, isLeft);
    if (place !== undefined) {
      const refinement = ordered(relation, type);
      if (refinement !== undefined) result = refined(place, refinement, result);
    } else if (type.kind === "number" && type.value !== undefined) {
      const isSome = relation === ">" ? type.value >= 0 : relation === ">=" && type.value > 0;
      if (isSome) result = refined(measured!, filled, result);
    }
  }
  return result;
}

/** What a value has to be like to equal (or not) the value of an expression that is known exactly. */
function equality(
  other: Expression,
  isEqual: boolean,
  known: Known,
  context: Context,
): Refinement | undefined {
  const { type, cardinality } = context.flow(other, known.input, known.scope);
  if (cardinality !== "one" || !isUnit(type)) return undefined;
  return isEqual ? (value) => equalTo(value, [type]) : (value) => unequalTo(value, type);
}

function isZero(node: Expression): boolean {
  return constantOf(node) === 0;
}

/** The place whose `type` or `length` an expression asks for: `type`, `.a | type`. */
function askedPlace(node: Expression, name: "type" | "length", context: Context): Place | undefined {
  if (node.kind === "Group") return askedPlace(node.body, name, context);
  if (node.kind === "Call") return isBuiltin(node, name, context) ? { path: [] } : undefined;
  if (node.kind !== "Pipeline") return undefined;
  const last = node.stages.at(-1)!;
  if (last.kind !== "Call" || !isBuiltin(last, name, context)) return undefined;
  return placeOf({ ...node, stages: node.stages.slice(0, -1) }, context.resolution);
}

const kinds = ["null", "boolean", "number", "string", "array", "object"] as const;

/** The values whose kind passes a refinement of its name. */
function byKind(type: Type, refinement: Refinement): Type {
  const passing = kinds.filter((kind) => refinement(literal(kind)).kind !== "never");
  // All but one kind of an unknown value is as good as unknown.
  return type.kind === "unknown" && passing.length > 1 ? type : ofKinds(type, passing);
}

/** `place | condition`, `condition | not`. */
function pipeline(stages: readonly Expression[], known: Known, truth: boolean, context: Context): Known {
  const last = stages.at(-1)!;
  const before = { kind: "Pipeline", stages: stages.slice(0, -1), start: last.start, end: last.end } as const;
  if (last.kind === "Call" && isBuiltin(last, "not", context)) {
    return narrow(before.stages.length === 1 ? before.stages[0]! : before, known, !truth, context);
  }
  const place = placeOf(before, context.resolution);
  if (place === undefined) return known;
  if (last.kind === "Call") return call(last, place, known, truth, context);
  const condition: Refinement = (input) => narrow(last, { input, scope: known.scope }, truth, context).input;
  return refined(place, condition, known);
}

/** Functions that fail for anything but strings, so that what they have tested is one. */
const ofStrings: ReadonlySet<string> = new Set(["startswith/1", "endswith/1", "test/1", "test/2"]);

function call(node: Call, place: Place, known: Known, truth: boolean, context: Context): Known {
  if (context.resolution.functions.has(node)) return known;
  const [argument] = node.arguments;
  const signature = `${node.name.text}/${node.arguments.length}`;
  if (ofStrings.has(signature)) return refined(place, (type) => ofKinds(type, ["string"]), known);
  if (signature === "not/0") return refined(place, truth ? falsy : truthy, known);
  if (signature === "has/1") {
    const { type, cardinality } = context.flow(argument!, known.input, known.scope);
    if (cardinality !== "one" || type.kind !== "string" || type.value === undefined) return known;
    const { value } = type;
    return refined(place, (container) => havingMember(container, value, truth), known);
  }
  if (signature === "IN/1" && truth) {
    const { type } = context.flow(argument!, known.input, known.scope);
    const wanted = partsOf(type);
    if (!wanted.every(isUnit)) return known;
    return refined(place, (value) => equalTo(value, wanted), known);
  }
  return known;
}

function isBuiltin(node: Call, name: string, { resolution }: Context): boolean {
  return node.name.text === name && node.arguments.length === 0 && !resolution.functions.has(node);
}

/** What is known where the value at a place is as the refinement makes it. */
function refined({ variable, path }: Place, refine: Refinement, known: Known): Known {
  if (variable === undefined) return { ...known, input: refineAt(known.input, path, refine) };
  for (let at = known.scope; at !== undefined; at = at.parent) {
    if (at.key !== variable) continue;
    if (at.type === undefined) return known;
    const type = refineAt(at.type, path, refine);
    if (type === at.type) return known;
    if (type.kind === "never") return { ...known, input: never };
    return { ...known, scope: { key: variable, type, parent: known.scope } };
  }
  return known;
}
