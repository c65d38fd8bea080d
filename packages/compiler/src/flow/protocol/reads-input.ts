import { type Binding, children, type Node, resolve } from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";
import { nodesIn } from "../nodes.ts";

/** Calls that give a value, or none, whatever comes in. */
const inputless: ReadonlySet<string> = new Set(["now", "empty", "null", "true", "false", "infinite", "nan"]);

/** Whether a program may take its input: only what certainly makes its outputs of other things doesn't. */
export function readsInput(program: JqProgram): boolean {
  return ofText(program);
}

const ofText = derivedFromText((tree): boolean => {
  const used = new Set<Node>(resolve(tree).variables.values());
  return reads(tree.body, true, (binding) => isIdle(binding, used));
});

/** Whether a value is given a name that nothing reads: `. as $answers | {email}`. Of several values each would count. */
function isIdle({ source, patterns }: Binding, used: ReadonlySet<Node>): boolean {
  const [pattern, ...others] = patterns;
  if (pattern?.kind !== "VariablePattern" || others.length > 0 || used.has(pattern)) return false;
  const isOne = source.kind === "Postfix" && source.suffixes.every(({ kind }) => kind === "Field");
  const head = isOne ? source.head : source;
  return head.kind === "Identity" || head.kind === "Hole";
}

/** The expansions of a program that are only given a name that nothing reads, by their index. */
export const idleHoles: (program: JqProgram) => ReadonlySet<number> = derivedFromText((tree) => {
  const used = new Set<Node>(resolve(tree).variables.values());
  const holes = new Set<number>();
  for (const node of nodesIn(tree)) {
    if (node.kind !== "Binding" || !isIdle(node, used)) continue;
    const head = node.source.kind === "Postfix" ? node.source.head : node.source;
    if (head.kind === "Hole") holes.add(head.hole);
  }
  return holes;
});

/**
 * @param own whether `.` is the program's input, or made of it
 * @param isIdle whether nothing comes of what a name is given to
 */
function reads(node: Node, own: boolean, isIdle: (binding: Binding) => boolean): boolean {
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
        if (stage.kind === "Binding" && isIdle(stage)) continue;
        if (reads(stage, isOwn, isIdle)) return true;
        // What comes after a stage is what that made.
        if (stage.kind !== "Binding" && stage.kind !== "Definition" && stage.kind !== "Label") isOwn = false;
      }
      return false;
    }
    case "Reduce":
      return (
        reads(node.source, own, isIdle) ||
        reads(node.initial, own, isIdle) ||
        reads(node.update, false, isIdle)
      );
    case "Foreach":
      return (
        reads(node.source, own, isIdle) ||
        reads(node.initial, own, isIdle) ||
        reads(node.update, false, isIdle) ||
        (node.extract !== undefined && reads(node.extract, false, isIdle))
      );
    default:
  }
  return children(node).some((child) => reads(child, own, isIdle));
}
