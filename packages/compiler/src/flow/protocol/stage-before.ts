import { children, type Expression, type Node } from "@configc/jq";
import { derivedFromText } from "../../bind/derived.ts";

/**
 * The stage of a pipeline whose output each `.` of the stages behind it means, and each `if` without `else` and each assignment
 * gives on. What isn't listed has the
 * program's own input, or one that isn't looked into: an argument, what accumulates, what is assigned.
 */
export const stageBefore = derivedFromText((tree): ReadonlyMap<Node, Expression> => {
  const found = new Map<Node, Expression>();
  const pending: (readonly [Node, Expression | undefined])[] = [[tree.body, undefined]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, before] = next;
    switch (node.kind) {
      case "Identity":
        if (before !== undefined) found.set(node, before);
        break;
      case "Pipeline": {
        let input = before;
        for (const stage of node.stages) {
          if (stage.kind === "Label" || stage.kind === "Definition") continue;
          if (stage.kind === "Binding") pending.push([stage.source, input]);
          else {
            pending.push([stage, input]);
            input = stage;
          }
        }
        break;
      }
      case "If":
        if (before !== undefined && node.otherwise === undefined) found.set(node, before);
        for (const child of children(node)) pending.push([child, before]);
        break;
      case "Assignment":
        if (before !== undefined) found.set(node, before);
        if (node.operator !== "|=") pending.push([node.value, before]);
        break;
      case "Reduce":
      case "Foreach":
        pending.push([node.source, before]);
        break;
      case "Call":
      case "Definition":
        break;
      default:
        for (const child of children(node)) pending.push([child, before]);
    }
  }
  return found;
});
