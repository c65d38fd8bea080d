import type { Expression, Json } from "@configc/jq";
import type { Navigator } from "./navigate.ts";
import { atomsOf, choice, isPlaceOf, made, type Value } from "./value.ts";

/** `left == right`: with what values are compared. */
export function comparison(left: Value, right: Value, operator: string, navigator: Navigator): Value {
  if (left.kind !== "literal" && right.kind !== "literal") {
    navigator.demands.pairs.push({ left, right, operator });
    if (operator !== "==" && operator !== "!=")
      for (const value of [left, right]) navigator.use(value, "ordered");
    const [later, earlier] = operator.startsWith(">") ? [left, right] : [right, left];
    if (/^[<>]/.test(operator) && isNow(earlier)) {
      navigator.use(later, "future");
      if (atomsOf(earlier).some((atom) => atom.kind === "literal" && atom.value === 1_000))
        navigator.use(later, "milliseconds");
      const format = writtenAs(earlier);
      if (format !== undefined) navigator.format(later, format);
    }
  }
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

/** Whether a value is the time of day, in whatever unit: not one that is reckoned from it. */
function isNow(value: Value): boolean {
  if (isPlaceOf(value, "clock")) return true;
  if (value.kind !== "made" || (value.by !== "number" && value.by !== "time")) return false;
  return value.of.some(isNow) && value.of.every((each) => isNow(each) || each.kind === "literal");
}

/** How the time of day is written, where it is a text. */
function writtenAs(value: Value): string | undefined {
  if (value.kind !== "made" || value.by !== "time") return undefined;
  const format = atomsOf(value).find((atom) => atom.kind === "literal")?.value;
  if (format === undefined) return ISO;
  return typeof format === "string" && format.startsWith("%") ? format : undefined;
}

const ISO = "%Y-%m-%dT%H:%M:%SZ";

/** How a place is written to which a text is added before it is read as a time: `.day + "T00:00:00Z" | fromdate`. */
export function completed(value: Value): { readonly place: Value; readonly format: string } | undefined {
  if (value.kind !== "made" || value.by !== "text" || value.of.length !== 2) return undefined;
  const [place, added] = value.of;
  if (place?.kind !== "place" || added?.kind !== "literal" || typeof added.value !== "string")
    return undefined;
  const format = endings.find(([ending]) => ending.test(String(added.value)))?.[1];
  return format === undefined ? undefined : { place, format };
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/^T\d\d:\d\d:\d\dZ$/, "%Y-%m-%d"],
  [/^:\d\dZ$/, "%Y-%m-%dT%H:%M"],
  [/^Z$/, "%Y-%m-%dT%H:%M:%S"],
];

/** The text of which another one is a part, such as the end of an address: what has nothing to cut off is it itself. */
export function shortened(value: Value): Value | undefined {
  if (value.kind !== "made" || value.by !== "text") return undefined;
  const places = value.of.filter((each) => each.kind !== "literal").map(textIn);
  return places.length === 1 ? places[0] : undefined;
}

/** Notes that something is found by a value: it names one thing, as an id does. */
export function lookedUp(key: Value, navigator: Navigator): void {
  navigator.use(shortened(key) ?? key, "addressed");
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
  for (const { operator, operand } of node.rest)
    value = calculated(operator, value, each(operand), navigator);
  return value;
}

function calculated(operator: string, left: Value, right: Value, navigator: Navigator): Value {
  const sides = [left, right];
  if (operator === "+") {
    const isText = sides.some((side) => hasType(side, "string"));
    const isNumber = sides.some((side) => hasType(side, "number"));
    for (const side of sides) if (isText || isNumber) navigator.use(side, isText ? "text" : "number");
    return isText
      ? made("text", left, right)
      : isNumber
        ? made("sum", left, right)
        : navigator.merge(left, right);
  }
  // Of a list items are taken away.
  const isList = operator === "-" && sides.some(isListed);
  for (const side of sides) navigator.use(side, isList ? "list" : "number");
  return made(operator === "-" ? "sum" : "number", left, right);
}

/**
 * `.a = 1`, `.a.b |= f`, `.page += 1`: the input with a member set.
 *
 * @param walk walks an expression with an input
 */
export function assignment(
  { target, operator, value }: Extract<Expression, { kind: "Assignment" }>,
  input: Value,
  walk: (part: Expression, from: Value) => Value,
  navigator: Navigator,
): Value {
  const before = walk(target, input);
  const path = memberPath(target);
  const set = (to: Value): Value => (path === undefined ? input : withMember(input, path, to, navigator));
  switch (operator) {
    case "=":
      return set(walk(value, input));
    case "|=":
      return set(walk(value, before));
    case "//=":
      navigator.use(before, "nullable");
      return set(choice([before, walk(value, input)]));
    default:
      return set(calculated(operator.slice(0, -1), before, walk(value, input), navigator));
  }
}

/** The names in `.a.b`; undefined where it is something else. */
function memberPath(target: Expression): readonly string[] | undefined {
  if (target.kind !== "Postfix" || target.head.kind !== "Identity") return undefined;
  const names = target.suffixes.map((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined,
  );
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

function withMember(
  input: Value,
  [name, ...rest]: readonly string[],
  to: Value,
  navigator: Navigator,
): Value {
  const member = rest.length === 0 ? to : withMember(navigator.member(input, name!), rest, to, navigator);
  return navigator.merge(input, { kind: "object", members: new Map([[name!, member]]) });
}

export function isListed(value: Value): boolean {
  if (value.kind === "choice") return value.of.some(isListed);
  return (
    (value.kind === "list" && !value.isKeyed) || (value.kind === "literal" && Array.isArray(value.value))
  );
}

function hasType(value: Value, type: "string" | "number"): boolean {
  if (value.kind === "literal") return typeof (value.value as Json) === type;
  if (value.kind === "made")
    return type === "string" ? value.by === "text" : value.by === "number" || value.by === "length";
  return value.kind === "choice" && value.of.some((each) => hasType(each, type));
}
