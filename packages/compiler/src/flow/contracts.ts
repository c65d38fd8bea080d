import { type Type, types } from "@configc/jq";

/** What the platform takes of a command's output, for each contract of a place (`language/places.ts`). */

const optional = (type: Type): { type: Type; optional: boolean } => ({ type, optional: true });
const required = (type: Type): { type: Type; optional: boolean } => ({ type, optional: false });
type Members = Readonly<Record<string, { readonly type: Type; readonly optional: boolean }>>;
const open = (members: Members): Type => types.object(Object.entries(members), types.unknown);
const text = types.union(types.string, types.number);
const scalar = types.union(text, types.boolean);

/** `describe_connection` */
export const connection = open({ account_id: required(text), description: required(text) });
/** `display` or `value` of an option of a form field */
export const optionValue = scalar;
/** `options` of a form field */
export const fieldOptions = types.array(
  open({ display: required(optionValue), value: required(optionValue) }),
);
/** `options` of a map step */
export const mapOptions = types.array(
  open({
    title: required(text),
    id: required(text),
    required: optional(types.boolean),
    group: optional(text),
    schemaId: optional(text),
    source_fields: optional(types.array(open({ title: required(text), id: required(text) }))),
  }),
);
/** `describe_selection`, and what a payload is routed by (D31): compared as strings. */
export const comparedText = text;
/** `delivery_id` (D51): `null` and an empty text where a delivery has none. */
export const deliveryNumber = types.union(text, types.nullType);
/** `total_pages`, `total_items`; digits in a string count too (D22). */
export const count = text;
/** A page's token or URL (D22). */
export const token = types.union(scalar, types.nullType);
/** `request` of a polling intake; no results at all end the cycle. */
export const iteration = open({
  results: required(types.union(types.anyArray, types.nullType)),
  iterate: required(types.boolean),
  polling_state: required(types.anyObject),
});
/** The other lifecycle commands of a polling intake. */
export const lifecycle = types.union(open({ polling_state: optional(types.anyObject) }), types.nullType);
/** The input of `!save` (D24). */
export const saveInput = types.anyObject;
const item = types.union(types.anyObject, types.nullType);
const items = types.union(types.anyObject, types.anyArray, types.nullType);
/** The input of `Platform.sync` (D46); a platform may keep more kinds of things. */
export const syncInput = open({
  contact: optional(item),
  account: optional(item),
  deal: optional(items),
  customObjects: optional(items),
});
/** The input of `!sha` (D26). */
export const shaInput = open({ value_to_encrypt: required(types.string) });
/** The input of `!extract` (D26): an object with the members that no value of the input has. */
export function extractInput(names: readonly string[], input: Type): Type {
  const absent = names.filter((name) =>
    types
      .partsOf(input)
      .every((part) => part.kind === "object" && part.rest === undefined && !part.members.has(name)),
  );
  return types.object(
    absent.map((name) => [name, required(types.unknown)]),
    types.unknown,
  );
}
/** The program of a `!switch` (D26). */
export const switchIndex = types.number;

const tags = optional(types.array(types.string));
/** A field's value: an object is no value that a mapping could carry over. */
const fieldValue = types.union(scalar, types.anyArray);
/** What a contact has one of, by the name: no list of them is a value of it. */
const ofOne =
  /^(?:(?:\w+_)?e_?mail|(?:\w+_)?(?:phone|mobile)|(?:first|last|given|family|full)_?name|surname|street|city|zip|postal_?code|country|birth_?day|born|(?!(?:based|focused)_)(?:\w*ed|born|sold|paid|sent|won|made|met|due|starts?|ends?)_(?:on|at)|\w+_date|date_of_\w+)$/;

/**
 * `data_pipeline.source`: `null` skips the item (D35).
 *
 * @param names the ids of `describe_source`'s options by group, where they are known
 */
export function source(names: ReadonlyMap<string | undefined, ReadonlySet<string>> | undefined): Type {
  const members: Record<string, { type: Type; optional: boolean }> = Object.create(null);
  members["_tags"] = tags;
  const flat = names?.get(undefined);
  if (names !== undefined && (flat === undefined || names.size === 1)) {
    for (const name of flat ?? []) members[name] = optional(ofOne.test(name) ? scalar : fieldValue);
    for (const group of names.keys()) if (group !== undefined) members[group] = optional(types.anyObject);
  }
  return types.union(open(members), types.nullType);
}
