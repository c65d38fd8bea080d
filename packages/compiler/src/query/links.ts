import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { JsonNode, Span } from "../parse/syntax-tree.ts";
import { ruleById } from "../rules.ts";

/** Something in a document that leads elsewhere. */
export type Link = { readonly span: Span } & ({ readonly url: string } | { readonly rule: string });

/**
 * What can be followed, in document order: strings that are URLs as they stand (with an expansion in it, where one leads isn't
 * known), and the rules that comments silence (D3).
 */
export function linksOf(model: Model): readonly Link[] {
  return [...urls(model), ...silenced(model)].sort((a, b) => a.span.start - b.span.start);
}

function* urls({ document }: Model): Generator<Link> {
  const pending: JsonNode[] = document.root === undefined ? [] : [document.root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "object")
      for (const { value } of node.members) if (value !== undefined) pending.push(value);
    if (node.kind === "array") for (const item of node.items) pending.push(item);
    if (node.kind !== "string" || !/^https?:\/\/[^\s$]+$/i.test(node.value) || !URL.canParse(node.value))
      continue;
    yield {
      span: spanOf(document, { node, from: 0, to: node.value.length }),
      url: new URL(node.value).href,
    };
  }
}

function* silenced({ document, suppressions }: Model): Generator<Link> {
  for (const { node, rules } of suppressions)
    for (const { id, from, to } of rules)
      if (ruleById(id) !== undefined) yield { span: spanOf(document, { node, from, to }), rule: id };
}
