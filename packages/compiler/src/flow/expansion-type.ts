import { type Type, types } from "@configc/jq";
import type { Command, Expansion, Model } from "../bind/model.ts";
import { saveScopes } from "../language/commands/save.ts";
import { flowOf } from "./flow.ts";
import { finalObject, literalMembers } from "./literal-object.ts";
import { savedKeys } from "./saved.ts";

/** The type of a state's key, a saved key or a step's output; unknown for all else. */
export function expansionType({ root, syntax, command }: Expansion, model: Model): Type {
  const flow = flowOf(model);
  const [, first, ...rest] = syntax.path.map(({ text }) => text);
  if (command === undefined || first === undefined) return types.unknown;
  const { unit } = command;
  if (root === "polling_state" && unit?.kind === "intake" && unit.type === "polling") {
    return below(flow.state(unit), [first, ...rest]);
  }
  const [key, ...deeper] = rest;
  if (root === "data" && key !== undefined) {
    const scope = saveScopes.find((name) => name === first);
    const saves = scope === undefined ? undefined : savedKeys(model).get(scope)?.keys.get(key);
    const typed = (saves ?? []).filter((save) => !isVisiblyUnknown(save, key));
    if (typed.length < (saves ?? []).length) return types.unknown;
    return types.union(...typed.map((save) => below(flow.input(save), [key, ...deeper])));
  }
  const index = Number(first);
  if (root === "piped_content" && index > 0 && index <= command.stepsRun) {
    return below(flow.output(command.pipe?.children[index - 1]), rest);
  }
  return types.unknown;
}

/** Whether a saved member is a path into something of unknown type, `{hook_id: .id}`: then nothing needs to be inferred. */
function isVisiblyUnknown({ pipe, stepsRun }: Command, key: string): boolean {
  const before = pipe?.children[stepsRun - 1];
  // What comes before the program is an HTTP answer, or the input of all: unknown.
  if (before?.program === undefined || stepsRun > 2 || (stepsRun === 2 && pipe?.children[0]?.key !== "!http"))
    return false;
  const made = finalObject(before.program);
  if (made === undefined || before.program.tree.body !== made) return false;
  const members = literalMembers(made);
  if (members === undefined || !members.has(key)) return false;
  const value = members.get(key);
  return (
    value === undefined ||
    (value.kind === "Postfix" &&
      value.head.kind === "Identity" &&
      value.suffixes.every((suffix) => suffix.kind === "Field"))
  );
}

/** The type at a path of member names. A member that isn't there isn't `null`: that is another mistake. */
function below(type: Type, names: readonly string[]): Type {
  let at = type;
  for (const name of names) {
    const inner = types
      .partsOf(at)
      .map((part) =>
        part.kind === "object" ? (part.members.get(name)?.type ?? types.never) : types.unknown,
      );
    at = types.union(...inner);
  }
  return at;
}
