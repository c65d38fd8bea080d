import type { Expression, Json } from "@configc/jq";
import type { Navigator } from "./navigate.ts";
import { made, type Value } from "./value.ts";

/** `left == right`: with what values are compared. */
export function comparison(left: Value, right: Value, operator: string, navigator: Navigator): Value {
  if (left.kind !== "literal" && right.kind !== "literal")
    navigator.demands.pairs.push({ left, right, operator });
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (other.kind !== "literal") continue;
    if (other.value === null) navigator.use(value, "nullable");
    else if (other.value === "") navigator.use(value, "blank");
    else navigator.compare(shortened(value) ?? value, other.value, operator === "!=");
    if (typeof other.value === "number") {
      navigator.use(value, "number");
      // What lies on either side of a bound.
      if (operator !== "==" && operator !== "!=")
        for (const near of [other.value + 1, other.value - 1]) navigator.compare(value, near);
    }
  }
  return made("boolean", left, right);
}

/** The text of which another one is a part, such as the end of an address: what has nothing to cut off is it itself. */
function shortened(value: Value): Value | undefined {
  if (value.kind !== "made" || value.by !== "text") return undefined;
  const places = value.of.filter((each) => each.kind !== "literal").map(textIn);
  return places.length === 1 ? places[0] : undefined;
}

/** A place with a text that stands in for what isn't there. */
function textIn(value: Value): Value | undefined {
  if (value.kind === "place") return value;
  if (value.kind !== "choice") return shortened(value);
  const others = value.of.filter((each) => each.kind !== "literal");
  return others.length === 1 ? textIn(others[0]!) : undefined;
}

/** `+ - * / %`: what the operands are taken for. @param each walks an operand */
export function arithmetic(
  node: Extract<Expression, { kind: "Arithmetic" }>,
  each: (part: Expression) => Value,
  navigator: Navigator,
): Value {
  let value = each(node.first);
  for (const { operator, operand } of node.rest) {
    const other = each(operand);
    if (operator === "+") {
      const isText = hasType(value, "string") || hasType(other, "string");
      const isNumber = hasType(value, "number") || hasType(other, "number");
      for (const side of [value, other])
        if (isText || isNumber) navigator.use(side, isText ? "text" : "number");
      value = isText
        ? made("text", value, other)
        : isNumber
          ? made("sum", value, other)
          : navigator.merge(value, other);
      continue;
    }
    if (operator !== "-") for (const side of [value, other]) navigator.use(side, "number");
    value = made(operator === "-" ? "sum" : "number", value, other);
  }
  return value;
}

/** The input with a member set: `.name = value`. */
export function assigned(target: Expression, input: Value, value: Value, navigator: Navigator): Value {
  const name =
    target.kind === "Postfix" &&
    target.head.kind === "Identity" &&
    target.suffixes.length === 1 &&
    target.suffixes[0]!.kind === "Field" &&
    target.suffixes[0]!.key.kind === "Name"
      ? target.suffixes[0]!.key.text
      : undefined;
  return name === undefined
    ? input
    : navigator.merge(input, { kind: "object", members: new Map([[name, value]]) });
}

function hasType(value: Value, type: "string" | "number"): boolean {
  if (value.kind === "literal") return typeof (value.value as Json) === type;
  if (value.kind === "made")
    return type === "string" ? value.by === "text" : value.by === "number" || value.by === "length";
  return value.kind === "choice" && value.of.some((each) => hasType(each, type));
}
