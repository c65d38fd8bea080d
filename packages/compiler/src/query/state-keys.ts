import type { Expression, ObjectEntry } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { type Read, readsOf } from "../check/rules/state/reads.ts";
import { flowOf, savedKeys } from "../flow/flow.ts";
import { entryOf, finalObject, nameOf } from "../flow/literal-object.ts";
import { savedStates, stateCommands } from "../flow/polling-state.ts";
import type { StringPart } from "../parse/document.ts";
import { jqName, jqRead, jqShorthand } from "./jq-name.ts";
import type { Occurrence } from "./occurrence.ts";
import { pipedUses } from "./piped-uses.ts";
import type { KeyRead, KeyWrite, StateKey } from "./state-key.ts";

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
        reads: reads.flatMap((read) => {
          const [first, second] = read.path;
          return first?.text === scope && second?.text === name ? [useOf(read, second.at)] : [];
        }),
        piped: saves.flatMap((save) => [...pipedUses(model, stepBefore(save), name)]),
      };
    }
  }
}

function useOf({ command, expanded }: Read, { node, from, to }: StringPart): KeyRead {
  return { command, at: expanded ? { node, from, to } : jqRead(node, from, to) };
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
        piped: [],
        reads: reads.flatMap((read) => {
          const [first] = read.path;
          return read.command.unit === intake && first?.text === name ? [useOf(read, first.at)] : [];
        }),
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
  const made = program === undefined ? undefined : finalObject(program);
  const state = made === undefined ? undefined : entryOf(made, "polling_state")?.value;
  return program === undefined || state === undefined ? undefined : keysMade(program, state);
}

/** `{…}`, or such keys in addition to the state as it was: `${polling_state} + {…}`. */
function keysMade(program: JqProgram, state: Expression): (readonly [string, Occurrence])[] | undefined {
  switch (state.kind) {
    case "Object": {
      const keys = state.entries.map((entry) => writtenAt(program, entry));
      return keys.some((key) => key === undefined)
        ? undefined
        : keys.flatMap((key) => (key === undefined ? [] : [key]));
    }
    case "Group":
      return keysMade(program, state.body);
    case "Hole": {
      const { root, syntax } = program.holes[state.hole] ?? {};
      return root === "polling_state" && syntax?.path.length === 1 ? [] : undefined;
    }
    case "Arithmetic": {
      const terms = [
        state.first,
        ...state.rest.map(({ operator, operand }) => (operator === "+" ? operand : undefined)),
      ];
      const keys = terms.map((term) => (term === undefined ? undefined : keysMade(program, term)));
      return keys.some((each) => each === undefined) ? undefined : keys.flatMap((each) => each ?? []);
    }
    default:
      return undefined;
  }
}

/** Where a program visibly makes an object with that key. */
function writtenKey(command: Command | undefined, name: string): readonly Occurrence[] {
  const program = command?.key === "!jq" ? command.program : undefined;
  const made = program === undefined ? undefined : finalObject(program);
  return (made?.entries ?? []).flatMap((entry) => {
    const [key, at] = writtenAt(program!, entry) ?? [];
    return key === name && at !== undefined ? [at] : [];
  });
}

/** The name of an entry, where it is written as one: `{name: …}`, `{"name": …}`, or the short `{name}`. */
function writtenAt(
  { node }: JqProgram,
  { key, value }: ObjectEntry,
): readonly [string, Occurrence] | undefined {
  const name = nameOf(key);
  if (name === undefined || key.kind === "Variable") return undefined;
  if (key.kind === "String") {
    const [from, to] = [key.start + 1, key.end - 1];
    // Escapes in it: whoever renames it has to look himself.
    return value !== undefined && node.value.slice(from, to) === name
      ? [name, jqName(node, from, to)]
      : undefined;
  }
  return [name, (value === undefined ? jqShorthand : jqName)(node, key.start, key.end)];
}
