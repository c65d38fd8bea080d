import type { Expression } from "@configc/jq";
import { constantOf, groupBy } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { asksForEmpty, defaultOf, fieldWithDefault } from "../../../flow/left-out.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { isNeverBelowNone } from "../../../flow/never-below-none.ts";
import { bare, isLength, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { definitionInStep, definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";

type Logical = Extract<Expression, { kind: "Logical" }>;
type Comparison = Extract<Expression, { kind: "Comparison" }>;

/** Whether a program decides by a constant, by a length, or by a default that counts as true: `if .email // "" then`. */
export function decidesByConstant(program: JqProgram): boolean {
  const body = plainBody(program);
  return (
    body.kind === "If" &&
    body.branches.some(({ condition }) => {
      const node = bare(condition);
      if (isLength(node)) return true;
      const last = node.kind === "Alternative" ? node.operands.at(-1) : undefined;
      const value = constantOf(last ?? node);
      return value !== undefined && (last === undefined || (value !== null && value !== false));
    })
  );
}

/** What `and` or `or` always gives, whatever comes; undefined where it depends on that. */
export const logicalAlways = (node: Logical, program: JqProgram): boolean | undefined =>
  contradicted(node, program) ??
  besideItsMember(node, program) ??
  outOfRange(node, program) ??
  decidedBy(node);

/** The same of a comparison. */
export function comparisonAlways(node: Comparison, program: JqProgram): boolean | undefined {
  // Of lengths in `iterate`, a rule about that says it.
  const isIterate = program.command.place.name === "intake.request" && isInIterate(node, program);
  return (
    sameOperands(node, program) ??
    betweenConstants(node) ??
    besideDefault(node, program) ??
    requiredBesideNull(node, program)?.always ??
    requiredLength(node, program) ??
    (isIterate ? undefined : lengthAlways(node, program))
  );
}

const isInIterate = ({ start, end }: Comparison, program: JqProgram): boolean =>
  nodesOfKind(program, "Object").some((object) => {
    const value = entryOf(object, "iterate")?.value;
    return value !== undefined && value.start <= start && end <= value.end;
  });

/** What `$hour < 8 and $hour >= 20` and `$hour > 8 or $hour < 20` always are: no value is on both sides, and each is on one. */
function outOfRange({ operator, operands }: Logical, program: JqProgram): boolean | undefined {
  const limits = operands.flatMap((operand): readonly Limit[] => {
    const node = bare(operand);
    const at = node.kind === "Comparison" ? constantOf(node.right) : undefined;
    if (node.kind !== "Comparison" || typeof at !== "number" || !/^[<>]/.test(node.operator)) return [];
    const text = textAt(node.left, program);
    // What gives several values may have one on each side.
    if (/[|,[(?]/.test(text)) return [];
    return [{ text, isUpper: node.operator.startsWith("<"), at, isTaken: node.operator.endsWith("=") }];
  });
  for (const same of groupBy(limits, ({ text }) => text).values()) {
    const [uppers, lowers] = [true, false].map((isUpper) => same.filter((each) => each.isUpper === isUpper));
    // Those that leave least room between them, or most.
    const upper = outermost(uppers!, operator === "or", 1);
    const lower = outermost(lowers!, operator === "or", -1);
    if (upper === undefined || lower === undefined) continue;
    const isApart =
      operator === "and"
        ? lower.at > upper.at || (lower.at === upper.at && !(lower.isTaken && upper.isTaken))
        : lower.at < upper.at || (lower.at === upper.at && (lower.isTaken || upper.isTaken));
    if (isApart) return operator === "or";
  }
  return undefined;
}

/** `$hour < 8` */
interface Limit {
  readonly text: string;
  readonly isUpper: boolean;
  readonly at: number;
  /** Whether the number itself is within it. */
  readonly isTaken: boolean;
}

/** The limit that lets through most values, or least. @param side 1 for upper limits, -1 for lower ones */
function outermost(limits: readonly Limit[], isWidest: boolean, side: 1 | -1): Limit | undefined {
  return limits.reduce<Limit | undefined>((best, each) => {
    if (best === undefined) return each;
    const wider = (each.at - best.at) * side || Number(each.isTaken) - Number(best.isTaken);
    return wider > 0 === isWidest ? each : best;
  }, undefined);
}

/**
 * What `.a != null or .a.b != 1` and `.a == null and .a.b == 1` always are: the members of null are null, and so other than any
 * constant.
 */
function besideItsMember({ operator, operands }: Logical, program: JqProgram): boolean | undefined {
  const compared = operator === "or" ? "!=" : "==";
  const sides = operands.flatMap((operand) => {
    const node = bare(operand);
    if (node.kind !== "Comparison" || node.operator !== compared) return [];
    const constant = constantOf(node.right);
    const text = textAt(node.left, program).trim();
    return constant === undefined || /[|,[(?]/.test(text) ? [] : [{ text, constant }];
  });
  const nulls = new Set(sides.flatMap(({ text, constant }) => (constant === null ? [text] : [])));
  const isKnown =
    nulls.size > 0 && sides.some(({ text, constant }) => constant !== null && isBelow(text, nulls));
  return isKnown ? operator === "or" : undefined;
}

/** Whether a path is below one of others. Paths that people write are short. */
function isBelow(path: string, others: ReadonlySet<string>): boolean {
  if (path.length > 200) return false;
  for (let at = path.indexOf(".", 1); at > 0; at = path.indexOf(".", at + 1))
    if (others.has(path.slice(0, at))) return true;
  return false;
}

/** Whether an expansion is all that a customer has to fill in or choose in a form. */
const isGiven = (hole: Expansion | undefined): boolean =>
  hole?.root === "custom_data" &&
  hole.rootExact === true &&
  hole.fieldExact === true &&
  hole.fields.length > 0 &&
  hole.fields.every(({ required }) => required) &&
  hole.syntax.path[2]?.text === "value" &&
  hole.syntax.path.length === 3 &&
  hole.syntax.filters.length === 0;

/** What the length of a required form field beside 0 is: `(${custom_data.channel.value} | length) > 0`. */
function requiredLength({ left, operator, right }: Comparison, program: JqProgram): boolean | undefined {
  const node = bare(left);
  const [value, length, ...others] = node.kind === "Pipeline" ? node.stages : [];
  if (value?.kind !== "Hole" || length?.kind !== "Call" || !isLength(length) || others.length > 0)
    return undefined;
  const hole = program.holes[value.hole];
  // Of several choices, none may be left.
  if (!isGiven(hole) || hole?.fields.some(({ type }) => type === "multiselect")) return undefined;
  const number = constantOf(right);
  if (number === 0 && (operator === ">" || operator === "!=")) return true;
  if (number === 0 && (operator === "==" || operator === "<=")) return false;
  return number === 1 && operator === ">=" ? true : undefined;
}

/** What a required form field is beside null: customers don't get on without it. */
export function requiredBesideNull(
  { left, operator, right }: Comparison,
  program: JqProgram,
): { readonly field: string | undefined; readonly always: boolean } | undefined {
  if (operator !== "==" && operator !== "!=") return undefined;
  const [value, other] = left.kind === "Hole" ? [left, right] : [right, left];
  const hole = value.kind === "Hole" ? program.holes[value.hole] : undefined;
  return isGiven(hole) && constantOf(other) === null
    ? { field: hole?.fields[0]?.id, always: operator === "!=" }
    : undefined;
}

/** What `.a != 1 or .a != 2` and `.a == 1 and .a == 2` always are. */
function contradicted({ operator, operands }: Logical, program: JqProgram): boolean | undefined {
  const compared = operator === "or" ? "!=" : "==";
  const seen = new Map<string, unknown>();
  const others = new Map<string, unknown>();
  for (const operand of operands) {
    let at = operand;
    while (at.kind === "Group") at = at.body;
    if (at.kind !== "Comparison" || !/^[!=]=$/.test(at.operator)) continue;
    const value = constantOf(at.right);
    const left = textAt(at.left, program).trim();
    // Of several outputs one may differ from the other.
    if (value === undefined || /\[\]|,|\.\./.test(left)) continue;
    // `.ends_on == null or .ends_on != null`
    const same = at.operator === compared ? others : seen;
    if (same.has(left) && same.get(left) === value) return operator === "or";
    if (at.operator !== compared) {
      others.set(left, value);
      continue;
    }
    const other = seen.get(left);
    // Of two texts or numbers the types tell it, but not of what an expansion gives.
    const isUntold = other === null || value === null || at.left.kind === "Hole";
    if (seen.has(left) && other !== value && isUntold) return operator === "or";
    seen.set(left, value);
  }
  return undefined;
}

/** What `${… | default:none} == ""` is: what is missing is the default, and nothing else; and what a step makes, or a variable holds, isn't null. */
function besideDefault({ left, operator, right }: Comparison, program: JqProgram): boolean | undefined {
  const { holes } = program;
  const hole = constantOf(right) === null ? left : right;
  const expansion = hole.kind === "Hole" ? holes[hole.hole] : undefined;
  if (constantOf(hole === left ? right : left) === null && (operator === "==" || operator === "!=")) {
    const made = expansion === undefined ? undefined : definitionInStep(expansion)?.node.kind;
    if (made === "Array" || made === "Object" || made === "String" || made === "Number")
      return operator === "!=";
    if (isDefaultOfStep(hole, program)) return operator === "!=";
  }
  const variable = constantOf(right) === null ? left : right;
  if (variable.kind === "Variable" && (operator === "==" || operator === "!=")) {
    const source = boundTo(program, variable);
    const isNull = constantOf(variable === left ? right : left) === null;
    // A list of none is still a list.
    if (isNull && source?.kind === "Array") return operator === "!=";
  }
  if (operator !== "==" && operator !== "!=") return undefined;
  // `$court == []`: what was left out is a text, and so is what was typed or chosen.
  for (const [side, none] of [
    [left, right],
    [right, left],
  ] as const)
    if (
      isEmptyWhole(none) &&
      fieldWithDefault(side, program)?.fields.every(({ type }) => givesText.has(type))
    )
      return operator === "!=";
  const [value, other] =
    constantOf(right) === undefined ? [right, constantOf(left)] : [left, constantOf(right)];
  const direct = value.kind === "Hole" ? holes[value.hole] : undefined;
  const hasDefault = direct?.syntax.filters[0]?.name === "default";
  const field = fieldWithDefault(value, program) ?? (hasDefault ? direct : undefined);
  // Who also asks for the empty text knows what a field is that was left out.
  if (field === undefined || (other === null && asksForEmpty(field, program))) return undefined;
  // With a number for what is left out, the empty text is asked for before what was typed is made a number.
  const isOther = other === null || (other === "" && !/^(?:\d+(?:\.\d+)?)?$/.test(defaultOf(field)));
  return isOther ? operator === "!=" : undefined;
}

const givesText: ReadonlySet<unknown> = new Set(["text", "textarea", "dropdown"]);

function isEmptyWhole(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind === "Array") return inner.body === undefined;
  return inner.kind === "Object" && inner.entries.length === 0;
}

/** Whether a step before keeps under this member a field with `| default`, which is a text where the field was left out, and never null. */
function isDefaultOfStep(node: Expression, program: JqProgram): boolean {
  const expansion = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const made = expansion === undefined ? definitionOfInput(node, program) : definitionInStep(expansion);
  const field = made === undefined ? undefined : fieldWithDefault(made.node, made.program);
  // Who asks for the empty text beside it knows it.
  const isKnown = program.node.value.includes('""');
  return made !== undefined && field !== undefined && !isKnown && !asksForEmpty(field, made.program);
}

/** What a comparison of a value with itself is. */
function sameOperands({ left, operator, right }: Comparison, program: JqProgram): boolean | undefined {
  const [a, b] = [left, right].map((each) => textAt(each, program).trim());
  if (a !== b || constantOf(left) !== undefined || /\[\]|,|\.\./.test(a ?? "")) return undefined;
  return operator === "==" || operator === "<=" || operator === ">=";
}

/** What a comparison of two constants is: the name of a field stands where its value is meant. What a variable holds, its type tells. */
function betweenConstants({ left, operator, right }: Comparison): boolean | undefined {
  const [a, b] = [constantOf(left), constantOf(right)];
  if (a === undefined || b === undefined || isCompound(a) || isCompound(b)) return undefined;
  // The name of a variable in quotes is told as that.
  if ([a, b].some((each) => typeof each === "string" && /^\$[A-Za-z_]\w*$/.test(each))) return undefined;
  if (operator === "==" || operator === "!=") return (a === b) === (operator === "==");
  if (a === null || b === null || typeof a !== typeof b) return undefined;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

const isCompound = (value: unknown): boolean => typeof value === "object" && value !== null;

/** `… or true`, `… and false`. */
function decidedBy({ operator, operands }: Logical): boolean | undefined {
  const decisive = operator === "or";
  return operands.some((operand) => constantOf(operand) === decisive) ? decisive : undefined;
}

/** What a comparison of a length or a count with a number below any is. */
export function lengthAlways(comparison: Comparison, program: JqProgram): boolean | undefined {
  // `0 <= .places_left`
  const isTurned = typeof constantOf(comparison.left) === "number";
  const [left, right] = isTurned ? [comparison.right, comparison.left] : [comparison.left, comparison.right];
  const operator = isTurned ? turned(comparison.operator) : comparison.operator;
  const limit = constantOf(right);
  if (typeof limit !== "number" || limit > 0) return undefined;
  if (!/^[<>]/.test(operator) || (limit === 0 && (operator === ">" || operator === "<="))) return undefined;
  if (!isNeverBelowNone(left, program)) return undefined;
  // `count is negative where more was sold than is there.`
  if (
    bare(left).kind !== "Call" &&
    commentsAround(program.node, []).some(({ value }) => isBelowNone.test(value))
  )
    return undefined;
  return operator.startsWith(">");
}

const turned = (operator: string): string =>
  operator.startsWith("<") ? operator.replace("<", ">") : operator.replace(">", "<");

const isBelowNone = /\bnegative\b|\bbelow (?:0|zero|none)\b|(?<![\w.])-\d/;
