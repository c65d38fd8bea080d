import { type Expression, type Type, types } from "@configc/jq";
import { literalMembers } from "./literal-object.ts";

/** The type of an expression's outputs as far as its text alone says it; unknown for whatever takes a look at values. */
export function evidentType(node: Expression): Type {
  switch (node.kind) {
    case "String":
    case "Format":
      return types.string;
    case "Number":
      return types.number;
    case "Comparison":
    case "Logical":
      return types.boolean;
    case "Array":
      return types.anyArray;
    case "Object": {
      const members = literalMembers(node);
      if (members === undefined) return types.anyObject;
      return types.object(
        [...members.keys()].map((name) => [name, { type: types.unknown, optional: false }] as const),
      );
    }
    case "Call":
      return (node.arguments.length === 0 ? constants.get(node.name.text) : undefined) ?? types.unknown;
    default:
      return types.unknown;
  }
}

const constants: ReadonlyMap<string, Type> = new Map([
  ["true", types.boolean],
  ["false", types.boolean],
  ["null", types.nullType],
]);
