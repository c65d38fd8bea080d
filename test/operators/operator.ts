import type { Model, Span } from "@configc/compiler";
import { spanOf } from "@configc/compiler/internal";
import type { Expression, Node } from "@configc/jq";
import { nodesWithin } from "../../packages/jq/src/nodes-within.ts";
import type { Config } from "../mutants/config.ts";
import type { TextEdit } from "../mutants/kind.ts";

/** A right config, and what the compiler read in it. */
export interface Target {
  readonly config: Config;
  readonly model: Model;
}

/**
 * A change that is made without a look at what it means, wherever it can be made. Some of its results are right, or nobody could see
 * what is wrong with them; so the share that is told has no bound, and only shows where the checker is blind.
 */
export interface Operator {
  /** kebab-case */
  readonly name: string;
  readonly what: string;
  changes(target: Target): Iterable<readonly TextEdit[]>;
}

type Program = Model["programs"][number];
type Of<Kind extends Node["kind"]> = Extract<Node, { readonly kind: Kind }>;

/** A part of a program, and what is written instead. */
export type Rewriting = readonly [part: Span, newText: string];

/** An operator on the nodes of one kind in the programs of a document. */
export function onNodes<Kind extends Node["kind"]>(
  name: string,
  what: string,
  kind: Kind,
  rewritings: (node: Of<Kind>, textOf: (part: Span) => string) => Iterable<Rewriting>,
): Operator {
  return onPrograms(name, what, function* (program, textOf) {
    for (const node of nodesWithin(program.tree.body as Expression))
      if (node.kind === kind) yield* rewritings(node as Of<Kind>, textOf);
  });
}

/** An operator on whole programs. */
export function onPrograms(
  name: string,
  what: string,
  rewritings: (program: Program, textOf: (part: Span) => string, target: Target) => Iterable<Rewriting>,
): Operator {
  return {
    name,
    what,
    *changes(target) {
      for (const program of target.model.programs) {
        if (program.diagnostics.length > 0) continue;
        const { value } = program.node;
        const textOf = ({ start, end }: Span): string => value.slice(start, end);
        for (const [part, newText] of rewritings(program, textOf, target))
          if (textOf(part) !== newText) yield [inString(target, program.node, part, newText)];
      }
    },
  };
}

/** An edit of a part of a string, in offsets of its value. */
export function inString(
  { model }: Target,
  node: Program["node"],
  { start, end }: Span,
  newText: string,
): TextEdit {
  const span = spanOf(model.document, { node, from: start, to: end });
  return { start: span.start, end: span.end, newText: JSON.stringify(newText).slice(1, -1) };
}
