import { groupBy } from "@configc/jq/internal";
import type { Command, Expansion } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { spanOf } from "../parse/document.ts";
import type { Span } from "../parse/syntax-tree.ts";

/** A `${piped_content.N}`. */
export interface PipedRead {
  readonly expansion: Expansion;
  readonly index: number;
}

/**
 * What reads values of a pipe by their number.
 *
 * @param pipe undefined for what stands in none
 * @returns undefined where one of them doesn't say which value it reads, so that nothing can be renumbered
 */
export function pipedReads(model: Model, pipe: Command | undefined): readonly PipedRead[] | undefined {
  const found: PipedRead[] = [];
  for (const expansion of readsByPipe(model).get(pipe) ?? []) {
    const { rootExact, syntax } = expansion;
    const index = syntax.path[1];
    if (!rootExact || syntax.problem !== undefined || index === undefined || !/^\d+$/.test(index.text))
      return undefined;
    found.push({ expansion, index: Number(index.text) });
  }
  return found;
}

const readsByPipe = derived(({ expansions }) =>
  groupBy(
    expansions.filter(({ root }) => root === "piped_content"),
    ({ command }) => command?.pipe,
  ),
);

/**
 * The edits that write other numbers.
 *
 * @param numbered the new number of what a read means now; undefined where it would have none
 * @returns undefined where a read would have no number
 */
export function renumber(
  model: Model,
  reads: readonly PipedRead[] | undefined,
  numbered: (index: number) => number | undefined,
): Edit[] | undefined {
  const edits: Edit[] = [];
  for (const { expansion, index } of reads ?? []) {
    const next = numbered(index);
    if (next === undefined) return undefined;
    if (next === index) continue;
    const segment = expansion.syntax.path[1]!;
    const span = spanOf(model.document, { node: expansion.node, from: segment.start, to: segment.end });
    edits.push({ ...span, newText: segment.bracketed ? `[${next}]` : `${next}` });
  }
  return reads === undefined ? undefined : edits;
}

/** Whether a read stands within a part of the document. */
export function isIn({ expansion: { node } }: PipedRead, { start, end }: Span): boolean {
  return start <= node.start && node.end <= end;
}
