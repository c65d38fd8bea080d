import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { bare, isExpression, textAt } from "./nodes.ts";
import { numberOf } from "./number-of.ts";
import { boundTo, stagesOf } from "./protocol/dependence.ts";
import { lastName, resolved } from "./protocol/forms.ts";
import { isCutToDay } from "./protocol/state-kinds.ts";
import { underlying } from "./underlying.ts";

/** A day, and from which one it is reckoned. */
export interface DayReckoned {
  /** `$c.starts_on`, as it is written. */
  readonly base: string;
  /** Its name, `starts_on`, where it has one. */
  readonly from: string | undefined;
  /** How many days are added, a number that isn't fixed: `$c.days` of `($c.days - 1) * 86400`. */
  readonly added: Expression | undefined;
  /** What is taken off that number: 1. */
  readonly less: number;
}

/** Whether a program has days in seconds in it: `86400`, `24 * 3600`. Most have none. */
export const mayReckonDays = ({ node: { value } }: JqProgram): boolean => /86400|3600/.test(value);

/** What a day is reckoned from, and how many days are added to it, whatever makes a time of it and a day again. */
export function dayReckoned(value: Expression, program: JqProgram): DayReckoned | undefined {
  const inner = underlying(value);
  // A day that came as one: `$c.starts_on`
  if (inner.kind === "Postfix") return dayOf(inner, program);
  if (inner.kind !== "Pipeline") return undefined;
  const [first, ...rest] = stagesOf(inner);
  if (first === undefined || !isDay(rest.at(-1))) return undefined;
  // `$c.starts_on | strptime("%Y-%m-%d") | mktime + $c.days * 86400 | …`
  for (const stage of rest) {
    const added = stage.kind === "Arithmetic" ? addedIn(stage) : undefined;
    if (added !== undefined) return { ...dayOf(first, program), ...added };
  }
  // Something else is reckoned on the way.
  if (rest.some((stage) => stage.kind === "Arithmetic" && !startsDay(stage))) return undefined;
  const time = resolved(first, program) ?? first;
  if (time.kind !== "Arithmetic" || startsDay(time)) return dayOf(first, program);
  const added = addedIn(time);
  return added === undefined ? undefined : { ...dayOf(time.first, program), ...added };
}

/** `TIME + DAYS * 86400` */
function addedIn({
  rest,
}: Extract<Expression, { kind: "Arithmetic" }>): Pick<DayReckoned, "added" | "less"> | undefined {
  const [step, ...others] = rest;
  return step?.operator === "+" && others.length === 0 ? daysOf(step.operand) : undefined;
}

/** `$c.starts_on` of `($c.starts_on + "T00:00:00Z" | fromdate)`, and of `"\($c.starts_on)T00:00:00Z"`. */
function dayOf(given: Expression, program: JqProgram): DayReckoned {
  let node = bare(given);
  const [first] = node.kind === "Pipeline" ? node.stages : [];
  if (first !== undefined && isExpression(first)) node = bare(first);
  if (node.kind === "Arithmetic" && startsDay(node)) node = bare(node.first);
  const [part, end, ...others] = node.kind === "String" ? node.parts : [];
  if (part?.kind === "Interpolation" && end?.kind === "StringText" && others.length === 0)
    node = bare(part.expression);
  const source = node.kind === "Variable" ? boundTo(program, node) : undefined;
  const named = source === undefined ? node : bare(source);
  const hole = named.kind === "Hole" ? program.holes[named.hole]?.syntax.path.at(-1)?.text : undefined;
  const from = named.kind === "Postfix" ? lastName(named) : hole;
  return { base: textAt(node, program), from, added: undefined, less: 0 };
}

/** `DAY + "T00:00:00Z"` */
function startsDay({ rest }: Extract<Expression, { kind: "Arithmetic" }>): boolean {
  const [step, ...others] = rest;
  const text = step?.operator === "+" && others.length === 0 ? constantOf(step.operand) : undefined;
  return typeof text === "string" && /^[T ]\d\d:\d\d/.test(text);
}

/** `.[0:10]`, `strftime("%Y-%m-%d")` */
function isDay(stage: Expression | undefined): boolean {
  if (stage === undefined) return false;
  if (isCutToDay(stage)) return true;
  const [format] = stage.kind === "Call" && stage.name.text === "strftime" ? stage.arguments : [];
  return format !== undefined && /^%Y-?%m-?%d$|^%F$/.test(`${constantOf(format)}`);
}

/** `$days` of `$days * 86400`, and of `($days - 1) * 86400`. */
function daysOf(node: Expression): Pick<DayReckoned, "added" | "less"> | undefined {
  const inner = bare(node);
  if (inner.kind !== "Arithmetic" || inner.rest.some(({ operator }) => operator !== "*")) return undefined;
  const sides = [inner.first, ...inner.rest.map(({ operand }) => operand)].map(bare);
  const [days, ...others] = sides.filter((side) => numberOf(side) === undefined);
  const seconds = sides.reduce((product, side) => product * (numberOf(side) ?? 1), 1);
  if (days === undefined || others.length > 0 || seconds !== 86_400) return undefined;
  if (days.kind !== "Arithmetic") return { added: days, less: 0 };
  const [step, ...more] = days.rest;
  const number = step === undefined || more.length > 0 ? undefined : numberOf(step.operand);
  if (number === undefined || (step?.operator !== "-" && step?.operator !== "+")) return undefined;
  return { added: bare(days.first), less: step.operator === "-" ? number : -number };
}

/** What a number of days is called: `nights` of `$stay.nights`, `$nights` and `(${custom_data.nights.value} | tonumber)`. */
export function nameOfDays(days: Expression, program: JqProgram): string | undefined {
  const node = underlying(days);
  if (node.kind === "Variable") return node.name;
  if (node.kind === "Postfix") return lastName(node);
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const [, field] = hole?.root === "custom_data" ? hole.syntax.path : [];
  return field?.text ?? hole?.syntax.path.at(-1)?.text;
}

/** Whether a day with such a name is the first one of a span. */
export const isFirstDay = (name: string): boolean =>
  /^(?:first|starting|starts?|begins?|opens?|arriv(?:es?|al|ing)|check_?in)(?:_?(?:day|date|on|night))?$/i.test(
    name,
  );
