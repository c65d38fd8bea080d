import { type MapSymbol, objectItems } from "../../../bind/model.ts";
import type { MemberNode, ObjectNode } from "../../../parse/syntax-tree.ts";

export type Side = "source" | "target";

/** `options` of `describe_source` or `describe_target`. */
export function optionsMember({ node }: MapSymbol, side: Side): MemberNode | undefined {
  const describe = node.get(`describe_${side}`);
  return describe?.kind === "object" ? describe.member("options") : undefined;
}

/** The options of a side, if they are a static list. What isn't an object in it is reported elsewhere. */
export function staticOptions(map: MapSymbol, side: Side): readonly ObjectNode[] | undefined {
  const options = optionsMember(map, side)?.value;
  return options?.kind === "array" ? objectItems(options) : undefined;
}
