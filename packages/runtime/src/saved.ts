import type { Json, JsonObject } from "@configc/jq";
import { isObject, ownMember, setOwn } from "./json.ts";
import type { SavedData } from "./step.ts";

/** Saved values that live as long as the run: where no store is given (D24). */
export function savedInMemory(initial: Json | undefined): SavedData {
  let scopes: Readonly<Record<string, JsonObject>> = {};
  if (isObject(initial))
    for (const [scope, members] of Object.entries(initial))
      if (isObject(members)) scopes = { ...scopes, [scope]: members };
  return {
    read: () => scopes,
    async merge(scope, members) {
      scopes = { ...scopes, [scope]: mergedMembers(ownMember(scopes, scope), members) };
    },
  };
}

/** D24: the members of the second are put into the first; neither is changed. */
export function mergedMembers(old: Json | undefined, members: JsonObject): JsonObject {
  const merged: Record<string, Json> = {};
  for (const source of [isObject(old) ? old : {}, members])
    for (const [name, value] of Object.entries(source)) setOwn(merged, name, value);
  return merged;
}
