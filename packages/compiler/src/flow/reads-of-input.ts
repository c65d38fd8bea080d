import { children, type Node } from "@configc/jq";
import { constants } from "./protocol/dependence.ts";

/** What reads the input of an expression, or may: `.a`, `length`. Behind the first stage of a pipe it is another one. */
export function readsOfInput(node: Node): readonly Node[] {
  switch (node.kind) {
    case "Postfix":
      return node.head.kind === "Identity" ? [node] : children(node).flatMap(readsOfInput);
    case "Pipeline": {
      // Names leave the input as it is.
      const end = node.stages.findIndex(({ kind }) => kind !== "Binding");
      return node.stages.slice(0, end + 1).flatMap(readsOfInput);
    }
    // `{email}`, but not `{$email}`.
    case "Entry":
      return node.value === undefined && node.key.kind !== "Variable"
        ? [node]
        : children(node).flatMap(readsOfInput);
    // What a call does with its input isn't known.
    case "Call":
      return constants.has(node.name.text) || node.name.text === "now" ? [] : [node];
    case "Identity":
    case "Definition":
      return [node];
    default:
      return children(node).flatMap(readsOfInput);
  }
}
