import { type Member, type Type, types } from "@configc/jq";
import type { IntakeSymbol } from "../bind/bound-nodes.ts";
import type { TypeFlow } from "./type-flow.ts";

/** The commands whose `polling_state` is saved, in the order in which a first cycle runs them. */
export const stateCommands = ["initial_setup", "pre_poll", "request", "post_poll"] as const;
type StateCommand = (typeof stateCommands)[number];

/** A state of which nothing is known. */
const anyState: Type = types.anyObject;

/** The state before anything was saved. */
const emptyState: Type = types.object([]);

/** The types of an intake's `polling_state`. */
export interface LifecycleStates {
  /** As it is kept once the intake is set up: a member that some command leaves out is optional. */
  readonly kept: Type;
  /** As each command meets it, by its name. */
  readonly before: ReadonlyMap<string, Type>;
}

export const unknownStates: LifecycleStates = { kept: anyState, before: new Map() };

/** The state as a command meets it, by the name of the command that it is in. */
export function stateBefore(states: LifecycleStates, command: string | undefined): Type {
  return (command === undefined ? undefined : states.before.get(command)) ?? states.kept;
}

/** From this round on, values that still change are of the same kind … */
const WIDENED_AFTER = 1;
/** … and from this one on unknown. */
const GIVEN_UP_AFTER = 5;
/** A state that goes on growing is any. */
const ROUNDS_LIMIT = 20;

/** What may run after a command, by its name. */
type Followers = (name: StateCommand) => readonly StateCommand[];

/**
 * The types of an intake's `polling_state`, in the order in which its commands run (D33): each replaces the whole, so a member
 * is certain where every way there sets it. What a command returns may depend on the state that it got (`page + 1`), so this
 * is a fixed point: literals widen while it is sought. Open as soon as a command may return anything.
 *
 * @param assuming runs something with assumed states
 * @param followers the way through a cycle; `anyCycle`, or `firstCycle` for the states that only the first one meets
 */
export function pollingStates(
  intake: IntakeSymbol,
  assuming: (states: LifecycleStates, run: (flow: TypeFlow) => Type) => Type,
  followers: Followers = anyCycle,
): LifecycleStates {
  const { commands } = intake;
  const before = new Map<StateCommand, Type>([["initial_setup", emptyState]]);
  for (let round = 0; round < ROUNDS_LIMIT; round++) {
    let settled = true;
    for (const name of stateCommands) {
      const state = before.get(name) ?? emptyState;
      const command = commands.get(name);
      const after =
        command === undefined
          ? state
          : savedBy(
              assuming(statesOf(before), (flow) => flow.output(command)),
              state,
            );
      for (const next of followers(name)) {
        const known = before.get(next);
        const both = known === undefined ? after : joined(known, after, round);
        if (both !== known) settled = false;
        before.set(next, both);
      }
    }
    if (settled) return statesOf(new Map([...before].map(([name, state]) => [name, withoutNever(state)])));
  }
  return unknownStates;
}

/** Few ask for what is kept, so it is worked out for those. */
function statesOf(before: ReadonlyMap<string, Type>): LifecycleStates {
  let kept: Type | undefined;
  return {
    before,
    get kept() {
      kept ??= keptOf(before);
      return kept;
    },
  };
}

/**
 * The commands that may run next. A cycle that fails on the way is begun anew with the state that it saved until then, so
 * `pre_poll` may follow any of them.
 */
const anyCycle: Followers = (name) => {
  switch (name) {
    case "initial_setup":
    case "post_poll":
      return ["pre_poll"];
    case "pre_poll":
      return ["request", "pre_poll"];
    case "request":
      return ["request", "post_poll", "pre_poll"];
  }
};

/** The first cycle after the setup, up to its end and without a failure. */
export const firstCycle: Followers = (name) => {
  switch (name) {
    case "initial_setup":
      return ["pre_poll"];
    case "pre_poll":
      return ["request"];
    case "request":
      return ["request", "post_poll"];
    case "post_poll":
      return [];
  }
};

/** Whatever is saved is met by some command after `initial_setup`. */
function keptOf(before: ReadonlyMap<string, Type>): Type {
  const met = stateCommands.flatMap((name) => (name === "initial_setup" ? [] : (before.get(name) ?? [])));
  return met.length === 0 ? emptyState : met.reduce((state, other) => joined(state, other, 0));
}

/** The state after a command: what its output saves, and the one before where it saves none. */
function savedBy(output: Type, before: Type): Type {
  let after: Type | undefined;
  for (const part of types.partsOf(output)) {
    if (part.kind === "unknown") return anyState;
    const member = part.kind === "object" ? part.members.get("polling_state") : undefined;
    if (member === undefined && part.kind === "object" && part.rest !== undefined) return anyState;
    const states = member === undefined ? [] : types.partsOf(member.type);
    if (states.some(({ kind }) => kind === "unknown")) return anyState;
    // Anything but an object isn't saved, and is a finding of its own.
    const objects = states.filter(({ kind }) => kind === "object");
    const saved = member === undefined || member.optional ? [...objects, before] : objects;
    for (const state of saved) after = after === undefined ? state : joined(after, state, 0);
  }
  // One that always fails saves nothing.
  return after ?? before;
}

/** What may be either of two states. */
function joined(state: Type, other: Type, round: number): Type {
  if (state === other) return state;
  if (state.kind !== "object" || other.kind !== "object") return anyState;
  if (state.rest !== undefined || other.rest !== undefined) return anyState;
  const members = new Map<string, Member>();
  for (const name of new Set([...state.members.keys(), ...other.members.keys()])) {
    const [known, added] = [state.members.get(name), other.members.get(name)];
    const optional = known?.optional !== false || added?.optional !== false;
    const both = types.union(known?.type ?? types.never, added?.type ?? types.never);
    const changed = known !== undefined && both !== known.type;
    const widened =
      !changed || round < WIDENED_AFTER
        ? both
        : round < GIVEN_UP_AFTER
          ? types.widenLiterals(both)
          : types.unknown;
    members.set(name, { type: widened, optional });
  }
  return types.object(members);
}

/** The types that an output has as `polling_state`; one of them `unknown` if it may have anything there. */
export function savedStates(output: Type): readonly Type[] {
  return types.partsOf(output).flatMap((part): readonly Type[] => {
    if (part.kind === "unknown") return [types.unknown];
    if (part.kind !== "object") return [];
    const member = part.members.get("polling_state");
    if (member === undefined) return part.rest === undefined ? [] : [types.unknown];
    return types.partsOf(member.type);
  });
}

/** A key that only ever gets its own value back has none that is known. */
function withoutNever(state: Type): Type {
  if (state.kind !== "object") return state;
  const members = [...state.members].map(
    ([name, { type, optional }]) =>
      [name, { type: type.kind === "never" ? types.unknown : type, optional }] as const,
  );
  return types.object(members, state.rest);
}
