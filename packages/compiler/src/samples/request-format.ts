import type { Command } from "../bind/bound-nodes.ts";

/** As what a request body is sent (D19). */
export type BodyFormat = "json" | "form";

/** The type of a form's body. */
export const FORM = "application/x-www-form-urlencoded";

/** As what an `!http` sends its body; undefined where that depends on values. */
export function sentFormat({ argument }: Command): BodyFormat | undefined {
  const headers = argument?.kind === "object" ? argument.get("headers") : undefined;
  if (headers === undefined) return "json";
  if (headers.kind !== "object" || headers.members.some(({ name }) => name.includes("$"))) return undefined;
  const type = headers.members.find(({ name }) => name.toLowerCase() === "content-type")?.value;
  if (type === undefined) return "json";
  if (type.kind !== "string" || type.value.includes("$")) return undefined;
  return type.value.split(";", 1)[0]!.trim().toLowerCase() === FORM ? "form" : "json";
}
