import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { asExact, isObject, ownMember } from "../json.ts";

/** A choice of a form field. */
export interface FieldOption {
  readonly display: string;
  readonly value: Json;
}

/** A field of one side of the mapping. */
export interface MapOption {
  readonly id: string | number;
  readonly title: string;
  readonly required: boolean;
  readonly group?: string;
  readonly schemaId?: string;
  /** Fixed values that may be written instead of a field. */
  readonly sourceFields: readonly { readonly id: string | number; readonly title: string }[];
}

/** @throws RunError `DataError` where they aren't a list of `{display, value}` */
export function readFieldOptions(given: Json, place: AppNode): readonly FieldOption[] {
  return listOf(given, "{display, value}", place).map((item, index) => {
    const value = ownMember(item, "value");
    const display = textOf(ownMember(item, "display"));
    if (value === undefined || display === undefined)
      throw broken(`option ${index} has no \`${value === undefined ? "value" : "display"}\``, place);
    return { display, value };
  });
}

/** @throws RunError `DataError` where they aren't a list of `{id, title}`. Of two with one id in a group the first counts (D5). */
export function readMapOptions(given: Json, place: AppNode): readonly MapOption[] {
  const seen = new Set<string>();
  return listOf(given, "{id, title}", place).flatMap((item, index) => {
    const id = idOf(ownMember(item, "id"));
    if (id === undefined) throw broken(`option ${index} has no \`id\``, place);
    const group = ownMember(item, "group");
    const schemaId = ownMember(item, "schemaId");
    const fixed = ownMember(item, "source_fields");
    const option: MapOption = {
      id,
      title: textOf(ownMember(item, "title")) ?? String(id),
      required: ownMember(item, "required") === true,
      ...(typeof group === "string" ? { group } : {}),
      ...(typeof schemaId === "string" ? { schemaId } : {}),
      sourceFields: Array.isArray(fixed) ? (fixed as readonly Json[]).flatMap(fixedValue) : [],
    };
    const key = keyOf(option);
    if (seen.has(key)) return [];
    seen.add(key);
    return [option];
  });
}

/** What tells fields apart: ids are compared as texts, in each group for itself (D5). */
export function keyOf({ group, id }: { readonly group?: string; readonly id: string | number }): string {
  return JSON.stringify([group ?? null, String(id)]);
}

function fixedValue(item: Json): MapOption["sourceFields"] {
  const id = isObject(item) ? idOf(ownMember(item, "id")) : undefined;
  if (id === undefined || !isObject(item)) return [];
  return [{ id, title: textOf(ownMember(item, "title")) ?? String(id) }];
}

/** A text for people; numbers and booleans are shown as they are written. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return asExact(value)?.text;
}

function idOf(value: Json | undefined): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : asExact(value)?.text;
}

function listOf(given: Json, shape: string, place: AppNode) {
  if (!Array.isArray(given)) throw broken(`they aren't a list of ${shape}`, place);
  return (given as readonly Json[]).map((item, index) => {
    if (!isObject(item)) throw broken(`option ${index} isn't ${shape}`, place);
    return item;
  });
}

function broken(why: string, place: AppNode): RunError {
  return new RunError("DataError", `The options can't be shown: ${why}.`, place);
}
