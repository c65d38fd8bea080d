import { ArrayNode, type JsonNode, ObjectNode, StringNode } from "../syntax-tree.ts";

/**
 * Objects and lists whose opening bracket is missing: `"setup": "connect": {…` and `"options": {…}, {…}]`. What follows shows it,
 * when the first name or item has been taken for the value. Here it is put into the container that was meant.
 */

/** What stands last in a container. */
export function lastValue(container: ObjectNode | ArrayNode | undefined): JsonNode | undefined {
  if (container?.kind === "object") return container.members[container.members.length - 1]?.value;
  return container?.items[container.items.length - 1];
}

/** Puts an object in the place of a string that turned out to be the name of its first member. */
export function objectInPlaceOf(name: StringNode): ObjectNode {
  const object = new ObjectNode(name.start, name.parent);
  if (name.parent?.kind === "member") name.parent.value = object;
  else if (name.parent?.kind === "array") name.parent.items[name.parent.items.length - 1] = object;
  return object;
}

/**
 * Puts a list around the last value of an object.
 *
 * @param isName whether the name that was read last is the list's second item
 * @returns undefined if there is no value to put it around
 */
export function arrayAroundLast(container: ObjectNode, isName: boolean): ArrayNode | undefined {
  const owner = container.members[container.members.length - (isName ? 2 : 1)];
  const first = owner?.value;
  if (owner === undefined || first === undefined) return undefined;
  const array = new ArrayNode(first.start, owner);
  const name = isName ? container.takeLast()?.key : undefined;
  owner.value = array;
  first.parent = array;
  array.items.push(first, ...(name === undefined ? [] : [copyOf(name, array)]));
  return array;
}

/** The string again, at another place in the tree. */
export function copyOf({ start, end, value, escaped, valid }: StringNode, parent?: ArrayNode): StringNode {
  return new StringNode(start, end, value, escaped, valid, parent);
}
