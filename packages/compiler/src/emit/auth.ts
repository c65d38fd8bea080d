import type { AuthSymbol } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { AppAuth, AppDefinedField } from "./app.ts";
import { type EmitContext, optional, placeOf } from "./context.ts";
import { type Entry, emitMembers, membersOf } from "./values.ts";

/** Members of an auth entry that aren't settings. */
const own: ReadonlySet<string> = new Set(["type", "configuration", "defined_fields", "_comment"]);

/** D27, D28. Settings may stand in `configuration` or beside it (E1); inside counts. */
export function emitAuth({ name, node, member, type }: AuthSymbol, context: EmitContext): AppAuth {
  const object = node?.kind === "object" ? node : undefined;
  const configuration = object?.get("configuration");
  const inside = configuration?.kind === "object" ? membersOf(configuration) : [];
  const names = new Set(inside.map(({ key }) => key.value));
  const beside = object === undefined ? [] : membersOf(object);
  const fields = object?.get("defined_fields");
  return {
    ...placeOf(member),
    name,
    type: type ?? "",
    configuration: emitMembers(
      [...inside, ...beside.filter(({ key }) => !own.has(key.value) && !names.has(key.value))],
      context,
    ),
    definedFields: fields?.kind === "object" ? membersOf(fields).map(definedField) : [],
  };
}

function definedField({ key, value }: Entry): AppDefinedField {
  return {
    id: key.value,
    ...optional("label", textOf(value, "label")),
    ...optional("placeholder", textOf(value, "placeholder")),
    ...optional("helpText", textOf(value, "help_text")),
  };
}
