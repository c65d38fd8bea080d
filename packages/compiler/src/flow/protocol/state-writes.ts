import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { rootPaths } from "../../bind/roots-input.ts";
import { flowOf } from "../flow.ts";
import { entryOf, literalMembers } from "../literal-object.ts";
import { bare, isExpression, nodesIn } from "../nodes.ts";
import { plainBody } from "../plain-body.ts";
import { asWritten } from "../plain-if.ts";
import { producersOf } from "../producers.ts";
import { boundTo, stagesOf } from "./dependence.ts";
import { shorthandOf, stageBefore } from "./stage-before.ts";
import { assignedKey, isState } from "./state-paths.ts";

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
    // A way that fails gives no object, and the state stays; so it does where an answer comes last, as that of a receipt.
    if (key === "!error" || (key === "!http" && isAround(command))) continue;
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
    const objects = objectsOf(plainBody(program), ever);
    if (objects === undefined) return undefined;
    for (const object of objects) found.push({ program, ...object });
  }
  return found;
}

/** Whether a command runs before or behind the requests of a cycle, where nothing is taken but the state. */
const isAround = ({ place: { name } }: Command): boolean => /^intake\.(?:pre|post)_poll$/.test(name);

/** When a way is taken: the conditions that decide it, and which of them hold. */
type Way = Pick<StateWrite, "conditions" | "when">;

const ever: Way = { conditions: [], when: [] };

type MadeObject = Way & Pick<Outcome, "members">;

/** Of objects, `*` merges what is below their members, too; a state has none there. */
const merges: ReadonlySet<string> = new Set(["+", "*"]);

/** The objects of which one is the output. */
function objectsOf(node: Expression, way: Way): readonly MadeObject[] | undefined {
  switch (node.kind) {
    case "Object": {
      const members = literalMembers(node);
      return members && [{ members, ...way }];
    }
    case "Group":
      return objectsOf(node.body, way);
    case "Pipeline":
      return objectsBehind(stagesOf(node), way);
    case "Arithmetic":
      return node.rest.every(({ operator }) => merges.has(operator))
        ? objectsAdded([node.first, ...node.rest.map(({ operand }) => operand)], way)
        : undefined;
    case "If":
      return ofBranches(node, way, objectsOf);
    case "Call":
      // A way that fails gives no object, and the state stays.
      return node.name.text === "error" ? [] : undefined;
    default:
      return undefined;
  }
}

/** What the last stage makes; `{results, iterate} | .polling_state = …` sets a member of what stands before it. */
function objectsBehind(stages: readonly Expression[], way: Way): readonly MadeObject[] | undefined {
  const last = stages.at(-1);
  if (last?.kind !== "Assignment") return last && objectsOf(last, way);
  const set = assignedKey(last);
  const before = set && objectsBehind(stages.slice(0, -1), way);
  return before?.map((each) => ({ ...each, members: new Map([...each.members, set!]) }));
}

/** `{results, iterate} + if … then {polling_state: …} else … end`: what stands on the right wins. */
function objectsAdded(operands: readonly Expression[], way: Way): readonly MadeObject[] | undefined {
  let found: readonly MadeObject[] = [{ members: new Map(), ...way }];
  for (const operand of operands) {
    const added = found.map((left) => {
      const after = objectsOf(operand, { conditions: left.conditions, when: left.when });
      return after?.map((right) => ({ ...right, members: new Map([...left.members, ...right.members]) }));
    });
    if (added.includes(undefined)) return undefined;
    found = added.flatMap((each) => each ?? []);
  }
  return found;
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
        const entry = entryOf(node, name);
        const key = entry?.key;
        const given = value ?? (key?.kind === "Variable" ? key : entry && shorthandOf(program, entry));
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
      return node.rest.every(({ operator }) => merges.has(operator))
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
  if (end.kind === "Object" && node.stages.every((stage) => isExpression(stage) || stage.kind === "Binding"))
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
      if (stage.stages.some((each) => !isExpression(each))) return undefined;
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

/** The polling intake's command of a name, with its writes; undefined where they can't be told. */
export function writesIn(
  intake: IntakeSymbol,
  name: string,
  model: Model,
): readonly StateWrite[] | undefined {
  const command = intake.commands.get(name);
  return command === undefined ? [] : stateWritesOf(command, model);
}
