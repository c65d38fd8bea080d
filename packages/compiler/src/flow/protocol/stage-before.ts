import {
  children,
  type Expression,
  type Identity,
  type Node,
  type ObjectEntry,
  type Postfix,
} from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";

/**
 * The stage of a pipeline whose output each `.` of the stages behind it means, and each `if` without `else` and each assignment
 * gives on. What isn't listed has the
 * program's own input, or one that isn't looked into: an argument, what accumulates, what is assigned.
 */
export const stageBefore = (program: JqProgram): ReadonlyMap<Node, Expression> => inputsIn(program).stages;

/** The stage whose output a call without arguments takes: that of `tonumber` of `.weeks | if . == "" then null else tonumber * 7 end` is `.weeks`. */
export const stageIntoCall = (program: JqProgram): ReadonlyMap<Node, Expression> => inputsIn(program).calls;

/** Each `.` of a program that certainly means what comes into it. */
export const ownInputs = (program: JqProgram): ReadonlySet<Node> => inputsIn(program).own;

/** `.since` of an entry that is written `{since}`. */
export const shorthandOf = (program: JqProgram, entry: ObjectEntry): Expression | undefined =>
  inputsIn(program).shorthands.get(entry);

const inputsIn = derivedFromText((tree) => {
  const found = new Map<Node, Expression>();
  const calls = new Map<Node, Expression>();
  const own = new Set<Node>();
  const shorthands = new Map<Node, Postfix>();
  const pending: (readonly [Node, Expression | undefined])[] = [[tree.body, undefined]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, before] = next;
    switch (node.kind) {
      case "Identity":
        if (before !== undefined) found.set(node, before);
        else own.add(node);
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
        if (before !== undefined && node.arguments.length === 0) calls.set(node, before);
        break;
      case "Definition":
        break;
      case "Entry": {
        const read = node.value === undefined ? readBy(node) : undefined;
        if (read === undefined) for (const child of children(node)) pending.push([child, before]);
        else {
          shorthands.set(node, read);
          pending.push([read.head, before]);
        }
        break;
      }
      default:
        for (const child of children(node)) pending.push([child, before]);
    }
  }
  return { stages: found, calls, own, shorthands };
});

/** What `{since}` reads: it is written nowhere, so it is made here. */
function readBy({ key, start, end }: ObjectEntry): Postfix | undefined {
  if (key.kind !== "Name") return undefined;
  const head: Identity = { kind: "Identity", start, end: start };
  return { kind: "Postfix", head, suffixes: [{ kind: "Field", key, start, end }], start, end };
}
