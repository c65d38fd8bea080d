import type { Expression } from "@configc/jq";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { numberOf } from "./number-of.ts";
import { boundTo, stagesOf } from "./protocol/dependence.ts";

/** What a number counts. `minor` are cents and the like, `major` the money that people write. */
export type Unit = "milliseconds" | "seconds" | "minutes" | "hours" | "days" | "minor" | "major";

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
  ["minor", /(?:^|_)(?:cents?|pence|pennies|minor|minor_units?|subunits?)$|[a-z](?:Cents?|Pence|Minor)$/],
];

/** What a member counts by its name. */
export function unitOfName(name: string): Unit | undefined {
  // `started_day` may be the name of a day.
  const unit = named.find(([, pattern]) => pattern.test(name))?.[0];
  return unit === "days" && !/days$/i.test(name) ? undefined : unit;
}

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

const textAt = ({ start, end }: Expression, { node }: JqProgram): string =>
  node.value.slice(start, end).trim();

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

/** How many of the smallest one has. */
const lengths: Readonly<Partial<Record<Unit, number>>> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** The unit after a division or multiplication that converts; undefined where it does something else. */
export function converted(unit: Unit, operator: string, number: number): Unit | undefined {
  if (unit === "minor") return operator === "/" && number === 100 ? "major" : undefined;
  if (unit === "major") return operator === "*" && number === 100 ? "minor" : undefined;
  const length = lengths[unit]! * (operator === "/" ? number : 1 / number);
  return (Object.keys(lengths) as Unit[]).find((other) => lengths[other] === length);
}

/** Whether both count the same thing: time, or money. */
export const areComparable = (a: Unit, b: Unit): boolean => a in lengths === b in lengths;
