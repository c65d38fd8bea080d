import type { ComparisonOperator } from "../syntax-tree.ts";
import { mapParts } from "./operations.ts";
import type { Refinement } from "./refine.ts";
import { never, partsOf, type Type } from "./type.ts";

/** jq's order of kinds (the manual, "sort"). */
const order: readonly Type["kind"][] = ["null", "boolean", "number", "string", "array", "object"];

/** Whether all values of one type come before all of the other in jq's order; undefined where it depends on the values. */
export function comesBefore(left: Type, right: Type): boolean | undefined {
  const [lowest, highest] = rangeOf(left);
  const [lowestOther, highestOther] = rangeOf(right);
  if (lowest < 0 || lowestOther < 0) return undefined;
  if (highest < lowestOther) return true;
  return highestOther < lowest ? false : undefined;
}

/** The lowest and the highest place of its kinds in the order; -1 for what isn't known. */
function rangeOf(type: Type): readonly [number, number] {
  const places = partsOf(type).map(({ kind }) => order.indexOf(kind));
  return [Math.min(...places), Math.max(...places)];
}

export type Relation = Exclude<ComparisonOperator, "==" | "!=">;

const opposites: Readonly<Record<Relation, Relation>> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };
const mirrored: Readonly<Record<Relation, Relation>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** The relation that holds where `left relation right` is or isn't true, seen from the left or from the right. */
export function relationOf(relation: Relation, truth: boolean, isLeft: boolean): Relation {
  const held = truth ? relation : opposites[relation];
  return isLeft ? held : mirrored[held];
}

/** Values whose kind can be in a relation to those of another type. */
export function ordered(relation: Relation, other: Type): Refinement | undefined {
  const [lowest, highest] = rangeOf(other);
  if (lowest < 0 || partsOf(other).length === 0) return undefined;
  const isMore = relation.startsWith(">");
  const isStrict = relation.length === 1;
  return (type) =>
    mapParts(type, (part) => {
      const place = order.indexOf(part.kind);
      // Nothing is less than null, and null is the only one of its kind.
      if (isStrict && part.kind === "null" && (isMore || highest === 0)) return never;
      return (isMore ? place >= lowest : place <= highest) ? part : never;
    });
}
