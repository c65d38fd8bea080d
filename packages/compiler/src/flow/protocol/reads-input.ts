import { children, type Node } from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";

/** Calls that give a value, or none, whatever comes in. */
const inputless: ReadonlySet<string> = new Set(["now", "empty", "null", "true", "false", "infinite", "nan"]);

/** Whether a program may take its input: only what certainly makes its outputs of other things doesn't. */
export function readsInput(program: JqProgram): boolean {
  return ofText(program);
}

const ofText = derivedFromText((tree): boolean => reads(tree.body, true));

/** @param own whether `.` is the program's input, or made of it */
function reads(node: Node, own: boolean): boolean {
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
      return own;
    case "Call":
      if (own && !(inputless.has(node.name.text) && node.arguments.length === 0)) return true;
      break;
    case "Entry":
      if (own && node.value === undefined && node.key.kind !== "Variable") return true;
      break;
    case "If":
      if (own && node.otherwise === undefined) return true;
      break;
    case "Pipeline": {
      let isOwn = own;
      for (const stage of node.stages) {
        if (reads(stage, isOwn)) return true;
        // What comes after a stage is what that made.
        if (stage.kind !== "Binding" && stage.kind !== "Definition" && stage.kind !== "Label") isOwn = false;
      }
      return false;
    }
    case "Reduce":
      return reads(node.source, own) || reads(node.initial, own) || reads(node.update, false);
    case "Foreach":
      return (
        reads(node.source, own) ||
        reads(node.initial, own) ||
        reads(node.update, false) ||
        (node.extract !== undefined && reads(node.extract, false))
      );
    default:
  }
  return children(node).some((child) => reads(child, own));
}
