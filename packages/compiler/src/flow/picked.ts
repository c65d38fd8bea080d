import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { definitionOf, stagesOf } from "./protocol/dependence.ts";

/** Whether a value is one of a list, which is null where the list is empty: `first`, `max_by(.age)`, `.people[0]`. */
export function isPick(source: Expression, program: JqProgram): boolean {
  const last = source.kind === "Pipeline" ? stagesOf(source).at(-1) : source;
  if (last?.kind === "Call")
    return /^(?:first|last|max_by|min_by)$/.test(last.name.text) && definitionOf(program, last) === undefined;
  const index = last?.kind === "Postfix" ? last.suffixes.at(-1) : undefined;
  return index?.kind === "Index" && typeof constantOf(index.index) === "number";
}
