import { type Type, types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../bind/model.ts";
import type { TypeFlow } from "./flow.ts";
import { finalObject, literalMembers } from "./literal-object.ts";

/** The commands whose `polling_state` is saved, in the order in which a first cycle runs them. */
export const stateCommands = ["initial_setup", "pre_poll", "request", "post_poll"] as const;

/**
 * The type of an intake's `polling_state`: the union over its lifecycle commands, with members of unknown type, since only
 * their names are certain yet. `{}` before anything was saved. Unknown as soon as one command may return anything.
 */
export function pollingStateOf(intake: IntakeSymbol, flow: TypeFlow): Type {
  // A command may return the state that it got, so the names are collected until there are no new ones.
  let names = new Set<string>();
  for (let round = 0; round < stateCommands.length + 1; round++) {
    const state = stateWith(names);
    const found = new Set(names);
    for (const name of stateCommands) {
      const command = intake.commands.get(name);
      if (command === undefined) continue;
      const written = visibleState(command) ?? writtenKeys(lifecycleOutput(command, flow, state));
      if (written === undefined) return types.anyObject;
      for (const key of written) found.add(key);
    }
    if (found.size === names.size) break;
    names = found;
  }
  return stateWith(names);
}

/** The keys of the state that a command visibly returns; undefined where only types can tell. */
function visibleState(command: Command): ReadonlySet<string> | undefined {
  const result = command.key === "!pipe" ? command.children.at(-1) : command;
  if (result?.key !== "!jq" || result.program === undefined) return undefined;
  const made = finalObject(result.program);
  const members = made === undefined ? undefined : literalMembers(made);
  if (members === undefined) return undefined;
  if (!members.has("polling_state")) return none;
  const state = members.get("polling_state");
  if (state?.kind === "Object") {
    const keys = literalMembers(state)?.keys();
    return keys === undefined ? undefined : new Set(keys);
  }
  // The state as it was adds no key.
  const hole = state?.kind === "Hole" ? result.program.holes[state.hole] : undefined;
  return hole?.root === "polling_state" && hole.rootExact && hole.syntax.path.length === 1 ? none : undefined;
}

const none: ReadonlySet<string> = new Set();

function stateWith(names: ReadonlySet<string>): Type {
  return types.object([...names].map((name) => [name, { type: types.unknown, optional: true }] as const));
}

/** The output of a lifecycle command when `${polling_state}` and `.polling_state` have this type. */
function lifecycleOutput(command: Command, flow: TypeFlow, state: Type): Type {
  if (command.key === "!pipe") {
    const last = command.children.at(-1);
    if (last === undefined) return types.unknown;
    if (last.key === "!jq" && last.program !== undefined && command.children.length > 1) {
      return flow.program(last.program, flow.output(command.children.at(-2)), state);
    }
    return last.key === "!print_c" ? types.unknown : lifecycleOutput(last, flow, state);
  }
  if (command.key === "!switch") {
    return types.union(
      ...command.children.map((child) =>
        child === undefined ? types.unknown : lifecycleOutput(child, flow, state),
      ),
    );
  }
  if (command.key !== "!jq" || command.program === undefined) return flow.output(command);
  return flow.program(command.program, inputWith(command, state), state);
}

function inputWith({ parent }: Command, state: Type): Type {
  return parent === undefined
    ? types.object([["polling_state", { type: state, optional: false }]], types.unknown)
    : types.unknown;
}

/** The keys that an output saves as `polling_state`; undefined if that isn't known. */
export function writtenKeys(output: Type): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const part of types.partsOf(output)) {
    if (part.kind === "unknown") return undefined;
    if (part.kind !== "object") continue;
    const member = part.members.get("polling_state");
    if (member === undefined && part.rest !== undefined) return undefined;
    if (member === undefined) continue;
    for (const state of types.partsOf(member.type)) {
      if (state.kind === "unknown" || (state.kind === "object" && state.rest !== undefined)) return undefined;
      if (state.kind === "object") for (const key of state.members.keys()) keys.add(key);
    }
  }
  return keys;
}
