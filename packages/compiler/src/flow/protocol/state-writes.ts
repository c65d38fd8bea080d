import type { Expression, Postfix } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { rootPaths } from "../../bind/roots-input.ts";
import { flowOf } from "../flow.ts";
import { entryOf, literalMembers } from "../literal-object.ts";
import { nodesOfKind } from "../nodes.ts";
import { producersOf } from "../producers.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo, type Dependence, dependenceOf, stagesOf } from "./dependence.ts";

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
}

/** The object that a program gives, where `results`, `iterate` and the like stand beside the state. */
export interface Outcome {
  readonly program: JqProgram;
  readonly members: ReadonlyMap<string, Expression | undefined>;
  readonly conditions: readonly Expression[];
}

/** Every way in which a command gives an object; undefined where some way can't be read off its programs. */
export function outcomesOf(command: Command, model: Model): readonly Outcome[] | undefined {
  const known = knownOutcomes(model);
  if (!known.has(command)) known.set(command, readOutcomes(command, model));
  return known.get(command);
}

// Several rules ask for the same commands.
const knownOutcomes = derived((): Map<Command, readonly Outcome[] | undefined> => new Map());
const knownWrites = derived((): Map<Command, readonly StateWrite[] | undefined> => new Map());

function readOutcomes(command: Command, model: Model): readonly Outcome[] | undefined {
  const found: Outcome[] = [];
  for (const { key, program } of producersOf(command, flowOf(model))) {
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
    const objects = objectsOf(program.tree.body, []);
    if (objects === undefined) return undefined;
    for (const { object, conditions } of objects) {
      const members = literalMembers(object);
      if (members === undefined) return undefined;
      found.push({ program, members, conditions });
    }
  }
  return found;
}

interface MadeObject {
  readonly object: Extract<Expression, { kind: "Object" }>;
  readonly conditions: readonly Expression[];
}

/** The object constructions of which one makes the output. */
function objectsOf(node: Expression, conditions: readonly Expression[]): readonly MadeObject[] | undefined {
  switch (node.kind) {
    case "Object":
      return [{ object: node, conditions }];
    case "Group":
      return objectsOf(node.body, conditions);
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last === undefined ? undefined : objectsOf(last, conditions);
    }
    case "If":
      return ofBranches(node, conditions, objectsOf);
    default:
      return undefined;
  }
}

function ofBranches<T>(
  { branches, otherwise }: Extract<Expression, { kind: "If" }>,
  conditions: readonly Expression[],
  read: (node: Expression, conditions: readonly Expression[]) => readonly T[] | undefined,
): readonly T[] | undefined {
  if (otherwise === undefined) return undefined;
  const all = [...conditions, ...branches.map(({ condition }) => condition)];
  const found = [...branches.map(({ body }) => body), otherwise].map((body) => read(body, all));
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}

/** Every way in which a command gives the state, none if it gives no state; undefined where some way can't be read off its programs. */
export function stateWritesOf(command: Command, model: Model): readonly StateWrite[] | undefined {
  const known = knownWrites(model);
  if (!known.has(command)) known.set(command, readWrites(command, model));
  return known.get(command);
}

function readWrites(command: Command, model: Model): readonly StateWrite[] | undefined {
  const outcomes = outcomesOf(command, model);
  if (outcomes === undefined) return undefined;
  const found: StateWrite[] = [];
  for (const { program, members, conditions } of outcomes) {
    const state = members.get("polling_state");
    if (state === undefined) {
      if (members.has("polling_state")) return undefined;
      continue;
    }
    const writes = writesOf(state, program, conditions);
    if (writes === undefined) return undefined;
    found.push(...writes);
  }
  return found;
}

function writesOf(
  node: Expression,
  program: JqProgram,
  conditions: readonly Expression[],
): readonly StateWrite[] | undefined {
  if (isState(node, program)) return [{ program, node, keepsOthers: true, keys: new Map(), conditions }];
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
      return members === undefined ? undefined : [{ program, node, keepsOthers: false, keys, conditions }];
    }
    case "Group":
      return writesOf(node.body, program, conditions);
    case "If":
      return ofBranches(node, conditions, (body, all) => writesOf(body, program, all));
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+")
        ? added([node.first, ...node.rest.map(({ operand }) => operand)], program, conditions)
        : undefined;
    case "Pipeline":
      return assigned(node, program, conditions);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : writesOf(source, program, conditions);
    }
    default:
      return undefined;
  }
}

/** `STATE + {…}`: what stands on the right wins. */
function added(
  operands: readonly Expression[],
  program: JqProgram,
  conditions: readonly Expression[],
): readonly StateWrite[] | undefined {
  return operands.reduce<readonly StateWrite[] | undefined>(
    (before, operand, index) => {
      const after = writesOf(operand, program, conditions);
      if (index === 0 || before === undefined || after === undefined) return before && after;
      return before.flatMap((left) =>
        after.map((right) => ({
          ...right,
          keepsOthers: left.keepsOthers || right.keepsOthers,
          keys: right.keepsOthers ? right.keys : new Map([...left.keys, ...right.keys]),
          conditions: [...left.conditions, ...right.conditions],
        })),
      );
    },
    writesOf(operands[0]!, program, conditions),
  );
}

/** `STATE | .key = VALUE | …` */
function assigned(
  node: Extract<Expression, { kind: "Pipeline" }>,
  program: JqProgram,
  conditions: readonly Expression[],
): readonly StateWrite[] | undefined {
  const [first, ...rest] = stagesOf(node);
  let writes = first === undefined ? undefined : writesOf(first, program, conditions);
  for (const stage of rest) {
    const set = assignedKey(stage);
    if (set === undefined) return undefined;
    writes = writes?.map((write) => ({ ...write, keys: new Map([...write.keys, set]) }));
  }
  return writes;
}

function assignedKey(stage: Expression): readonly [string, Expression] | undefined {
  if (stage.kind !== "Assignment" || stage.operator !== "=") return undefined;
  const { target, value } = stage;
  const [suffix, ...others] =
    target.kind === "Postfix" && target.head.kind === "Identity" ? target.suffixes : [];
  if (others.length > 0 || suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
  return [suffix.key.text, value];
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

/** The part of the state that an expression reads; undefined where it is anything else. */
function keptPath(node: Expression, program: JqProgram): readonly string[] | undefined {
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
    case "Postfix": {
      if (node.head.kind === "Identity") return inputPath(node, program);
      const path = keptPath(node.head, program);
      const [suffix, ...others] = node.suffixes;
      if (path?.length !== 0 || others.length > 0 || suffix?.kind !== "Field" || suffix.key.kind !== "Name")
        return undefined;
      return [suffix.key.text];
    }
    default:
      return undefined;
  }
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

/** Whether what a program reads of its input at an offset is a key of the state that dependences know of. */
export function isFollowed(program: JqProgram, offset: number): boolean {
  return nodesOfKind(program, "Postfix").some(
    (node) =>
      node.start <= offset &&
      offset < node.end &&
      node.head.kind === "Identity" &&
      inputPath(node, program) !== undefined,
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

/** On which keys of the state nodes of a program may depend. */
export function stateDependence(program: JqProgram, nodes: readonly Expression[]): StateDependence {
  const keys = new Set<string>();
  let all = false;
  const dependence = dependenceOf(program, nodes, (node) => {
    const path = node.kind === "Postfix" ? keptPath(node, program) : undefined;
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
