import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { type JsonNode, nodeAt, type Span, type SyntaxNode } from "../parse/syntax-tree.ts";

/** Another way to write a program, with the same meaning. */
export interface Refactoring {
  /** What is done, for a menu. */
  readonly title: string;
  readonly kind: "extract" | "inline" | "move" | "rewrite";
  /** They don't meet. */
  readonly edits: readonly Edit[];
}

/** Where one is asked for: a range of the document, and the innermost command that it lies in. */
export interface Site {
  readonly model: Model;
  /** UTF-16 offsets in the document; empty at a cursor. */
  readonly range: Span;
  readonly command: Command;
}

/** A refactoring: what it would do at a site, nothing where it can't be done or where it isn't certain that the meaning stays. */
export type Refactor = (site: Site) => readonly Refactoring[];

/** The innermost command that a range lies in. */
export function commandAround(model: Model, { start, end }: Span): Command | undefined {
  const byNode = commandsByNode(model);
  for (
    let at: SyntaxNode | undefined = nodeAt(model.document.root, start);
    at !== undefined;
    at = at.parent
  ) {
    const command = at.kind === "object" ? byNode.get(at) : undefined;
    if (command !== undefined && end <= at.end) return command;
  }
  return undefined;
}

const commandsByNode = derived(
  ({ commands }) => new Map<JsonNode, Command>(commands.map((each) => [each.node, each])),
);

/** Whether a command stands directly in the steps of its pipe. */
export function isStep({ parent, pipe }: Command): boolean {
  return pipe !== undefined && parent === pipe;
}

/** Whether the object has the command alone: what else stands in it, such as a `_comment`, would be lost with it. */
export function standsAlone({ node }: Command): boolean {
  return node.members.length === 1;
}
