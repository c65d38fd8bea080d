import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import { commandMeant } from "../bind/command-member.ts";
import { derived, derivedInPart } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { StructureProblem } from "../bind/structure-problem.ts";
import { type SaveScope, saveScopes } from "../language/commands/save.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { finalObject, literalMembers } from "./literal-object.ts";
import type { SavedKeys, TypeFlow } from "./type-flow.ts";

/**
 * What is saved, by scope (D24). A `!save` with a wrong scope counts as writing its keys in every scope, so that one mistake
 * gives one finding (`design.md`, "No cascades"). Ask `TypeFlow.savedKeys`, which keeps it.
 */
export function collectSavedKeys(flow: TypeFlow): ReadonlyMap<SaveScope, SavedKeys> {
  const found = new Map(
    saveScopes.map((scope) => [
      scope,
      { keys: new Map<string, Command[]>(), complete: true, saves: [] as Command[] },
    ]),
  );
  for (const { command, visible } of savesOf(flow.model)) {
    const keys = visible ?? keysOf(flow.input(command));
    for (const scope of scopesOf(command)) {
      const entry = found.get(scope)!;
      entry.saves.push(command);
      if (keys === undefined) entry.complete = false;
      for (const key of keys ?? []) {
        const commands = entry.keys.get(key);
        // Every intake of a document may save the same key.
        if (commands === undefined) entry.keys.set(key, [command]);
        else commands.push(command);
      }
    }
  }
  if (flow.model.parts.some(mayHideSaves)) for (const entry of found.values()) entry.complete = false;
  return found;
}

/** The `!save` commands in a part, with the keys that they visibly store. */
const savesIn = derivedInPart(({ commands }) =>
  commands
    .filter(({ key }) => key === "!save")
    .map((command) => ({ command, visible: visibleKeys(command) })),
);

const savesOf = derived(({ parts }) => parts.flatMap(savesIn));

/** Every `!save` of a document. */
export const saveCommands = (model: Model): readonly Command[] =>
  savesOf(model).map(({ command }) => command);

const mayHideSaves = derivedInPart(({ structure }) => structure.some(mayHideSave));

/** Whether what stands there may have been meant for a command that saves. */
function mayHideSave(problem: StructureProblem): boolean {
  switch (problem.kind) {
    case "not-a-command":
      return true;
    case "unknown-command":
      return commandMeant(problem.member) === undefined;
    // A lifecycle command that the intake lacks.
    case "missing-member":
      return problem.member.value.kind === "command";
    // The steps of a pipe, the cases of a switch, the intakes.
    case "wrong-type":
      return problem.expected.kind === "list";
    default:
      return false;
  }
}

/** What the `!save` commands of a scope store under a key. */
export function savedType(flow: TypeFlow, scope: SaveScope, key: string): Type {
  const saves = flow.savedKeys()?.get(scope)?.keys.get(key) ?? [];
  const stored = saves.flatMap((save) =>
    types.partsOf(flow.input(save)).map((part) => {
      if (part.kind !== "object") return types.unknown;
      // Where this one doesn't store the key, another value stays.
      return part.members.get(key)?.type ?? part.rest ?? types.never;
    }),
  );
  const type = types.union(...stored);
  return type.kind === "never" ? types.unknown : type;
}

/** The keys of the object that the step before visibly makes. */
function visibleKeys({ pipe, parent, stepsRun }: Command): readonly string[] | undefined {
  const before = parent === pipe && stepsRun > 0 ? pipe?.children[stepsRun - 1] : undefined;
  const made =
    before?.key !== "!jq" || before.program === undefined ? undefined : finalObject(before.program);
  const members = made === undefined ? undefined : literalMembers(made);
  return members === undefined ? undefined : [...members.keys()];
}

function keysOf(input: Type): readonly string[] | undefined {
  const keys: string[] = [];
  for (const part of types.partsOf(input)) {
    // What isn't an object is the mistake; which keys were meant isn't known (`design.md`, "No cascades").
    if (part.kind !== "object" || part.rest !== undefined) return undefined;
    keys.push(...part.members.keys());
  }
  return keys;
}

/** The scopes that a `!save` writes to: its own, or all where its own is wrong. */
export function scopesOf(command: Command): readonly SaveScope[] {
  const scope = saveScopes.find((name) => name === textOf(command.argument, "scope"));
  if (scope === undefined) return saveScopes;
  const { unit } = command;
  const webhookScope = unit?.kind === "intake" && unit.type === "webhook" ? unit.scope : undefined;
  const wrong = webhookScope === undefined ? scope === "application" : scope !== webhookScope;
  return wrong ? saveScopes : [scope];
}
