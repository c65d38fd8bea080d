import { children, type Node, type Program } from "@configc/jq";

/** Whether a program may take its input as a whole, rather than read members of it by their names. Where that can't be told, it may. */
export function readsWholeInput({ body }: Program): boolean {
  const pending: Node[] = [body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isWhole(node)) return true;
    pending.push(...withOwnInput(node));
  }
  return false;
}

/** Calls that give the same whatever comes in. */
const constants: ReadonlySet<string> = new Set(["true", "false", "null", "empty", "now"]);

function isWhole(node: Node): boolean {
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
    case "Format":
    case "Assignment":
      return true;
    case "Call":
      return !constants.has(node.name.text);
    case "If":
      return node.otherwise === undefined;
    default:
      return false;
  }
}

/** The parts that are evaluated with the same input. */
function withOwnInput(node: Node): readonly Node[] {
  switch (node.kind) {
    case "Pipeline": {
      const first = node.stages.findIndex(
        ({ kind }) => kind !== "Binding" && kind !== "Definition" && kind !== "Label",
      );
      return node.stages.slice(0, first + 1).filter(({ kind }) => kind !== "Definition");
    }
    case "Binding":
      return [node.source];
    case "Reduce":
    case "Foreach":
      return [node.source, node.initial];
    case "Postfix": {
      const [first] = node.suffixes;
      const isNamed = first?.kind === "Field" || (first?.kind === "Index" && first.index.kind === "String");
      return [...(node.head.kind === "Identity" && isNamed ? [] : [node.head]), ...node.suffixes];
    }
    case "String":
      return node.parts;
    case "Entry":
      return node.value === undefined ? [] : [node.value, ...(node.key.kind === "Group" ? [node.key] : [])];
    case "Definition":
    case "Label":
      return [];
    default:
      return children(node);
  }
}
