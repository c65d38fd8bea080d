import type { JsonObject } from "@configc/jq";
import { storedValues } from "@configc/runtime/internal";
import { connectionOf, type Stage } from "../stage/stage.ts";
import type { InstallationFacts } from "./subject.ts";

/** What `!save` kept for an installation, by scope. */
export async function savedOf(
  { kept }: Stage,
  { id, customer }: Pick<InstallationFacts, "id" | "customer">,
): Promise<JsonObject> {
  const owners = { application: "app", connection: connectionOf(customer), workflow: id };
  return (await storedValues(kept, owners)).read() as JsonObject;
}

/** All texts in a value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
