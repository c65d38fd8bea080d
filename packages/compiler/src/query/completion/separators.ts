import type { Edit } from "../../findings/rule.ts";
import type { Span } from "../../parse/syntax-tree.ts";

/**
 * The commas that a new item or member needs, which would be the next mistake: one behind what stands before it, and one
 * behind itself.
 *
 * @param elements of the object or the array
 * @param own the element that is being written, if it is one already
 * @param replace what the new one takes the place of
 */
export function separatorsAt<T extends Span>(
  text: string,
  elements: readonly T[],
  own: T | undefined,
  replace: Span,
): { readonly before: Edit | undefined; readonly after: string } {
  const others = elements.filter((each) => each !== own);
  const previous = others.findLast(({ end }) => end <= replace.start);
  const next = others.find(({ start }) => start >= replace.end);
  const lacks = (from: number, to: number): boolean => !withoutComments(text.slice(from, to)).includes(",");
  const at = previous?.end ?? 0;
  return {
    before:
      previous !== undefined && lacks(previous.end, replace.start)
        ? { start: at, end: at, newText: "," }
        : undefined,
    after: next !== undefined && lacks(replace.end, next.start) ? "," : "",
  };
}

function withoutComments(text: string): string {
  return text.includes("/") ? text.replace(/\/\/[^\n]*|\/\*.*?\*\//gs, "") : text;
}
