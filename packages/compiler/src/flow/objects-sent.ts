import type { JsonNode, ObjectNode } from "../parse/syntax-tree.ts";

/** The objects in the `params` and the `body` of a request, the outer ones first. */
export function objectsSent(request: ObjectNode): readonly ObjectNode[] {
  const objects: ObjectNode[] = [];
  const add = (value: JsonNode | undefined): void => {
    if (value?.kind === "object") objects.push(value);
  };
  add(request.get("params"));
  add(request.get("body"));
  // It grows while it is gone through.
  for (const { members } of objects) for (const { value } of members) add(value);
  return objects;
}
