import { type Binding, type Call, children, type Node, resolve } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";
import { bare, nodesIn } from "../nodes.ts";

/** Calls that give a value, or none, whatever comes in. */
const inputless: ReadonlySet<string> = new Set(["now", "empty", "null", "true", "false", "infinite", "nan"]);

/** Calls that give what their arguments give, whatever comes in: `pow(10; $digits)`, `first($list[])`. */
export const ofArguments: ReadonlySet<string> = new Set([
  ...[
    "error/1",
    "pow/2",
    "atan2/2",
    "fmin/2",
    "fmax/2",
    "fmod/2",
    "ldexp/2",
    "scalb/2",
    "hypot/2",
    "copysign/2",
  ],
  ...["range/1", "range/2", "range/3", "first/1", "last/1", "limit/2", "skip/2", "nth/2"],
  ...["any/2", "all/2", "isempty/1", "IN/2", "INDEX/2", "add/1"],
  // That gives nothing, and says what its argument says.
  "error/1",
]);

/** Of these the second argument looks at what the first one gives. */
export const ofItems: ReadonlySet<string> = new Set(["any", "all", "INDEX"]);

/** Whether a program may take its input: only what certainly makes its outputs of other things doesn't. */
export function readsInput(program: JqProgram): boolean {
  return ofText(program);
}

const ofText = derivedFromText((tree): boolean => {
  const used = new Set<Node>(resolve(tree).variables.values());
  return reads(tree.body, true, (binding) => isIdle(binding, used));
});

/** Whether a program may take anything of its input, besides asking whether it is null: `if . == null then null else … end`. */
export function takesOfInput(program: JqProgram): boolean {
  return takenOfText(program);
}

const takenOfText = derivedFromText((tree): boolean => {
  const used = new Set<Node>(resolve(tree).variables.values());
  return reads(tree.body, true, (binding) => isIdle(binding, used), isNullTest);
});

const isNullTest = (node: Node): boolean =>
  node.kind === "Comparison" &&
  (node.operator === "==" || node.operator === "!=") &&
  bare(node.left).kind === "Identity" &&
  constantOf(node.right) === null;

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

function isInputless({ name: { text }, arguments: { length } }: Call): boolean {
  return length === 0 ? inputless.has(text) : ofArguments.has(`${text}/${length}`);
}

/**
 * @param own whether `.` is the program's input, or made of it
 * @param isIdle whether nothing comes of what a name is given to
 * @param isLeftOut what doesn't count, whatever it reads
 */
function reads(
  node: Node,
  own: boolean,
  isIdle: (binding: Binding) => boolean,
  isLeftOut?: (node: Node) => boolean,
): boolean {
  if (isLeftOut?.(node) === true) return false;
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
      return own;
    case "Call":
      if (own && !isInputless(node)) return true;
      return node.arguments.some((each, index) =>
        reads(each, own && !(index === 1 && ofItems.has(node.name.text)), isIdle, isLeftOut),
      );
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
        if (reads(stage, isOwn, isIdle, isLeftOut)) return true;
        // What comes after a stage is what that made.
        if (stage.kind !== "Binding" && stage.kind !== "Definition" && stage.kind !== "Label") isOwn = false;
      }
      return false;
    }
    case "Reduce":
      return (
        reads(node.source, own, isIdle, isLeftOut) ||
        reads(node.initial, own, isIdle, isLeftOut) ||
        reads(node.update, false, isIdle, isLeftOut)
      );
    case "Foreach":
      return (
        reads(node.source, own, isIdle, isLeftOut) ||
        reads(node.initial, own, isIdle, isLeftOut) ||
        reads(node.update, false, isIdle, isLeftOut) ||
        (node.extract !== undefined && reads(node.extract, false, isIdle, isLeftOut))
      );
    default:
  }
  return children(node).some((child) => reads(child, own, isIdle, isLeftOut));
}
