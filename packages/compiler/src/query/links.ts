import type { Model } from "../bind/model.ts";
import type { JsonNode, Span } from "../parse/syntax-tree.ts";

/** The strings that are URLs as they stand: with an expansion in it, where one leads isn't known. */
export function linksOf({ document }: Model): { readonly span: Span; readonly target: string }[] {
  const links: { span: Span; target: string }[] = [];
  const pending: JsonNode[] = document.root === undefined ? [] : [document.root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "object")
      for (const { value } of node.members) if (value !== undefined) pending.push(value);
    if (node.kind === "array") pending.push(...node.items);
    if (node.kind !== "string" || !/^https?:\/\/[^\s$]+$/i.test(node.value) || !URL.canParse(node.value))
      continue;
    links.push({ span: { start: node.start + 1, end: node.end - 1 }, target: new URL(node.value).href });
  }
  return links.sort((a, b) => a.span.start - b.span.start);
}
