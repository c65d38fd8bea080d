import { derived } from "../bind/derived.ts";
import type { Command, IntakeSymbol, JqProgram, Model } from "../bind/model.ts";
import { readsOf } from "../check/rules/state/reads.ts";
import { flowOf, savedKeys } from "../flow/flow.ts";
import { finalObject } from "../flow/literal-object.ts";
import { savedStates, stateCommands } from "../flow/polling-state.ts";
import type { Occurrence } from "./occurrences.ts";

/** A key of saved data (D24) or of an intake's polling state (D33): who writes it, and who reads it. */
export interface StateKey {
  readonly kind: "saved-key" | "polling-key";
  readonly name: string;
  /** As it is read: `data.workflow.hook_id`. */
  readonly path: string;
  /** Whose polling state it is a key of. */
  readonly intake: IntakeSymbol | undefined;
  readonly writes: readonly KeyWrite[];
  readonly reads: readonly KeyRead[];
}

export interface KeyWrite {
  /** The `!save`, or the command whose output is the state. */
  readonly command: Command;
  /** Where its name is written. Absent where only types tell that the command writes it: a step before may give it. */
  readonly at: Occurrence | undefined;
}

export interface KeyRead {
  readonly command: Command;
  readonly at: Occurrence;
}

/** Every key that some command writes. */
export const stateKeys: (model: Model) => readonly StateKey[] = derived((model) => [
  ...savedStateKeys(model),
  ...pollingStateKeys(model),
]);

function* savedStateKeys(model: Model): Generator<StateKey> {
  const reads = readsOf(model, "data");
  for (const [scope, { keys }] of savedKeys(model)) {
    for (const [name, saves] of keys) {
      yield {
        kind: "saved-key",
        name,
        path: `data.${scope}.${name}`,
        intake: undefined,
        writes: saves.flatMap((command): KeyWrite[] => {
          const visible = writtenKey(stepBefore(command), name);
          return visible.length === 0 ? [{ command, at: undefined }] : visible.map((at) => ({ command, at }));
        }),
        reads: reads.flatMap(({ command, path }) =>
          path[0]?.text === scope && path[1]?.text === name ? [{ command, at: path[1].at }] : [],
        ),
      };
    }
  }
}

function stepBefore({ pipe, parent, stepsRun }: Command): Command | undefined {
  return parent === pipe && stepsRun > 0 ? pipe?.children[stepsRun - 1] : undefined;
}

function* pollingStateKeys(model: Model): Generator<StateKey> {
  const reads = readsOf(model, "polling_state");
  for (const intake of model.intakes) {
    const written = new Map<string, KeyWrite[]>();
    for (const [name, write] of pollingWrites(model, intake))
      written.set(name, [...(written.get(name) ?? []), write]);
    for (const [name, writes] of written) {
      yield {
        kind: "polling-key",
        name,
        path: `polling_state.${name}`,
        intake,
        writes,
        reads: reads.flatMap(({ command, path }) =>
          command.unit === intake && path[0]?.text === name ? [{ command, at: path[0].at }] : [],
        ),
      };
    }
  }
}

function* pollingWrites(
  model: Model,
  intake: IntakeSymbol,
): Generator<readonly [name: string, write: KeyWrite]> {
  for (const member of stateCommands) {
    const command = intake.commands.get(member);
    if (command === undefined) continue;
    const visible = visibleState(command);
    if (visible !== undefined) {
      for (const [name, at] of visible) yield [name, { command, at }];
      continue;
    }
    for (const state of savedStates(flowOf(model).output(command)))
      if (state.kind === "object")
        for (const name of state.members.keys()) yield [name, { command, at: undefined }];
  }
}

/** The keys of a state that the program of a lifecycle command spells out; undefined where it doesn't. */
function visibleState(command: Command): (readonly [string, Occurrence])[] | undefined {
  const result = command.key === "!pipe" ? command.children.at(-1) : command;
  const program = result?.key === "!jq" ? result.program : undefined;
  const state =
    program === undefined
      ? undefined
      : finalObject(program)?.entries.find(({ key }) => key.kind === "Name" && key.text === "polling_state");
  if (program === undefined || state?.value?.kind !== "Object") return undefined;
  return state.value.entries.flatMap(({ key, value }) =>
    key.kind === "Name" ? [[key.text, keyOccurrence(program, key, key.text, value !== undefined)]] : [],
  );
}

/** Where a program visibly makes an object with that key. */
function writtenKey(command: Command | undefined, name: string): readonly Occurrence[] {
  const program = command?.key === "!jq" ? command.program : undefined;
  const made = program === undefined ? undefined : finalObject(program);
  return (made?.entries ?? []).flatMap(({ key, value }) =>
    key.kind === "Name" && key.text === name ? [keyOccurrence(program!, key, name, value !== undefined)] : [],
  );
}

/** `{name: …}`, or the short `{name}`, whose value keeps its old name. */
function keyOccurrence(
  { node }: JqProgram,
  { start, end }: { readonly start: number; readonly end: number },
  name: string,
  hasValue: boolean,
): Occurrence {
  const at = { node, from: start, to: end };
  return hasValue ? at : { ...at, rewrite: (renamed) => `${renamed}: .${name}` };
}
