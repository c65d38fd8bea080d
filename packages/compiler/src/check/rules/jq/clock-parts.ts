import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";

/** What is made of the hours and minutes of one text: `(.h | tonumber) * 3600 + (.m | tonumber)`. */
export interface ClockParts {
  readonly hours: Expression;
  readonly minutes: Expression;
  /** What the minutes are multiplied by, which isn't a sixtieth of what the hours are. */
  readonly factor: number;
  readonly byHours: number;
}

/** A sum of hours and minutes that were cut out of one text, each by a factor, where the two don't fit. */
export function clockParts(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
): ClockParts | undefined {
  const [step, ...others] = rest;
  if (step?.operator !== "+" || others.length > 0) return undefined;
  const [hours, minutes] = [partOf(first, program), partOf(step.operand, program)];
  if (hours === undefined || minutes === undefined || !ofHour.has(hours.factor)) return undefined;
  if (!arePair(hours.name, minutes.name, program.node.value)) return undefined;
  return hours.factor === 60 * minutes.factor
    ? undefined
    : { hours: first, minutes: step.operand, factor: minutes.factor, byHours: hours.factor };
}

/** An hour in minutes, in seconds, and in milliseconds. */
const ofHour: ReadonlySet<number> = new Set([60, 3_600, 3_600_000]);

/** What is read, and what it is multiplied by: `h` and 3600 of `(.h | tonumber) * 3600`. */
function partOf(
  given: Expression,
  program: JqProgram,
): { readonly name: string; readonly factor: number } | undefined {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    const numbers = node.rest.map(({ operator, operand }) =>
      operator === "*" ? numberOf(operand) : undefined,
    );
    const name = nameOf(node.first, program);
    if (name === undefined || numbers.includes(undefined)) return undefined;
    return { name, factor: numbers.reduce<number>((product, each) => product * each!, 1) };
  }
  const name = nameOf(node, program);
  return name === undefined ? undefined : { name, factor: 1 };
}

/** `h` of `.h | tonumber`, `$w.h`; `0` of `.[0]`. */
function nameOf(given: Expression, program: JqProgram): string | undefined {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const [first, last, ...others] = stagesOf(node);
    const isNumber = last?.kind === "Call" && last.name.text === "tonumber" && others.length === 0;
    return isNumber && first !== undefined ? nameOf(first, program) : undefined;
  }
  const suffix = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  if (suffix?.kind === "Field" && suffix.key.kind === "Name") return suffix.key.text;
  if (suffix?.kind !== "Index") return undefined;
  return /^\.?\[(\d)\]$/.exec(textAt(node, program))?.[1];
}

/** Whether both are of one text: groups of a pattern that are called so, or the first two of what is cut at the colons. */
function arePair(hours: string, minutes: string, text: string): boolean {
  if (hours === "0" && minutes === "1")
    return /\bsplit\("\s*:\s*"\)\s*(?:\|\s*map\(tonumber\)\s*)?\|\s*\(*\.\[0\]/.test(text);
  const [, before] = /^([a-z]??)(?:h|hh|hours?|hrs?)$/.exec(hours) ?? [];
  const [, other] = /^([a-z]??)(?:m|mm|mi|min|mins|minutes?)$/.exec(minutes) ?? [];
  return (
    before !== undefined && before === other && [hours, minutes].every((each) => text.includes(`(?<${each}>`))
  );
}
