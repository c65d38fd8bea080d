import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { namedSymbolAt } from "./named-symbols.ts";

/** A name that needs no quotes anywhere. */
const ANOTHER = "another";

/**
 * The characters that may be typed at all places of a name at once: those of a variable, a function, a form field, an auth entry or
 * an intake. None where a place writes the name in another way than the others do, or where not all of its places are known.
 */
export function linkedNamesAt(model: Model, offset: number): readonly Span[] {
  const found = namedSymbolAt(model, offset);
  if (found === undefined || found.thing.kind === "member" || found.thing.obstacle !== undefined) return [];
  const { declarations, references } = found.thing;
  const spans: Span[] = [];
  for (const at of [...declarations, ...references]) {
    const { start, end } = spanOf(model.document, at);
    // A whole string's span has its quotes.
    const inner = model.document.text[start] === '"' ? { start: start + 1, end: end - 1 } : { start, end };
    // A place that would write another name in another way is no place to type it.
    const isPlain = (at.rewrite?.(ANOTHER) ?? ANOTHER) === ANOTHER;
    if (!isPlain || model.document.text.slice(inner.start, inner.end) !== found.thing.name) return [];
    spans.push(inner);
  }
  return spans.length > 1 ? spans : [];
}
