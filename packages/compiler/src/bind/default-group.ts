import type { JsonNode, ObjectNode } from "../parse/syntax-tree.ts";

/** Where a map step names its default group: in itself, or in `describe_target` (D45). */
interface DefaultGroups {
  readonly inMap: JsonNode | undefined;
  readonly inTarget: JsonNode | undefined;
}

export function defaultGroups(map: ObjectNode): DefaultGroups {
  const target = map.get("describe_target");
  return {
    inMap: map.get("default_group"),
    inTarget: target?.kind === "object" ? target.get("default_group") : undefined,
  };
}

/** The value that counts: that of the map step, if both have one. */
export function defaultGroupNode(map: ObjectNode): JsonNode | undefined {
  const { inMap, inTarget } = defaultGroups(map);
  return inMap ?? inTarget;
}

/** The group's name; undefined if there is none, or it isn't a text. */
export function defaultGroup(map: ObjectNode): string | undefined {
  const node = defaultGroupNode(map);
  return node?.kind === "string" ? node.value : undefined;
}
