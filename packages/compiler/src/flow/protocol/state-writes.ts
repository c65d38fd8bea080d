import { children, type Expression, type Node, type Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText, derivedInPlace, derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { rootPaths } from "../../bind/roots-input.ts";
import { flowOf } from "../flow.ts";
import { entryOf, literalMembers } from "../literal-object.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../nodes.ts";
import { plainBody } from "../plain-body.ts";
import { asWritten } from "../plain-if.ts";
import { producersOf, stepBefore } from "../producers.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo, constants, type Dependence, dependenceOf, stagesOf } from "./dependence.ts";
import { ownInputs, stageBefore } from "./stage-before.ts";

/**
 * One way in which a command gives `polling_state`: the keys that it sets, on top of the state as it was or of nothing. The
 * conditions decide whether it is taken.
 */
export interface StateWrite {
  readonly program: JqProgram;
  /** What makes the state. */
  readonly node: Expression;
  /** Keys that aren't set stay as they were; otherwise they are gone. */
  readonly keepsOthers: boolean;
  readonly keys: ReadonlyMap<string, Expression>;
  readonly conditions: readonly Expression[];
  readonly when: readonly When[];
  /** What stands beside it as `iterate`. */
  readonly iterate: Expression | undefined;
}

/** A condition, and whether it holds where a way is taken. */
interface When {
  readonly condition: Expression;
  readonly holds: boolean;
}

/** The object that a program gives, where `results`, `iterate` and the like stand beside the state. */
export interface Outcome {
  readonly program: JqProgram;
  readonly members: ReadonlyMap<string, Expression | undefined>;
  readonly conditions: readonly Expression[];
  readonly when: readonly When[];
}

/**
 * Every way in which a command gives an object; undefined where some way can't be read off its programs. Several rules ask for the
 * same commands.
 */
export const outcomesOf = derivedOf(readOutcomes);

function readOutcomes(command: Command, model: Model): readonly Outcome[] | undefined {
  const found: Outcome[] = [];
  for (const { key, program } of producersOf(command, flowOf(model))) {
    // A way that fails gives no object, and the state stays.
    if (key === "!error") continue;
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
    const objects = objectsOf(plainBody(program), ever);
    if (objects === undefined) return undefined;
    for (const { object, conditions, when } of objects) {
      const members = literalMembers(object);
      if (members === undefined) return undefined;
      found.push({ program, members, conditions, when });
    }
  }
  return found;
}

/** When a way is taken: the conditions that decide it, and which of them hold. */
type Way = Pick<StateWrite, "conditions" | "when">;

const ever: Way = { conditions: [], when: [] };

interface MadeObject extends Way {
  readonly object: Extract<Expression, { kind: "Object" }>;
}

/** The object constructions of which one makes the output. */
function objectsOf(node: Expression, way: Way): readonly MadeObject[] | undefined {
  switch (node.kind) {
    case "Object":
      return [{ object: node, ...way }];
    case "Group":
      return objectsOf(node.body, way);
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last === undefined ? undefined : objectsOf(last, way);
    }
    case "If":
      return ofBranches(node, way, objectsOf);
    case "Call":
      // A way that fails gives no object, and the state stays.
      return node.name.text === "error" ? [] : undefined;
    default:
      return undefined;
  }
}

function ofBranches<T>(
  node: Extract<Expression, { kind: "If" }>,
  { conditions, when }: Way,
  read: (node: Expression, way: Way) => readonly T[] | undefined,
): readonly T[] | undefined {
  const { branches, otherwise } = asWritten(node);
  if (otherwise === undefined) return undefined;
  const asked = branches.map(({ condition }) => condition);
  const all = [...conditions, ...asked];
  const found = [...branches.map(({ body }) => body), otherwise].map((body, index) => {
    const before = asked.slice(0, index).map((condition) => ({ condition, holds: false }));
    const own = asked.slice(index, index + 1).map((condition) => ({ condition, holds: true }));
    return read(body, { conditions: all, when: [...when, ...before, ...own] });
  });
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}

/** Every way in which a command gives the state, none if it gives no state; undefined where some way can't be read off its programs. */
export const stateWritesOf = derivedOf(readWrites);

function readWrites(command: Command, model: Model): readonly StateWrite[] | undefined {
  const outcomes = outcomesOf(command, model);
  if (outcomes === undefined) return undefined;
  const found: StateWrite[] = [];
  for (const { program, members, conditions, when } of outcomes) {
    const state = members.get("polling_state");
    if (state === undefined) {
      if (!members.has("polling_state")) continue;
      if (!givesOwnState(program)) return undefined;
      const node = program.tree.body;
      const iterate = members.get("iterate");
      found.push({ program, node, keepsOthers: true, keys: new Map(), conditions, when, iterate });
      continue;
    }
    const writes = writesOf(state, program, { conditions, when });
    if (writes === undefined) return undefined;
    const iterate = members.get("iterate");
    found.push(...writes.map((write) => ({ ...write, iterate })));
  }
  return found;
}

/** `{polling_state}`, of the object of the roots (D16). */
const givesOwnState = (program: JqProgram): boolean =>
  rootPaths(program).some(({ segments }) => segments.length === 1 && segments[0]?.key === "polling_state");

function writesOf(node: Expression, program: JqProgram, way: Way): readonly StateWrite[] | undefined {
  const write = (keepsOthers: boolean, keys: StateWrite["keys"]): StateWrite => {
    return { program, node, keepsOthers, keys, ...way, iterate: undefined };
  };
  if (isState(node, program)) return [write(true, new Map())];
  switch (node.kind) {
    case "Object": {
      const members = literalMembers(node);
      const keys = new Map<string, Expression>();
      for (const [name, value] of members ?? []) {
        const key = entryOf(node, name)?.key;
        const given = value ?? (key?.kind === "Variable" ? key : undefined);
        if (given === undefined) return undefined;
        keys.set(name, given);
      }
      return members === undefined ? undefined : [write(false, keys)];
    }
    case "Group":
      return writesOf(node.body, program, way);
    case "If": {
      const kept = stageBefore(program).get(node);
      // Without `else` what comes in goes on.
      const otherwise = node.otherwise ?? (kept !== undefined && isState(kept, program) ? kept : undefined);
      return (
        otherwise && ofBranches({ ...node, otherwise }, way, (body, all) => writesOf(body, program, all))
      );
    }
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+")
        ? added([node.first, ...node.rest.map(({ operand }) => operand)], program, way)
        : undefined;
    case "Pipeline":
      return assigned(node, program, way);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : writesOf(source, program, way);
    }
    case "Identity":
    case "Assignment": {
      const before = stageBefore(program).get(node);
      const writes = before === undefined ? undefined : writesOf(before, program, way);
      return writes && assignedIn(node, writes);
    }
    default:
      return undefined;
  }
}

/** `STATE + {…}`: what stands on the right wins. */
function added(
  operands: readonly Expression[],
  program: JqProgram,
  way: Way,
): readonly StateWrite[] | undefined {
  return operands.reduce<readonly StateWrite[] | undefined>(
    (before, operand, index) => {
      const after = writesOf(operand, program, way);
      if (index === 0 || before === undefined || after === undefined) return before && after;
      return before.flatMap((left) =>
        after.map((right) => ({
          ...right,
          keepsOthers: left.keepsOthers || right.keepsOthers,
          keys: right.keepsOthers ? right.keys : new Map([...left.keys, ...right.keys]),
          conditions: [...left.conditions, ...right.conditions],
          when: [...left.when, ...right.when],
        })),
      );
    },
    writesOf(operands[0]!, program, way),
  );
}

/** `STATE | .key = VALUE | …`, or an object that is made behind other stages. */
function assigned(
  node: Extract<Expression, { kind: "Pipeline" }>,
  program: JqProgram,
  way: Way,
): readonly StateWrite[] | undefined {
  const [first, ...rest] = stagesOf(node);
  const [last, ...others] = rest;
  // Into a stage behind the state alone comes the state, whatever it makes of it.
  const made =
    first !== undefined && last !== undefined && others.length === 0 && isState(first, program)
      ? writesOf(last, program, way)
      : undefined;
  if (made !== undefined) return made;
  // `.items[-1] | {after: .id}`: what is made of something else than the state.
  const end = bare(rest.at(-1) ?? node);
  if (end.kind === "Object" && node.stages.every((stage) => isStage(stage) || stage.kind === "Binding"))
    return writesOf(end, program, way);
  const writes = first === undefined ? undefined : writesOf(first, program, way);
  return rest.reduce((before, stage) => before && assignedIn(stage, before), writes);
}

/** What becomes of writes whose state goes through a stage that sets keys of it, on each of its ways. */
function assignedIn(stage: Expression, writes: readonly StateWrite[]): readonly StateWrite[] | undefined {
  switch (stage.kind) {
    case "Identity":
      return writes;
    case "Group":
      return assignedIn(stage.body, writes);
    case "Pipeline": {
      if (stage.stages.some((each) => !isStage(each))) return undefined;
      return stagesOf(stage).reduce<readonly StateWrite[] | undefined>(
        (before, each) => before && assignedIn(each, before),
        writes,
      );
    }
    case "Call": {
      const deleted = deletedKeys(stage);
      return deleted && writes.map((write) => ({ ...write, keys: new Map([...write.keys, ...deleted]) }));
    }
    case "Assignment": {
      const set = assignedKey(stage);
      return set && writes.map((write) => ({ ...write, keys: new Map([...write.keys, set]) }));
    }
    case "If": {
      // What is decided or set by the state as it is there depends on keys that nothing here names.
      if (stage.otherwise === undefined || readsItsInput(stage)) return undefined;
      const ways = writes.map((write) =>
        ofBranches(stage, write, (body, way) => assignedIn(body, [{ ...write, ...way }])),
      );
      return ways.some((each) => each === undefined) ? undefined : ways.flatMap((each) => each ?? []);
    }
    default:
      return undefined;
  }
}

/** Whether conditions in a stage, or values that are set there, read what comes into it. */
function readsItsInput(stage: Expression): boolean {
  return nodesIn(stage).some((node) => {
    if (node.kind === "Assignment") return hasInput(node.value);
    return node.kind === "If" && node.branches.some(({ condition }) => hasInput(condition));
  });
}

const hasInput = (node: Expression): boolean => nodesIn(node).some(({ kind }) => kind === "Identity");

/** The keys that `del(.sections, .page)` takes away: what isn't there is null. */
function deletedKeys(
  stage: Extract<Expression, { kind: "Call" }>,
): readonly (readonly [string, Expression])[] | undefined {
  const [given, ...others] = stage.arguments;
  if (stage.name.text !== "del" || given === undefined || others.length > 0) return undefined;
  const paths = given.kind === "Comma" ? given.items : [given];
  const found = paths.map((path): readonly [string, Expression] | undefined => {
    const [suffix, ...more] = path.kind === "Postfix" && path.head.kind === "Identity" ? path.suffixes : [];
    if (more.length > 0 || suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
    const nothing = { ...stage, name: { ...stage.name, text: "null" }, arguments: [] };
    return [suffix.key.text, nothing];
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

/** The key that an assignment sets, and what to: of `.page += 1` the whole. */
function assignedKey(
  stage: Extract<Expression, { kind: "Assignment" }>,
): readonly [string, Expression] | undefined {
  const { target, value, operator } = stage;
  const [suffix, ...others] =
    target.kind === "Postfix" && target.head.kind === "Identity" ? target.suffixes : [];
  if (others.length > 0 || suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
  return [suffix.key.text, operator === "=" ? value : stage];
}

/** Whether an expression gives the whole state as it was. */
function isState(node: Expression, program: JqProgram): boolean {
  return keptPath(node, program)?.length === 0;
}

/** Whether what is written leaves a key as it was. */
export function keepsKey({ keys, keepsOthers, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return value === undefined ? keepsOthers : isKept(value, key, program);
}

/** Whether an expression gives the state as it was, whatever names it. */
export const keepsWholeState = (node: Expression, program: JqProgram): boolean =>
  isState(bare(node), program);

/** Whether an expression gives a key of the state as it was, whichever way it takes. */
export function isKept(node: Expression, key: string, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return isKept(node.body, key, program);
    case "If":
      return (
        node.otherwise !== undefined &&
        [...node.branches.map(({ body }) => body), node.otherwise].every((body) => isKept(body, key, program))
      );
    default: {
      const path = keptPath(node, program);
      return path?.length === 1 && path[0] === key;
    }
  }
}

/** Whether an expression may give a key of the state as it was, on one of its ways. */
export function mayBeKept(node: Expression, key: string, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return mayBeKept(node.body, key, program);
    case "If":
      return (
        node.otherwise === undefined ||
        [...node.branches.map(({ body }) => body), node.otherwise].some((body) =>
          mayBeKept(body, key, program),
        )
      );
    case "Alternative":
      return node.operands.some((operand) => mayBeKept(operand, key, program));
    default:
      return isKept(node, key, program);
  }
}

/** The key of the state whose value an expression gives as it was; undefined where it gives anything else. */
export function keptKey(node: Expression, program: JqProgram): string | undefined {
  const path = keptPath(node, program);
  return path?.length === 1 ? path[0] : undefined;
}

/** Whether another iteration may follow where a write is made. */
export function mayGoOn({ iterate, when, program }: StateWrite): boolean {
  if (iterate === undefined) return true;
  if (constantOf(bare(iterate)) === false) return false;
  return !when.some(({ condition, holds }) => {
    const says = saidBy(condition, iterate, program);
    return says !== undefined && says !== holds;
  });
}

/** Whether a key stays as it was where a write is made and another iteration follows. */
export function keepsWhileGoingOn(write: StateWrite, key: string): boolean {
  const value = write.keys.get(key);
  if (value === undefined) return write.keepsOthers;
  const taken = (node: Expression): Expression => {
    const own = bare(node);
    // Once it is there, it stays.
    if (own.kind === "Alternative" && isKept(own.operands[0]!, key, write.program)) return own.operands[0]!;
    if (own.kind !== "If" || own.branches.length !== 1 || write.iterate === undefined) return node;
    const [{ condition, body }] = own.branches as [(typeof own.branches)[number]];
    const says = saidBy(condition, write.iterate, write.program);
    if (says === true) return taken(body);
    return says === false && own.otherwise !== undefined ? taken(own.otherwise) : node;
  };
  return isKept(taken(value), key, write.program);
}

/** What a condition is where `iterate` is true; undefined where they have nothing to do with one another. */
function saidBy(condition: Expression, iterate: Expression, program: JqProgram): boolean | undefined {
  const [asked, going] = [condition, iterate].map((each) => positive(each, program));
  return asked!.text === going!.text ? asked!.is === going!.is : undefined;
}

/** A condition as it is written, without `not`. */
function positive(
  node: Expression,
  program: JqProgram,
  is = true,
): { readonly text: string; readonly is: boolean } {
  const own = bare(node);
  if (own.kind === "Pipeline") {
    const [first, last, ...others] = own.stages;
    const isNegated = last?.kind === "Call" && last.name.text === "not" && others.length === 0;
    if (isNegated && first !== undefined && isStage(first)) return positive(first, program, !is);
  }
  // `a != b` is `a == b` the other way round.
  if (own.kind === "Comparison" && own.operator === "!=")
    return { text: [own.left, own.right].map((side) => textAt(side, program)).join(" == "), is: !is };
  if (own.kind === "Comparison" && own.operator === "==")
    return { text: [own.left, own.right].map((side) => textAt(side, program)).join(" == "), is };
  return { text: textAt(own, program), is };
}

const isStage = (stage: Node): stage is Expression =>
  stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label";

/** The part of the state that an expression reads; undefined where it is anything else. */
export function keptPath(node: Expression, program: JqProgram): readonly string[] | undefined {
  switch (node.kind) {
    case "Group":
      return keptPath(node.body, program);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : keptPath(source, program);
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const made = hole === undefined ? undefined : definitionInStep(hole);
      return made === undefined ? statePath(program, node.hole) : keptPath(made.node, made.program);
    }
    case "String": {
      // `"${polling_state.from}"`: a text is the same one in quotes.
      const [part, ...others] = node.format === undefined ? node.parts : [];
      return part?.kind === "Interpolation" && others.length === 0
        ? keptPath(part.expression, program)
        : undefined;
    }
    case "Identity": {
      const before = stageBefore(program).get(node);
      return before === undefined ? pathComingIn(node, program) : keptPath(before, program);
    }
    case "Postfix": {
      if (node.head.kind === "Identity" && !stageBefore(program).has(node.head)) {
        const path = inputPath(node, program);
        if (path !== undefined || pathComingIn(node.head, program)?.length !== 0) return path;
        const names = node.suffixes.map((suffix) => fieldName(suffix));
        return names.every((name) => name !== undefined) ? names : undefined;
      }
      if (keptPath(unassigned(node, program), program)?.length !== 0) return undefined;
      const path = node.suffixes.map(fieldName);
      return path.every((name) => name !== undefined) ? path : undefined;
    }
    default:
      return undefined;
  }
}

/** The part of the state that a step before gives on as it is: `${polling_state}`, and then a program or a `!switch` that reads `.`. */
function pathComingIn(node: Expression, program: JqProgram): readonly string[] | undefined {
  if (!ownInputs(program).has(node)) return undefined;
  const step = stepBefore(program.command);
  const made = step?.key === "!jq" ? step.program : undefined;
  return made === undefined || made.diagnostics.length > 0 ? undefined : keptPath(plainBody(made), made);
}

const fieldName = (suffix: Postfix["suffixes"][number]): string | undefined =>
  suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;

/** What `.key` is read from: stages before that set other keys leave this one as it was. */
function unassigned({ head, suffixes }: Postfix, program: JqProgram): Expression {
  const [suffix] = suffixes;
  const key = suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
  let from = head.kind === "Identity" && key !== undefined ? stageBefore(program).get(head) : undefined;
  let last: Expression = head;
  while (from?.kind === "Assignment") {
    const set = assignedKey(from);
    if (set === undefined || set[0] === key) return head;
    last = from;
    from = stageBefore(program).get(from);
  }
  return last === head || from === undefined ? head : from;
}

/** The keys below `.polling_state` that a path of a program's input names, where that is the object of the roots (D16). */
function inputPath({ suffixes }: Postfix, program: JqProgram): readonly string[] | undefined {
  const demanded = rootPaths(program).find(
    ({ segments }) =>
      segments[0]?.key === "polling_state" &&
      segments.length >= suffixes.length &&
      suffixes.every(({ start, end }, index) => {
        const segment = segments[index];
        return segment !== undefined && segment.start >= start && segment.end <= end;
      }),
  );
  return demanded?.segments.slice(1, suffixes.length).map(({ key }) => `${key}`);
}

/** Whether a program pipes the whole state into its last stage, which reads nothing of it but keys by name. */
export function isPipedState(program: JqProgram): boolean {
  const first = pipedInto(program);
  return first !== undefined && isState(first, program);
}

/** The first of a program's two stages, where the second reads nothing of what comes from there but members by name. */
const pipedInto = derivedFromText((tree) => {
  const body = bare(tree.body);
  const [first, last, ...others] = body.kind === "Pipeline" ? stagesOf(body) : [];
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  const pending: Node[] = [last];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node.kind) {
      case "Postfix":
        if (node.head.kind !== "Identity") pending.push(node.head);
        else if (node.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
        break;
      case "Pipeline": {
        // What comes behind its first stage has another input.
        const [inner] = node.stages;
        if (inner === undefined || node.stages.some((stage) => !isStage(stage))) return undefined;
        pending.push(inner);
        break;
      }
      case "Call":
        if (node.name.text !== "now" && !constants.has(node.name.text)) return undefined;
        if (node.arguments.length > 0) return undefined;
        break;
      case "Entry":
        if (node.value === undefined && node.key.kind !== "Variable") return undefined;
        pending.push(...children(node));
        break;
      case "Identity":
      case "RecurseDefault":
      case "Format":
      case "Assignment":
      case "Reduce":
      case "Foreach":
        return undefined;
      case "If":
        if (node.otherwise === undefined) return undefined;
        pending.push(...children(node));
        break;
      default:
        pending.push(...children(node));
    }
  }
  return first;
});

/** Whether what a program reads of its input at an offset is a key of the state that dependences know of. */
export function isFollowed(program: JqProgram, offset: number): boolean {
  return nodesOfKind(program, "Postfix").some(
    (node) => node.start <= offset && offset < node.end && keptPath(node, program) !== undefined,
  );
}

/** The keys below `polling_state` that an expansion of a program reads. */
function statePath({ holes }: JqProgram, index: number): readonly string[] | undefined {
  const hole = holes[index];
  if (hole?.root !== "polling_state" || !hole.rootExact || hole.syntax.problem !== undefined)
    return undefined;
  return hole.syntax.path.slice(1).map(({ text }) => text);
}

/** The keys of the state on which something depends, and what else it depends on. */
export interface StateDependence extends Dependence {
  readonly keys: ReadonlySet<string>;
  /** It may be any key. */
  readonly all: boolean;
}

/** On which keys of the state nodes of a program may depend. Many rules ask for the same. */
export function stateDependence(program: JqProgram, nodes: readonly Expression[]): StateDependence {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) return readDependence(program, nodes);
  const dependences = dependencesOf(program);
  let known = dependences.get(node);
  if (known === undefined) dependences.set(node, (known = readDependence(program, nodes)));
  return known;
}

const dependencesOf = derivedInPlace(() => new Map<Expression, StateDependence>());

function readDependence(program: JqProgram, nodes: readonly Expression[]): StateDependence {
  const keys = new Set<string>();
  let all = false;
  const dependence = dependenceOf(program, nodes, (node) => {
    const path = node.kind === "Postfix" || node.kind === "Identity" ? keptPath(node, program) : undefined;
    const key = path?.[0];
    if (key !== undefined) keys.add(key);
    else if (path !== undefined) all = true;
    return path !== undefined;
  });
  for (const index of dependence.holes) {
    const path = statePath(program, index);
    if (path === undefined) continue;
    if (path[0] === undefined) all = true;
    else keys.add(path[0]);
  }
  return { ...dependence, keys, all };
}

/** The polling intake's command of a name, with its writes; undefined where they can't be told. */
export function writesIn(
  intake: IntakeSymbol,
  name: string,
  model: Model,
): readonly StateWrite[] | undefined {
  const command = intake.commands.get(name);
  return command === undefined ? [] : stateWritesOf(command, model);
}
