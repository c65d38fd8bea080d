import { nameOfToken } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import { findNode } from "./find-node.ts";

/**
 * What a person calls a node: the outermost name, which says where, and the two innermost ones, which say what, as in
 * `contacts › select › options`. An item with a `name` or an `id` goes by it.
 *
 * @param pointer JSON Pointer of the node
 */
export function nodeTitle(model: Model, pointer: string): string {
  const names: string[] = [];
  let outer = "";
  for (const part of pointer.split("/").slice(1)) {
    outer += `/${part}`;
    if (!/^\d+$/.test(part)) {
      names.push(nameOfToken(part));
      continue;
    }
    const found = findNode(model, outer);
    const item = "node" in found && found.node.kind === "object" ? found.node : undefined;
    const name = [item?.get("name"), item?.get("id")].find((each) => each?.kind === "string");
    // A name stands for the list and the place in it.
    const list = names.pop() ?? "";
    names.push(name?.kind === "string" && name.value !== "" ? name.value : `${list}[${part}]`);
  }
  return (names.length <= 3 ? names : [names[0], ...names.slice(-2)]).join(" › ");
}
