import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { type JsonNode, objectItems } from "../../../parse/syntax-tree.ts";
import { isKeyName } from "../value/compared-kind.ts";

/* What the options of a field say of their two parts: what customers read, and what the service knows. */

/** Whether the value of a field's options is an id, a code or a key by its name. */
export function hasIds(field: FieldSymbol | undefined, model: Model): boolean {
  const values = field === undefined ? [] : valuesOf(field, model);
  return values.length > 0 && values.every((name) => isKeyName(name ?? ""));
}

/** What identifies a record, as the last word of the member that a field's options have as their value: `code`. */
export function keyOf(field: FieldSymbol, model: Model): string | undefined {
  const [name, ...others] = new Set(valuesOf(field, model));
  return name !== undefined && others.length === 0 && isKeyName(name) ? wordsOf(name).at(-1) : undefined;
}

/** The names of the members that the options of a field have as their values. */
function valuesOf(field: FieldSymbol, model: Model): readonly (string | undefined)[] {
  const command = flowOf(model).plainAt(field.node.get("options"));
  const last = command?.key === "!pipe" ? command.children.at(-1) : command;
  const objects = last?.program === undefined ? [] : nodesOfKind(last.program, "Object");
  return objects.flatMap((object) => {
    const value = entryOf(object, "value")?.value;
    return value === undefined ? [] : [nameOfValue(value)];
  });
}

/** Whether options show what people read, and no slug or code that a path may have too. */
export function showsNames(field: FieldSymbol, model: Model): boolean {
  const command = flowOf(model).plainAt(field.node.get("options"));
  const last = command?.key === "!pipe" ? command.children.at(-1) : command;
  const shown = (last?.program === undefined ? [] : nodesOfKind(last.program, "Object")).flatMap(
    (object) => entryOf(object, "display")?.value ?? [],
  );
  return shown.every((value) => isShownName(nameOfValue(value) ?? "name"));
}

/**
 * Whether the options of a field that are written out stand for words of the service, or numbers, and show people other ones: `veg` as
 * "Vegetarian", 5 as "Very good".
 */
export function offersWords({ node }: FieldSymbol): boolean {
  const options = objectItems(node.get("options")).map((option) => {
    const [display, value] = [option.get("display"), option.get("value")];
    return display?.kind === "string" ? { shown: display.value, value } : undefined;
  });
  return (
    options.length > 1 &&
    options.every(
      (each) =>
        each !== undefined &&
        (each.value?.kind === "string"
          ? isWord.test(each.value.value) && isLabel.test(each.shown)
          : isNumberBeside(each.shown, each.value)),
    ) &&
    // `Offers` for `offers` may be taken, too.
    options.some(
      (each) => each?.value?.kind !== "string" || squeezed(each.shown) !== squeezed(each.value.value),
    )
  );
}

const isWord = /^(?:[a-z][a-z\d]*(?:[_.-][a-z\d]+)*|[A-Z\d]+(?:_[A-Z\d]+)*)$/;
const isLabel = /^\p{Lu}\p{Ll}|\p{L} \p{L}/u;
const squeezed = (text: string): string => text.toLowerCase().replace(/[\W_]/g, "");

const isNumberBeside = (shown: string, value: JsonNode | undefined): boolean =>
  value?.kind === "number" && Number.isNaN(Number(shown));

/** Whether the options of a field show something else than what they stand for. */
export function showsAnother(field: FieldSymbol, model: Model): boolean {
  const options = field.node.get("options");
  if (options?.kind === "array")
    return objectItems(options).some((option) => {
      const [display, value] = [option.get("display"), option.get("value")];
      if (display?.kind !== "string") return false;
      return value?.kind === "string" ? display.value !== value.value : isNumberBeside(display.value, value);
    });
  const command = flowOf(model).plainAt(options);
  const last = command?.key === "!pipe" ? command.children.at(-1) : command;
  const program = last?.key === "!jq" ? last.program : undefined;
  if (program === undefined) return false;
  for (const node of nodesOfKind(program, "Object")) {
    const [display, value] = [entryOf(node, "display")?.value, entryOf(node, "value")?.value];
    if (display === undefined || value === undefined) continue;
    const [shown, kept] = [nameOfValue(display), nameOfValue(value)];
    return textAt(display, program) !== textAt(value, program) && (shown === undefined || shown !== kept);
  }
  return false;
}
