import { type Type, types } from "@configc/jq";
import type { Expansion, Model } from "../bind/model.ts";
import { saveScopes } from "../language/commands/save.ts";
import { flowOf } from "./flow.ts";
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
    return types.union(...(saves ?? []).map((save) => below(flow.input(save), [key, ...deeper])));
  }
  const index = Number(first);
  if (root === "piped_content" && index > 0 && index <= command.stepsRun) {
    return below(flow.output(command.pipe?.children[index - 1]), rest);
  }
  return types.unknown;
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
