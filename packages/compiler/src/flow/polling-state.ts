import { type Type, types } from "@configc/jq";
import type { IntakeSymbol } from "../bind/model.ts";
import type { TypeFlow } from "./flow.ts";

/** The commands whose `polling_state` is saved, in the order in which a first cycle runs them. */
export const stateCommands = ["initial_setup", "pre_poll", "request", "post_poll"] as const;

/** A state of which nothing is known. */
export const anyState: Type = types.anyObject;

/** The state before anything was saved. */
const emptyState: Type = types.object([]);

/** From this round on, values that still change are of the same kind … */
const WIDENED_AFTER = 1;
/** … and from this one on unknown. */
const GIVEN_UP_AFTER = 5;
/** A state that goes on growing is any. */
const ROUNDS_LIMIT = 20;

/**
 * The type of an intake's `polling_state`: the union over its lifecycle commands. All members are optional, since every
 * command replaces the whole. A command may return the state that it got (`page + 1`), so this is a fixed point: literals
 * widen while it is sought. Open as soon as one command may return anything.
 *
 * @param assuming runs something with an assumed state
 */
export function pollingState(
  intake: IntakeSymbol,
  assuming: (state: Type, run: (flow: TypeFlow) => Type) => Type,
): Type {
  let state = emptyState;
  for (let round = 0; ; round++) {
    let next = state;
    for (const name of stateCommands) {
      const command = intake.commands.get(name);
      if (command === undefined) continue;
      next = joined(
        next,
        assuming(next, (flow) => flow.output(command)),
        round,
      );
    }
    const settled = next === state;
    state = round >= ROUNDS_LIMIT ? anyState : next;
    if (settled || state === anyState) break;
  }
  return withoutNever(state);
}

/** A state with what a command's output saves. */
function joined(state: Type, output: Type, round: number): Type {
  if (state.kind !== "object") return state;
  const members = new Map(state.members);
  for (const written of savedStates(output)) {
    if (written.kind !== "object") {
      if (written.kind === "unknown") return anyState;
      continue;
    }
    if (written.rest !== undefined) return anyState;
    for (const [name, { type }] of written.members) {
      const known = members.get(name)?.type ?? types.never;
      const both = types.union(known, type);
      const changed = members.has(name) && both !== known;
      const widened =
        !changed || round < WIDENED_AFTER
          ? both
          : round < GIVEN_UP_AFTER
            ? types.widenLiterals(both)
            : types.unknown;
      members.set(name, { type: widened, optional: true });
    }
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
