import type { Expression } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { textAt } from "./nodes.ts";
import { numberOf } from "./number-of.ts";
import { boundTo, stagesOf } from "./protocol/dependence.ts";

/** How many of the smallest one has, by what is counted. */
const sizes = {
  time: { milliseconds: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 },
  money: { minor: 1, major: 100 },
  weight: { grams: 1, kilograms: 1_000 },
  length: { millimetres: 1, centimetres: 10, metres: 1_000, kilometres: 1_000_000 },
  volume: { millilitres: 1, litres: 1_000 },
} as const;

/** What a number counts. `minor` are cents and the like, `major` the money that people write. */
export type Unit = { [K in keyof typeof sizes]: keyof (typeof sizes)[K] }[keyof typeof sizes];

/** A unit, and what says it. */
export interface Counted {
  readonly unit: Unit;
  /** The member or call that says it, as it is written. */
  readonly by: string;
  /** Whether it was converted on the way. */
  readonly converted: boolean;
}

const named: readonly (readonly [Unit, RegExp])[] = [
  ["milliseconds", /(?:^|_)(?:ms|millis|msec|milliseconds?)$|[a-z\d](?:Ms|Millis|Msec|Milliseconds?)$/],
  ["seconds", /_(?:seconds?|secs?)$|[a-z](?:Seconds?|Secs?)$|^expires_?[iI]n$/],
  ["minutes", /_(?:minutes?|mins?)$|[a-z]Minutes?$/],
  ["hours", /_(?:hours?|hrs?)$|[a-z]Hours?$/],
  ["days", /_days?$|[a-z]Days?$/],
  ["grams", /_g$|(?:^|_)grams?$|[a-z]Grams?$/],
  ["kilograms", /(?:^|_)(?:kgs?|kilos?|kilograms?)$|[a-z](?:Kg|Kilograms?)$/],
  ["millimetres", /(?:^|_)(?:mm|millimet(?:re|er)s?)$|[a-z](?:Mm|Millimet(?:re|er)s?)$/],
  ["centimetres", /(?:^|_)(?:cm|centimet(?:re|er)s?)$|[a-z](?:Cm|Centimet(?:re|er)s?)$/],
  ["kilometres", /(?:^|_)(?:km|kilomet(?:re|er)s?)$|[a-z](?:Km|Kilomet(?:re|er)s?)$/],
  ["metres", /_m$|(?:^|_)met(?:re|er)s?$|[a-z]Met(?:re|er)s?$/],
  ["millilitres", /(?:^|_)(?:ml|millilit(?:re|er)s?)$|[a-z](?:Ml|Millilit(?:re|er)s?)$/],
  ["litres", /_l$|(?:^|_)lit(?:re|er)s?$|[a-z]Lit(?:re|er)s?$/],
  ["minor", /(?:^|_)(?:cents?|pence|pennies|minor|minor_units?|subunits?)$|[a-z](?:Cents?|Pence|Minor)$/],
];

/** What a member counts by its name. */
export const unitOfName: (name: string) => Unit | undefined = memoize((name): Unit | undefined => {
  // `started_day` may be the name of a day.
  const unit = named.find(([, pattern]) => pattern.test(name))?.[0];
  return unit === "days" && !/days$/i.test(name) ? undefined : unit;
}, 5_000);

/** What a value counts by the expression that gives it; undefined where nothing says it. */
export function unitOf(node: Expression, program: JqProgram, input?: Counted): Counted | undefined {
  const own = (each: Expression): Counted | undefined => unitOf(each, program, input);
  switch (node.kind) {
    case "Identity":
      return input;
    case "Group":
      return own(node.body);
    case "Pipeline": {
      let counted = input;
      for (const stage of stagesOf(node)) counted = unitOf(stage, program, counted);
      return counted;
    }
    case "Call":
      return ofCall(node.name.text, node.arguments.length, input);
    case "Hole":
      return ofHole(program.holes[node.hole]);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : unitOf(source, program);
    }
    case "Postfix": {
      const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
      const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
      const unit = name === undefined ? undefined : unitOfName(name);
      return unit === undefined ? undefined : { unit, by: textAt(node, program), converted: false };
    }
    case "Alternative":
      return node.operands.map(own).find((each) => each !== undefined);
    case "Arithmetic":
      return ofArithmetic(node, program, input);
    default:
      return undefined;
  }
}

function ofHole(hole: Expansion | undefined): Counted | undefined {
  const name = hole?.root === "piped_content" ? hole.syntax.path.at(-1)?.text : undefined;
  const unit = name === undefined ? undefined : unitOfName(name);
  return unit === undefined ? undefined : { unit, by: name!, converted: false };
}

function ofCall(name: string, given: number, input: Counted | undefined): Counted | undefined {
  switch (name) {
    case "now":
    case "mktime":
    case "fromdate":
    case "fromdateiso8601":
      return { unit: "seconds", by: name, converted: false };
    case "floor":
    case "round":
    case "ceil":
    case "trunc":
    case "tonumber":
    case "fabs":
    case "abs":
      return input;
    default:
      return given > 0 || name !== "not" ? undefined : input;
  }
}

function ofArithmetic(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
  input: Counted | undefined,
): Counted | undefined {
  let counted = unitOf(first, program, input);
  for (const { operator, operand } of rest) {
    const number = numberOf(operand);
    if (operator === "+" || operator === "-") {
      counted ??= unitOf(operand, program, input);
      continue;
    }
    if (counted === undefined || number === undefined || operator === "%") return undefined;
    const unit = converted(counted.unit, operator, number);
    if (unit === undefined) return undefined;
    counted = { ...counted, unit, converted: true };
  }
  return counted;
}

/** The sizes of what may be counted instead of a unit: minutes and hours of seconds. */
const sizesWith = (unit: Unit): Readonly<Record<string, number>> =>
  Object.values(sizes).find((each) => unit in each)!;

/** The unit after a division or multiplication that converts; undefined where it does something else. */
export function converted(unit: Unit, operator: string, number: number): Unit | undefined {
  const all = sizesWith(unit);
  const size = all[unit]! * (operator === "/" ? number : 1 / number);
  return (Object.keys(all) as Unit[]).find((other) => all[other] === size);
}

/** How many of a unit make one of another of its kind: 1000 grams a kilogram. */
export const ratio = (unit: Unit, other: Unit): number => sizesWith(other)[other]! / sizesWith(unit)[unit]!;

/** Whether both count the same thing: time, or money. */
export const areComparable = (a: Unit, b: Unit): boolean => sizesWith(a) === sizesWith(b);
