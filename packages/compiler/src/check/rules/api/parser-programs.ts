import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";

/** Of an example: a list that is read in pages. */
export const paginated = {
  "/workflows/0/setup/select/form_fields/0/options":
    '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}',
} as const;

/** The programs of `api.pagination.parser`, by the member that each makes. */
export function* parserPrograms(
  pagination: JsonNode | undefined,
  model: Model,
): Generator<{ readonly name: string; readonly program: JqProgram }> {
  const parser = pagination?.kind === "object" ? pagination.get("parser") : undefined;
  if (parser?.kind !== "object") return;
  for (const { name, value } of parser.members) {
    const program = programAt(value, model);
    if (program !== undefined) yield { name, program };
  }
}

function programAt(value: JsonNode | undefined, model: Model): JqProgram | undefined {
  const command = flowOf(model).plainAt(value);
  return command?.key === "!jq" && command.program?.diagnostics.length === 0 ? command.program : undefined;
}
