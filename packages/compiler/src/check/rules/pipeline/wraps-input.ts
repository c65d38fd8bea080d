import type { Expression } from "@configc/jq";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";

/** Whether a program puts all that came below a name: `{owner: (. + {clinic: 1})}`. */
export function wrapsInput(node: Expression): boolean {
  const made = bare(node);
  return (
    made.kind === "Object" &&
    [...(literalMembers(made)?.values() ?? [])].some((value) => value !== undefined && isAllOfInput(value))
  );
}

function isAllOfInput(node: Expression): boolean {
  const value = bare(node);
  if (value.kind === "Identity") return true;
  if (value.kind === "Arithmetic")
    return isAllOfInput(value.first) && value.rest.every(({ operator }) => operator === "+");
  if (value.kind !== "Pipeline") return false;
  const [first, ...others] = stagesOf(value);
  const keeps = others.every(
    (stage) => stage.kind === "Call" && /^(?:with_entries|del)$/.test(stage.name.text),
  );
  return first !== undefined && keeps && isAllOfInput(first);
}
