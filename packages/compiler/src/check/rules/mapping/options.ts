import type { MapSymbol } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { JsonNode, MemberNode, ObjectNode } from "../../../parse/syntax-tree.ts";

export type Side = "source" | "target";
export const sides: readonly Side[] = ["source", "target"];

/** `options` of `describe_source` or `describe_target`. */
export interface Options {
  readonly side: Side;
  readonly member: MemberNode;
  readonly value: JsonNode;
  /** The options of a static list; undefined where a command gives them. What isn't an object is reported elsewhere. */
  readonly list: readonly Option[] | undefined;
}

export interface Option {
  readonly node: ObjectNode;
  readonly id: MemberNode | undefined;
  readonly required: MemberNode | undefined;
  readonly group: MemberNode | undefined;
  readonly schema: MemberNode | undefined;
  readonly fixed: MemberNode | undefined;
}

const optionsOfMap = derivedOf((map: MapSymbol): { readonly [S in Side]: Options | undefined } => ({
  source: read(map, "source"),
  target: read(map, "target"),
}));

/** The options of a map step, read once for all rules. */
export function optionsOf(map: MapSymbol, side: Side, model: Model): Options | undefined {
  return optionsOfMap(map, model)[side];
}

function read({ node }: MapSymbol, side: Side): Options | undefined {
  const describe = node.get(side === "source" ? "describe_source" : "describe_target");
  const member = describe?.kind === "object" ? describe.member("options") : undefined;
  if (member?.value === undefined) return undefined;
  const { value } = member;
  if (value.kind !== "array") return { side, member, value, list: undefined };
  const list: Option[] = [];
  for (const item of value.items) if (item.kind === "object") list.push(optionOf(item));
  return { side, member, value, list };
}

function optionOf(node: ObjectNode): Option {
  return {
    node,
    id: node.member("id"),
    required: node.member("required"),
    group: node.member("group"),
    schema: node.member("schemaId"),
    fixed: node.member("source_fields"),
  };
}

/** The text of a member's value, if it is a string. */
export function textIn(member: MemberNode | undefined): string | undefined {
  return member?.value?.kind === "string" ? member.value.value : undefined;
}

/** The options of a side, if they are a static list. */
export function staticOptions(map: MapSymbol, side: Side): readonly ObjectNode[] | undefined {
  return read(map, side)?.list?.map(({ node }) => node);
}
