import { nodesAt } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { nameOf } from "../flow/literal-object.ts";
import type { SyntaxNode } from "../parse/syntax-tree.ts";
import type { StateKey } from "./state-key.ts";

/** Why not every use of a key can be told from the text; undefined if each can. */
export function renameObstacle({ programs, document }: Model, key: StateKey): string | undefined {
  const line = ({ start }: SyntaxNode) => document.position(start).line;
  const hidden = key.writes.find(({ at }) => at === undefined)?.command;
  if (hidden !== undefined)
    return `The \`${hidden.key}\` in line ${line(hidden.member.key)} also writes \`${key.name}\`, but through a value, so its name can't be changed there.`;
  for (const program of programs) {
    if (key.intake !== undefined && program.command.unit !== key.intake) continue;
    if (readsAsWhole(program, key.path.split(".").slice(0, -1)))
      return `The program in line ${line(program.node)} takes the whole object around \`${key.name}\` and may read it from there.`;
  }
  return undefined;
}

/** Whether an expansion gives a program the object at a path, or one around it, other than to keep the state as it was. */
function readsAsWhole(program: JqProgram, path: readonly string[]): boolean {
  return program.holes.some(({ root, rootExact, syntax }) => {
    const names = syntax.path.map(({ text }) => text);
    const isAround = names.length <= path.length && names.every((name, index) => name === path[index]);
    return root !== undefined && rootExact && isAround && !isKept(program, syntax.start);
  });
}

/** `{polling_state: ${polling_state}}`, or with more keys behind a `+`. */
function isKept({ tree }: JqProgram, offset: number): boolean {
  const around = nodesAt(tree, offset);
  const entry = around.findLastIndex(({ kind }) => kind === "Entry");
  const owner = around[entry];
  if (owner?.kind !== "Entry" || nameOf(owner.key) !== "polling_state") return false;
  return around.slice(entry + 1).every(({ kind }) => terms.has(kind));
}

const terms: ReadonlySet<string> = new Set(["Group", "Arithmetic", "ArithmeticOperand", "Hole"]);
