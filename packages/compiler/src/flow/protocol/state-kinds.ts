import type { Expression, Node, Pipeline, Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { documentedSample } from "../documented-samples.ts";
import { hasComments } from "../documented-words.ts";
import { entryOf, finalObject } from "../literal-object.ts";
import { evaluateAlone } from "../machine/evaluate.ts";
import { bare, isExpression, nodesIn } from "../nodes.ts";
import { plainCommand } from "../plain-command.ts";
import { stateCommands } from "../polling-state.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo } from "./dependence.ts";
import { stageBefore } from "./stage-before.ts";
import { stateDependence } from "./state-dependence.ts";
import { keepsWholeState, keptKey } from "./state-paths.ts";
import { type StateWrite, stateWritesOf } from "./state-writes.ts";
import { timeUnitOf, unitOf } from "./time-unit.ts";

/** What kind of value a key of the state gets: which unit of time, or which kind of JSON. */
export type StateKind =
  | "seconds"
  | "milliseconds"
  | "date"
  /** A time that is neither in seconds nor in milliseconds, or as digits in a text. */
  | "other time"
  | "digits"
  /** A date in another form than ISO 8601. */
  | "other date"
  | "number"
  | "text"
  | "boolean"
  | "list"
  | "object";

/** A value that a command writes under a key, of a kind that is known. */
export interface KindWritten {
  readonly key: string;
  readonly command: string;
  readonly kind: StateKind;
  /** The key from which the value was taken over. */
  readonly from?: string;
  readonly value: Expression;
  readonly program: JqProgram;
}

/** The kinds of values that an intake's commands write under each key of its state, in the order of a cycle. */
export const kindsWritten = derivedOf(readKinds);

function readKinds(intake: IntakeSymbol, model: Model): readonly KindWritten[] {
  const found: KindWritten[] = [];
  /** Keys that take another key's value over: what is known of one is known of the other. */
  const moved: (Omit<KindWritten, "kind"> & { readonly from: string })[] = [];
  for (const command of stateCommands) {
    const root = intake.commands.get(command);
    const writes = root === undefined ? [] : stateWritesOf(root, model);
    for (const { keys, program } of writes ?? (root === undefined ? [] : assignmentsIn(root)))
      for (const [key, value] of keys) {
        const from = keptKey(value, program) ?? (writes === undefined ? fieldRead(value) : undefined);
        const ways = from === undefined ? waysOf(value, program) : [];
        const made = ways.flatMap((way) => {
          const kind = kindOf(way, program) ?? (hasComments(model) ? shownKind(way, program) : undefined);
          return kind === undefined ? [] : [{ key, command, kind, value: way, program }];
        });
        found.push(...made);
        if (made.length > 0) continue;
        for (const way of from === undefined ? ways : [value]) {
          const taken = from ?? keptKey(bare(way), program);
          if (taken !== undefined && taken !== key)
            moved.push({ key, from: taken, command, value: way, program });
        }
      }
  }
  for (const write of moved)
    for (const { key, kind } of [...found]) if (key === write.from) found.push({ ...write, kind });
  return found;
}

/**
 * The keys that programs set where it can't be told when they do: `${polling_state} | if .page == 1 then .to = now else . end`. What kinds
 * their values have doesn't depend on that.
 */
function assignmentsIn(root: Command): readonly Pick<StateWrite, "keys" | "program">[] {
  return [root, ...plainCommand(root).children].flatMap((command) => {
    const { program } = command ?? {};
    const object = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
    const state = object === undefined ? undefined : entryOf(object, "polling_state")?.value;
    const made = state === undefined ? undefined : bare(state);
    const [first] = made?.kind === "Pipeline" ? made.stages : [];
    if (program === undefined || made === undefined || first === undefined || !isExpression(first)) return [];
    if (!keepsWholeState(first, program)) return [];
    return nodesIn(made).flatMap((node) => {
      const key = node.kind === "Assignment" && node.operator === "=" ? fieldRead(node.target) : undefined;
      return node.kind !== "Assignment" || key === undefined
        ? []
        : [{ program, keys: new Map([[key, node.value]]) }];
    });
  });
}

const isOptional = ({ suffixes }: Postfix): boolean => suffixes.every(({ kind }) => kind === "Optional");

/** `key` of `.key`. */
function fieldRead(node: Expression): string | undefined {
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const [suffix, ...others] = node.suffixes;
  return others.length === 0 && suffix?.kind === "Field" && suffix.key.kind === "Name"
    ? suffix.key.text
    : undefined;
}

/** The branches of a value that depends on a condition, and else the value itself. */
function waysOf(value: Expression, program: JqProgram): readonly Expression[] {
  let node = value;
  while (node.kind === "Group") node = node.body;
  const source = node.kind === "Variable" ? boundTo(program, node) : node;
  let made = source ?? node;
  while (made.kind === "Group") made = made.body;
  if (made.kind !== "If" || made.otherwise === undefined) return [value];
  return [...made.branches.map(({ body }) => body), made.otherwise];
}

/**
 * By the form of the expression alone: inferring types again after each edit would cost more than it tells. An empty text stands for nothing
 * yet, and 0 for a beginning.
 */
function kindOf(value: Expression, program: JqProgram): StateKind | undefined {
  const unit = timeUnitOf(value, program) ?? reckonedTime(value, program);
  if (unit !== undefined) return unit;
  const constant = constantOf(value);
  if (typeof constant === "string") return constant === "" ? undefined : "text";
  if (typeof constant === "number") return constant === 0 ? undefined : "number";
  switch (value.kind) {
    case "Group":
      return kindOf(value.body, program);
    case "Variable": {
      const source = boundTo(program, value);
      return source === undefined ? undefined : kindOf(source, program);
    }
    case "Identity": {
      // `now - 86400 | {polling_state: {from: ., to: .}}`
      const before = stageBefore(program).get(value);
      return before === undefined ? undefined : kindOf(before, program);
    }
    case "Postfix":
      if (isOptional(value)) return kindOf(value.head, program);
      return isCutToDay(value) ? "date" : undefined;
    case "Alternative": {
      const [first, ...others] = value.operands;
      const kind = kindOf(first!, program);
      // `.until // (now - 60 | floor)`: what was there was made here as well.
      const isState = keptKey(first!, program) !== undefined;
      return kind ?? (isState && others.length === 1 ? timeUnitOf(others[0]!, program) : undefined);
    }
    case "Array":
      return "list";
    case "Object":
      return "object";
    case "Hole": {
      const hole = program.holes[value.hole];
      if (hole?.root === "polling_state" && hole.rootExact && hole.syntax.path.length === 1) return "object";
      const made = hole === undefined ? undefined : definitionInStep(hole);
      return made === undefined ? undefined : kindOf(made.node, made.program);
    }
    case "String":
      return "text";
    case "Comparison":
    case "Logical":
      return "boolean";
    case "Number":
      return "number";
    case "Pipeline": {
      const end = value.stages.at(-1);
      // `fromdate?` gives what `fromdate` gives, or nothing.
      const last = end?.kind === "Postfix" && isOptional(end) ? end.head : end;
      if (last?.kind === "If" && isLimit(last)) return kindOfStages(value, program);
      if (last?.kind === "Arithmetic") return kindOf(last, program);
      if (last?.kind === "Postfix" && isCutToDay(last)) return "date";
      if (last?.kind !== "Call") return undefined;
      if (last.name.text === "strftime") return ofFormat(last.arguments[0]);
      return isExtreme(last.name.text)
        ? kindInList(value.stages.at(-2), program)
        : kindOfCall(last.name.text);
    }
    case "Call":
      return kindOfCall(value.name.text);
    case "Arithmetic":
      return kindOfSum(value);
    default:
      return typeof constant === "boolean" ? "boolean" : undefined;
  }
}

/** `.utc` and `.orders[-1].changed_at // STATE`, of members that a comment beside the program shows: `{"utc": "2026-04-01T08:00:00Z"}`. */
function shownKind(value: Expression, program: JqProgram): StateKind | undefined {
  const made = bare(value);
  if (made.kind === "Alternative") return shownKind(made.operands[0]!, program);
  const end = made.kind === "Postfix" ? made.suffixes.at(-1) : undefined;
  if (end?.kind !== "Field" || end.key.kind !== "Name") return undefined;
  const sample = documentedSample(end.key.text, program.node);
  // What is only said of all times is compared with what is asked for.
  const shown = sample?.unit === undefined ? sample?.value : undefined;
  if (typeof shown === "number") return unitOf(shown);
  return shown !== undefined && /^\d{4}-\d\d-\d\d/.test(shown) ? "date" : undefined;
}

/** `.changed_at[0:10]`: the day of a time in ISO 8601. */
export function isCutToDay(node: Node): boolean {
  const cut = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  if (cut?.kind !== "Slice" || cut.to === undefined || constantOf(cut.to) !== 10) return false;
  return cut.from === undefined || constantOf(cut.from) === 0;
}

/** `if . < 0 then 0 else . end`: what comes in, or a constant in its place. */
function isLimit({ branches, otherwise }: Extract<Expression, { kind: "If" }>): boolean {
  const ways = [...branches.map(({ body }) => body), otherwise];
  return ways.every(
    (way) => way === undefined || way.kind === "Identity" || typeof constantOf(way) === "number",
  );
}

/** Of a pipeline without its last stage. */
function kindOfStages(
  { stages }: Extract<Expression, { kind: "Pipeline" }>,
  program: JqProgram,
): StateKind | undefined {
  const before = stages.at(-2);
  if (before === undefined) return undefined;
  return before.kind === "Arithmetic" || before.kind === "Call" ? kindOf(before, program) : undefined;
}

/** A number, where that is certain: a text can be added to, but nothing can be subtracted from it. */
function kindOfSum({ first, rest }: Extract<Expression, { kind: "Arithmetic" }>): StateKind | undefined {
  const operands = [first, ...rest.map(({ operand }) => operand)];
  // `YEAR + "-01-01T00:00:00Z"`
  const end = rest.every(({ operator }) => operator === "+") ? constantOf(operands.at(-1)!) : undefined;
  if (typeof end === "string" && timeOfDay.test(end)) return "date";
  const isMoved = rest.every(({ operator }) => operator === "+" || operator === "-");
  if (isMoved && operands.some((each) => each.kind === "Call" && isEpoch.has(each.name.text)))
    return "seconds";
  const isNumber = operands.some((each) => typeof constantOf(each) === "number");
  return isNumber && rest.every(({ operator }) => operator !== "*") ? "number" : undefined;
}

const timeOfDay = /^(?:-\d\d){0,2}[T ]\d\d:\d\d/;

const isEpoch: ReadonlySet<string> = new Set(["now", "fromdate", "fromdateiso8601", "mktime"]);

/** By the order of its parts: the day or the month before the year is another form. */
function ofFormat(format: Expression | undefined): StateKind {
  const text = format === undefined ? undefined : constantOf(format);
  if (typeof text !== "string") return "text";
  // `%Y%m%d` gives what the clock gives in that form.
  if (/^(?:%[YymdHMSjs])+$/.test(text)) return "digits";
  return /%[dm].*%[Yy]/.test(text) ? "other date" : "text";
}

const isExtreme = (name: string): boolean =>
  name === "max" || name === "min" || name === "first" || name === "last";

/** The kind of what is made in a list and known. */
function kindInList(list: Pipeline["stages"][number] | undefined, program: JqProgram): StateKind | undefined {
  if (list?.kind !== "Array" || list.body === undefined) return undefined;
  const items = list.body.kind === "Comma" ? list.body.items : [list.body];
  return items.map((item) => kindOf(item, program)).find((kind) => kind !== undefined);
}

/** The unit of a time that is reckoned from the clock and constants alone. */
function reckonedTime(value: Expression, program: JqProgram): StateKind | undefined {
  if (!program.node.value.includes("now") || !stateDependence(program, [value]).clock) return undefined;
  const time = evaluateAlone(program, value);
  if (typeof time === "string") return /^\d+(?:\.\d+)?$/.test(time) ? "digits" : undefined;
  if (typeof time !== "number") return undefined;
  return unitOf(time) ?? "other time";
}

function kindOfCall(name: string): StateKind | undefined {
  if (isEpoch.has(name)) return "seconds";
  if (name === "not" || name === "has" || name === "any" || name === "all") return "boolean";
  if (name === "length" || name === "tonumber") return "number";
  return name === "tostring" || name === "strftime" || name === "join" ? "text" : undefined;
}

/** Whether values of two kinds can't be the same thing to an API. */
export function areUnlike(a: StateKind, b: StateKind): boolean {
  const [first, second] = [jsonOf(a), jsonOf(b)];
  if (first !== second) return true;
  // A number of which no more is known may be of either unit.
  return a !== b && first === "number" && a !== "number" && b !== "number";
}

function jsonOf(kind: StateKind): StateKind {
  if (kind === "date" || kind === "text") return "text";
  return kind === "seconds" || kind === "milliseconds" || kind === "other time" ? "number" : kind;
}
