import { constantOf } from "../constant.ts";
import { nearest } from "../suggestions.ts";
import type { Alternative, Arithmetic, Comparison, Expression, Logical, Negation } from "../syntax-tree.ts";
import { arithmetic } from "./arithmetic.ts";
import { either, times } from "./cardinality.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { shownOperand, shownType } from "./findings.ts";
import { combined, type Flow, failing, none } from "./flow.ts";
import { narrow } from "./narrow.ts";
import { mapParts, truthy } from "./operations.ts";
import { comesBefore } from "./order.ts";
import type { Reports } from "./reports.ts";
import { boolean, literal, never, number, partsOf, type Type, union, unknown } from "./type.ts";

/** The operators, all but assignments: what their operands give together, and what never fits. */

/** `first // second // …` */
export function alternative({ operands }: Alternative, input: Type, scope: Scope, context: Context): Flow {
  const flows = operands.map((operand, index) =>
    index === operands.length - 1
      ? context.flow(operand, input, scope)
      : context.reports.caught(() => context.flow(operand, input, scope)),
  );
  return flows.reduceRight((otherwise, first) => firstTrue(first, otherwise));
}

/** `first // otherwise` */
function firstTrue(first: Flow, otherwise: Flow): Flow {
  const kept = truthy(first.type);
  if (kept.kind === "never" && first.type.kind !== "unknown") return otherwise;
  const isAlwaysTrue = first.cardinality === "one" && kept === first.type && first.type.kind !== "unknown";
  const cardinality =
    first.cardinality === "maybe" || first.cardinality === "one"
      ? either("one", otherwise.fails ? "one" : otherwise.cardinality)
      : either(first.cardinality, otherwise.cardinality);
  if (isAlwaysTrue) {
    // It may still fail, and then the other one stands in.
    return { type: union(first.type, otherwise.type), cardinality, fails: false };
  }
  return { type: union(kept, otherwise.type), cardinality, fails: false };
}

/** `first and second and …`, or the same with `or`. */
export function logical({ operator, operands }: Logical, input: Type, scope: Scope, context: Context): Flow {
  let known = { input, scope };
  const flows: Flow[] = [];
  for (const operand of operands) {
    // The right side isn't evaluated if the left one decides.
    if (known.input.kind === "never") break;
    flows.push(context.flow(operand, known.input, known.scope));
    known = narrow(operand, known, operator === "and", context);
  }
  const [first, ...rest] = flows as [Flow, ...Flow[]];
  if (first.type.kind === "never") return first.fails ? failing : none;
  const cardinality = rest.reduce(
    (all, flow) => times(all, flow.fails ? "maybe" : either("one", flow.cardinality)),
    first.cardinality,
  );
  return { type: boolean, cardinality, fails: first.fails };
}

/** `left == right`, and the other comparisons. */
export function comparison(node: Comparison, input: Type, scope: Scope, context: Context): Flow {
  const left = context.flow(node.left, input, scope);
  const right = context.flow(node.right, input, scope);
  reportComparison(node, left.type, right.type, context.reports);
  return combined(boolean, [left, right]);
}

/**
 * That something isn't null is often asked to be sure, and that it isn't `true` too; how null and booleans are ordered is used on
 * purpose. But what is a boolean is never the text "true", and a place in a list is never true.
 */
function reportComparison(node: Comparison, left: Type, right: Type, reports: Reports): void {
  if (left.kind === "never" || right.kind === "never") return;
  const { operator } = node;
  const isEquality = operator === "==" || operator === "!=";
  if (isEquality) reportUnlikeTexts(node, left, right, reports);
  const code = isEquality ? "never-equal" : "always-ordered";
  const isTelling = (type: Type): boolean => {
    if (type.kind === "unknown") return false;
    const isWeak = ({ kind }: Type): boolean => kind === "null" || kind === "boolean";
    return isEquality
      ? partsOf(type).some((part) => !isWeak(part) || part === boolean)
      : !partsOf(type).some(isWeak);
  };
  const kinds = new Set(partsOf(left).map(({ kind }) => kind));
  const differ = !partsOf(right).some(({ kind }) => kinds.has(kind));
  const before = isEquality ? undefined : comesBefore(left, right);
  // One of several texts, as of the options of a form, is neither true nor false, and neither is a place in a list.
  const isFlagOfAnother =
    isEquality &&
    [[left, node.right] as const, [right, node.left] as const].some(
      ([type, other]) =>
        typeof constantOf(other) === "boolean" && ((textsOf(type)?.length ?? 0) > 1 || isPlace(type)),
    );
  if (
    ((!isTelling(left) || !isTelling(right)) && !isFlagOfAnother) ||
    !differ ||
    (!isEquality && before === undefined)
  ) {
    reports.fine(node, code);
    return;
  }
  const shown = { operator, left: shownOperand(left), right: shownOperand(right) };
  if (isEquality) reports.wrong(node, node, "never-equal", shown);
  else
    reports.wrong(node, node, "always-ordered", {
      ...shown,
      result: before === operator.startsWith("<"),
    });
}

/** Whether a value is a number or null, as `index` gives. */
function isPlace(type: Type): boolean {
  const kinds = new Set(partsOf(type).map(({ kind }) => kind));
  return kinds.size === 2 && kinds.has("number") && kinds.has("null");
}

/** A text beside one that is known to be one of some others: of an option, an enumeration, what another step gives. */
function reportUnlikeTexts(node: Comparison, left: Type, right: Type, reports: Reports): void {
  const isLeft = constantOf(node.right) !== undefined;
  const isRight = constantOf(node.left) !== undefined;
  const values = isLeft === isRight ? undefined : textsOf(isLeft ? left : right);
  const [value] = textsOf(isLeft ? right : left) ?? [];
  // Which type a value has is asked to be sure, also where it is known.
  const isAsked = endsInType(isLeft ? node.left : node.right);
  if (values === undefined || value === undefined || values.includes(value) || isAsked) {
    reports.fine(node, "no-such-value");
    return;
  }
  const suggestion = nearest(value, values);
  const found = { operator: node.operator, value, values };
  reports.wrong(node, node, "no-such-value", suggestion === undefined ? found : { ...found, suggestion });
}

/** `IN("a", "b")` of what is known to be one of some texts. */
export function reportUnlikeChoices(node: Expression, input: Type, reports: Reports): void {
  const choices = choicesOf(node);
  const values = textsOf(input);
  for (const choice of choices) {
    const value = constantOf(choice);
    if (typeof value !== "string") continue;
    if (values === undefined || values.includes(value) || typeNames.has(value)) {
      reports.fine(choice, "no-such-value");
      continue;
    }
    const suggestion = nearest(value, values);
    const found = { operator: "==", value, values } as const;
    reports.wrong(
      choice,
      choice,
      "no-such-value",
      suggestion === undefined ? found : { ...found, suggestion },
    );
  }
}

/** What is asked of `type`, to be sure. */
const typeNames: ReadonlySet<string> = new Set(["null", "boolean", "number", "string", "array", "object"]);

function choicesOf(node: Expression): readonly Expression[] {
  if (node.kind === "Group") return choicesOf(node.body);
  return node.kind === "Comma" ? node.items.flatMap(choicesOf) : [node];
}

function endsInType(node: Expression): boolean {
  if (node.kind === "Group") return endsInType(node.body);
  if (node.kind === "Call") return node.name.text === "type";
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last?.kind === "Call" && endsInType(last);
}

/** The texts that a value can be, null aside; undefined where it may be any, or something else. */
function textsOf(type: Type): readonly string[] | undefined {
  const texts: string[] = [];
  for (const part of partsOf(type)) {
    if (part.kind === "null") continue;
    if (part.kind !== "string" || part.value === undefined) return undefined;
    texts.push(part.value);
  }
  // The parts of a union are in the order in which the process has met them first, which other documents decide.
  return texts.length === 0 ? undefined : texts.sort();
}

function isKnownNumber(type: Type): boolean {
  return partsOf(type).every((part) => part.kind === "number" && part.value !== undefined);
}

/** `first + second - …` */
export function arithmeticChain(node: Arithmetic, input: Type, scope: Scope, context: Context): Flow {
  let result = context.flow(node.first, input, scope);
  for (const step of node.rest) {
    const { operator, operand } = step;
    const right = context.flow(operand, input, scope);
    const type = arithmetic(operator, result.type, right.type);
    const reached = combined(unknown, [result, right]);
    const isZero = right.type.kind === "number" && right.type.value === 0;
    // What `%` makes of nan, which is a number too, is nan.
    const isByZero = isZero && (operator === "/" || (operator === "%" && isKnownNumber(result.type)));
    if (isByZero && reached.type.kind !== "never") {
      context.reports.wrong(step, { start: node.first.start, end: step.end }, "division-by-zero", {});
      result = reached.cardinality === "one" ? failing : none;
      continue;
    }
    context.reports.fine(step, "division-by-zero");
    if (reached.type.kind === "never") result = reached;
    else if (type.kind === "never") {
      const span = { start: node.first.start, end: step.end };
      const [first, second] = [shownOperand(result.type), shownOperand(right.type)];
      context.reports.wrong(step, span, "operand-types", { operator, left: first, right: second });
      result = reached.cardinality === "one" ? failing : none;
    } else {
      context.reports.fine(step, "operand-types");
      result = combined(type, [result, right]);
    }
  }
  return result;
}

/** `-operand` */
export function negation(node: Negation, input: Type, scope: Scope, context: Context): Flow {
  const operand = context.flow(node.operand, input, scope);
  return combined(negated(operand.type, node, context.reports), [operand]);
}

function negated(type: Type, node: Negation, reports: Reports): Type {
  if (type.kind === "never") return never;
  if (type.kind === "unknown") return number;
  const result = mapParts(type, (part) => {
    if (part.kind !== "number") return never;
    return part.value === undefined ? part : literal(0 - part.value);
  });
  if (result.kind === "never") reports.wrong(node, node, "cannot-negate", { found: shownType(type) });
  else reports.fine(node, "cannot-negate");
  return result;
}
