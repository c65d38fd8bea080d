import type { AppMap } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { RunError } from "../errors.ts";
import { isObject, ownMember, setOwn } from "../json.ts";
import { type LooseField, type MappedField, type ReadEntry, readMapping } from "./mapping.ts";

/** The member of a source's output that no mapping names: tags of the contact. */
const TAGS = "_tags";

/**
 * The automatic step between source and target (D37): every mapped field is carried over to the id of its target, in the
 * target's group if it has one. `null` is a value; what the source lacks is left out; what isn't mapped is dropped, `_tags`
 * excepted. A fixed value wins over a field that is mapped to the same target.
 *
 * @param output of the source
 * @param map the workflow's `map` step; without one, or before a mapping is saved, the output is passed on as it is
 * @param saved mapping in any form of D36
 * @throws RunError `DataError` if the output is no object or the mapping can't be read
 */
export function transform(
  output: Json,
  map: Pick<AppMap, "defaultGroup" | "pointer" | "span"> | undefined,
  saved: Json | undefined,
): Json {
  if (map === undefined || saved === undefined) return output;
  if (!isObject(output))
    throw new RunError(
      "DataError",
      `The source gave ${kindOf(output)}. To be mapped it must give an object with the fields at its root.`,
      map,
    );
  const entries = readMapping(saved, map.defaultGroup, map);
  const result: Record<string, Json> = {};
  const groups = new Map<string, Record<string, Json>>();
  const put = ({ group, id }: MappedField, value: Json): void => {
    if (group === undefined) return setOwn(result, String(id), value);
    let members = groups.get(group);
    if (members === undefined) {
      members = {};
      groups.set(group, members);
    }
    setOwn(members, String(id), value);
  };
  const tags = ownMember(output, TAGS);
  if (tags !== undefined) setOwn(result, TAGS, tags);
  for (const entry of entries) {
    if ("value" in entry) continue;
    const value = fieldValue(output, entry);
    if (value !== undefined) put(entry.target, value);
  }
  for (const entry of entries) if ("value" in entry) put(entry.target, entry.value);
  for (const [group, members] of groups) {
    if (Object.hasOwn(result, group))
      throw new RunError(
        "DataError",
        `The mapping has \`${group}\` both as a field and as a group of fields of the target, so one would replace the other.`,
        map,
      );
    setOwn(result, group, members);
  }
  return result;
}

function kindOf(value: Json): string {
  if (value === null) return "`null`";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

function fieldValue(output: JsonObject, entry: Exclude<ReadEntry, { value: Json }>): Json | undefined {
  if ("loose" in entry) return looseValue(output, entry.loose);
  const { group, id } = entry.source;
  if (group === undefined) return ownMember(output, String(id));
  const members = ownMember(output, group);
  return isObject(members) ? ownMember(members, String(id)) : undefined;
}

/** A field whose group isn't known: at the root, or in a group if the output consists of groups only. */
function looseValue(output: JsonObject, { id, near }: LooseField): Json | undefined {
  const groups = Object.entries(output).filter(([name]) => name !== TAGS);
  if (!groups.every(([, members]) => isObject(members))) return ownMember(output, id);
  const sameName = near === undefined ? undefined : ownMember(output, near);
  for (const members of [sameName, output, ...groups.map(([, members]) => members)]) {
    const value = isObject(members) ? ownMember(members, id) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
