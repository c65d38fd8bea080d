import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";

/** The number that constants make: `60 * 60`. */
export function numberOf(node: Expression): number | undefined {
  const constant = constantOf(node);
  if (typeof constant === "number") return constant;
  if (node.kind === "Group") return numberOf(node.body);
  if (node.kind !== "Arithmetic") return undefined;
  let number = numberOf(node.first);
  for (const { operator, operand } of node.rest) {
    const other = numberOf(operand);
    if (number === undefined || other === undefined || operator !== "*") return undefined;
    number *= other;
  }
  return number;
}
