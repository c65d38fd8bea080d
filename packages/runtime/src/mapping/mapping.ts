import type { AppNode } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";

/** A saved mapping as it is kept (D36). */
export interface Mapping {
  readonly v: 1;
  readonly entries: readonly MappingEntry[];
}

/** One target field, and what goes into it: a field of the source, or a fixed value, which keeps its type. */
export type MappingEntry =
  | { readonly source: MappedField; readonly target: MappedField }
  | { readonly value: Json; readonly target: MappedField };

export interface MappedField {
  readonly group?: string;
  readonly id: string | number;
}

/**
 * The source field of a mapping that doesn't say in which group of a grouped source it stands: it was saved in one of the
 * specification's own forms, or before there were groups.
 */
export interface LooseField {
  readonly id: string;
  /** Group of the target: if the source has a group of that name, it is meant first. */
  readonly near: string | undefined;
}

export type ReadEntry = MappingEntry | { readonly loose: LooseField; readonly target: MappedField };

/**
 * Reads a saved mapping: as it is kept, flat (`{source_id: target_id}`) or grouped (`{target_group: {source_id: target_id}}`).
 * A mapping without any target group is placed under the default group; one with groups isn't (D36, D37).
 *
 * @param place of the `map` step, for errors
 * @throws RunError `DataError` for anything else
 */
export function readMapping(
  saved: Json,
  defaultGroup: string | undefined,
  place?: AppNode,
): readonly ReadEntry[] {
  if (!isObject(saved)) throw unreadable("it isn't an object", place);
  const written = ownMember(saved, "entries");
  const entries =
    ownMember(saved, "v") === 1 && Array.isArray(written)
      ? written.map((entry, index) => keptEntry(entry, index, place))
      : specifiedEntries(saved, place);
  if (defaultGroup === undefined || entries.some(({ target }) => target.group !== undefined)) return entries;
  return entries.map((entry) => inDefaultGroup(entry, defaultGroup));
}

/** The source may have got groups together with the target. */
function inDefaultGroup(entry: ReadEntry, group: string): ReadEntry {
  const target = { ...entry.target, group };
  if ("value" in entry) return { ...entry, target };
  if ("loose" in entry) return { loose: { ...entry.loose, near: group }, target };
  const { source } = entry;
  return source.group === undefined
    ? { loose: { id: String(source.id), near: group }, target }
    : { source, target };
}

function keptEntry(entry: Json, index: number, place: AppNode | undefined): MappingEntry {
  const target = isObject(entry) ? fieldOf(ownMember(entry, "target")) : undefined;
  if (!isObject(entry) || target === undefined)
    throw unreadable(`entry ${index} has no \`target\` with an \`id\``, place);
  const source = fieldOf(ownMember(entry, "source"));
  if (source !== undefined) return { source, target };
  const value = ownMember(entry, "value");
  if (value === undefined)
    throw unreadable(`entry ${index} has neither a \`source\` with an \`id\` nor a \`value\``, place);
  return { value, target };
}

function fieldOf(written: Json | undefined): MappedField | undefined {
  if (!isObject(written)) return undefined;
  const id = ownMember(written, "id");
  const group = ownMember(written, "group");
  if (!isId(id)) return undefined;
  return typeof group === "string" ? { group, id } : { id };
}

function specifiedEntries(saved: JsonObject, place: AppNode | undefined): ReadEntry[] {
  const entries: ReadEntry[] = [];
  const add = (source: string, id: Json, group: string | undefined): void => {
    if (!isId(id)) throw unreadable(`the target of \`${source}\` isn't an id`, place);
    entries.push({
      loose: { id: source, near: group },
      target: group === undefined ? { id } : { group, id },
    });
  };
  for (const [name, value] of Object.entries(saved)) {
    if (!isObject(value)) add(name, value, undefined);
    else for (const [source, id] of Object.entries(value)) add(source, id, name);
  }
  return entries;
}

function isId(value: Json | undefined): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function unreadable(why: string, place: AppNode | undefined): RunError {
  return new RunError(
    "DataError",
    `The saved mapping can't be read: ${why}. A mapping is {"v": 1, "entries": [{"source": {"id"}, "target": {"id"}}]}, {source_id: target_id} or {target_group: {source_id: target_id}}.`,
    place,
  );
}
