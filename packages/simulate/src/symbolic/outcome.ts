import type { Expression } from "@configc/jq";

/** Whether an expression certainly stops with an error. */
export function isFailure(node: Expression): boolean {
  switch (node.kind) {
    case "Group":
      return isFailure(node.body);
    case "Call":
      return node.name.text === "error";
    case "Pipeline": {
      const last = node.stages.at(-1);
      return last !== undefined && last.kind === "Call" && last.name.text === "error";
    }
    default:
      return false;
  }
}

/** The index of a case that an expression gives, where it is written there. */
export function writtenIndex(node: Expression): number | undefined {
  if (node.kind === "Group") return writtenIndex(node.body);
  return node.kind === "Number" && typeof node.value === "number" ? node.value : undefined;
}
