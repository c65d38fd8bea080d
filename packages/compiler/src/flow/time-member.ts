import type { Expression, Pipeline } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { bare, isExpression, nodesIn } from "./nodes.ts";
import { numberOf } from "./number-of.ts";
import { isTimeName } from "./protocol/time-names.ts";

/** The unit in which a program takes a member for a time, and where it does. */
export interface TimeTaken {
  readonly member: string;
  readonly unit: "seconds" | "milliseconds";
  readonly node: Expression;
}

/**
 * What a program takes the times that it reads for: `.ended_at / 1000 | todate` says milliseconds, `now - .ended_at` seconds, and so does the
 * number by which the difference of two is divided.
 */
export const timesTaken = (program: JqProgram): readonly TimeTaken[] =>
  program.diagnostics.length > 0 || !hints.test(program.node.value) ? [] : taken(program);

const hints = /todate|gmtime|strftime|\bnow\b|\/ *\(?\d/;

const taken = derivedFromText((tree): readonly TimeTaken[] =>
  nodesIn(tree).flatMap((node): readonly TimeTaken[] => {
    if (node.kind === "Pipeline") return piped(node);
    if (node.kind === "Comparison") return beside(node.left, node.right);
    if (node.kind !== "Arithmetic") return [];
    const [next] = node.rest;
    if (next === undefined) return [];
    if (next.operator === "-") return beside(node.first, next.operand);
    return next.operator === "/" ? divided(node.first, numberOf(next.operand)) : [];
  }),
);

const readsSeconds = /^(?:todate|todateiso8601|gmtime|localtime|strftime|strflocaltime)$/;
const keepsUnit = /^(?:floor|round|ceil|trunc|tonumber|fabs|abs)$/;

/** `.at | floor | todate` and `.at / 1000 | todate` */
function piped({ stages }: Pipeline): readonly TimeTaken[] {
  const names = stages.map((stage) => (stage.kind === "Call" ? stage.name.text : ""));
  const reader = names.findIndex((name) => readsSeconds.test(name));
  const first = stages[0];
  if (reader < 1 || first === undefined || !isExpression(first)) return [];
  if (!names.slice(1, reader).every((name) => keepsUnit.test(name))) return [];
  const source = bare(first);
  if (source.kind !== "Arithmetic") return of(source, "seconds");
  const [next, ...others] = source.rest;
  const isThousandth = next?.operator === "/" && numberOf(next.operand) === 1_000 && others.length === 0;
  return isThousandth ? of(source.first, "milliseconds") : [];
}

/** A time beside the clock: `now - .at`, `.at < now * 1000` */
function beside(left: Expression, right: Expression): readonly TimeTaken[] {
  const [a, b] = [clockUnit(left), clockUnit(right)];
  return [...(b === undefined ? [] : of(left, b)), ...(a === undefined ? [] : of(right, a))];
}

function clockUnit(node: Expression): TimeTaken["unit"] | undefined {
  const inner = bare(node);
  if (inner.kind === "Call") return inner.name.text === "now" ? "seconds" : undefined;
  if (inner.kind !== "Arithmetic") return undefined;
  const unit = clockUnit(inner.first);
  const [next, ...others] = inner.rest;
  if (unit !== "seconds" || next === undefined) return undefined;
  if (next.operator === "*")
    return numberOf(next.operand) === 1_000 && others.length === 0 ? "milliseconds" : undefined;
  return inner.rest.every(({ operator }) => operator === "+" || operator === "-") ? "seconds" : undefined;
}

/** `(.ended_at - .started_at) / 60000` */
function divided(first: Expression, by: number | undefined): readonly TimeTaken[] {
  const difference = bare(first);
  const unit = by === undefined ? undefined : lengths.get(by);
  if (unit === undefined || difference.kind !== "Arithmetic" || difference.rest.length !== 1) return [];
  const [next] = difference.rest;
  return next?.operator === "-" ? [...of(difference.first, unit), ...of(next.operand, unit)] : [];
}

/** What a minute, an hour or a day has. */
const lengths: ReadonlyMap<number, TimeTaken["unit"]> = new Map(
  [60, 3_600, 86_400].flatMap((length) => [
    [length, "seconds" as const],
    [length * 1_000, "milliseconds" as const],
  ]),
);

function of(node: Expression, unit: TimeTaken["unit"]): readonly TimeTaken[] {
  const read = bare(node);
  const last =
    read.kind === "Postfix" ? read.suffixes.findLast(({ kind }) => kind !== "Optional") : undefined;
  const member = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return member === undefined || !isTimeName(member) ? [] : [{ member, unit, node: read }];
}
