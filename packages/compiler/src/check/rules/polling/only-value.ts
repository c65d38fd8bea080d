import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";

/** Whether a request asks for one value of a member alone: `kind=person`. A filter by the same lets all records through. */
export const asksForOnly = (
  name: string,
  value: unknown,
  requests: readonly { readonly argument: JsonNode | undefined }[],
): boolean =>
  typeof value === "string" &&
  requests.length > 0 &&
  requests.every(({ argument }) => {
    const params = argument?.kind === "object" ? argument.get("params") : undefined;
    return textOf(params, name) === value;
  });

/** What a filter keeps, where that is one value of one member: `select(.kind == "person")`. */
export function onlyValueOf(
  select: Expression,
): { readonly name: string; readonly value: unknown } | undefined {
  const [condition, ...others] = select.kind === "Call" ? select.arguments : [];
  const asked = condition === undefined || others.length > 0 ? undefined : bare(condition);
  if (asked?.kind !== "Comparison" || asked.operator !== "==") return undefined;
  const name = nameOfValue(bare(asked.left));
  return name === undefined ? undefined : { name, value: constantOf(asked.right) };
}
