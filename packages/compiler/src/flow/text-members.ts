import type { JsonNode, StringNode } from "../parse/syntax-tree.ts";

/** A member whose value is a text. */
export interface TextMember {
  readonly name: string;
  readonly value: StringNode;
}

/** The members of an object whose values are texts, and those of the objects in it. */
export function* textMembers(node: JsonNode | undefined): Generator<TextMember> {
  if (node?.kind !== "object") return;
  for (const { name, value } of node.members)
    if (value?.kind === "string") yield { name, value };
    else yield* textMembers(value);
}
