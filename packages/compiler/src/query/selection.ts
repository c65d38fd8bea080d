import { nodesAt } from "@configc/jq";
import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { Span, SyntaxNode } from "../parse/syntax-tree.ts";
import type { Cursor } from "./cursor.ts";

/**
 * The spans around a cursor, innermost first, each inside the next: nodes of a jq program, parts of an expansion, the string,
 * then members, objects and lists up to the document.
 */
export function selectionSpans(model: Model, cursor: Cursor): readonly Span[] {
  const spans = [...inner(model, cursor), ...outer(cursor)];
  return spans.filter(({ start, end }, index) => {
    const before = spans[index - 1];
    return (
      before === undefined ||
      (start <= before.start && end >= before.end && end - start > before.end - before.start)
    );
  });
}

function* inner(model: Model, cursor: Cursor): Generator<Span> {
  if (cursor.kind !== "text") return;
  const { node, offset, expansion, program } = cursor;
  const part = (from: number, to: number): Span => spanOf(model.document, { node, from, to });
  if (expansion !== undefined) {
    const { syntax } = expansion.expansion;
    const [first, last] = [syntax.path[0], syntax.path.at(-1)];
    const path = first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
    const filters = syntax.filters.flatMap((filter) =>
      [filter.nameSpan, filter.argument ?? [], filter].flat(),
    );
    for (const { start, end } of [...syntax.path, ...path, ...filters])
      if (start <= offset && offset <= end) yield part(start, end);
    yield part(syntax.start, syntax.end);
  }
  if (program !== undefined) {
    for (const { start, end } of [...nodesAt(program.tree, offset)].sort(
      (a, b) => a.end - a.start - (b.end - b.start),
    ))
      yield part(start, end);
  }
  yield part(0, node.value.length);
}

function* outer(cursor: Cursor): Generator<Span> {
  let at: SyntaxNode | undefined =
    cursor.kind === "name" ? (cursor.member?.key ?? cursor.object) : (cursor.node ?? parentOf(cursor));
  for (; at !== undefined; at = at.parent) yield { start: at.start, end: at.end };
}

function parentOf(cursor: Cursor): SyntaxNode | undefined {
  return cursor.kind === "value" ? cursor.parent : undefined;
}
