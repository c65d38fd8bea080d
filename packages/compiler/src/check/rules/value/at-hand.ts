import type { Command, Expansion, FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { flowOf } from "../../../flow/flow.ts";
import { kindOfExpansion } from "../../../flow/record-kind.ts";
import { isOf } from "./wanted-record.ts";

/** What a command can read that is an id of a kind of record: what a customer chose, or what is read of it elsewhere in its part. */
export function recordAtHand(
  noun: string,
  command: Command,
  fields: readonly FieldSymbol[],
  { expansions }: Part,
  model: Model,
): string | undefined {
  const field = fields.find((each) => isOf(each, noun, { model }));
  if (field?.id !== undefined) return `custom_data.${field.id}.value`;
  const other = expansions.find(
    (each) => isInReach(each, command) && kindOfExpansion(each, flowOf(model))?.nouns.has(noun) === true,
  );
  return other?.syntax.path.map(({ text }) => text).join(".");
}

/** Whether an expansion that stands elsewhere means the same for a command, and has a value there. */
function isInReach({ root, syntax, command, rootExact }: Expansion, reader: Command): boolean {
  if (!rootExact || syntax.problem !== undefined) return false;
  // What a program makes may be what is saved.
  if (root === "data") return reader.key === "!http";
  const index = Number(syntax.path[1]?.text);
  return root === "piped_content" && command?.pipe === reader.pipe && index <= reader.stepsRun;
}
