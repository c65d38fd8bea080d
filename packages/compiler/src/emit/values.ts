import type { BoundTemplate } from "../bind/bound-nodes.ts";
import { isRootName } from "../language/expansion-names.ts";
import { spanOf } from "../parse/document.ts";
import type { JsonNode, ObjectNode, Span, StringNode } from "../parse/syntax-tree.ts";
import { type ExpansionSyntax, parseTemplate } from "../parse/template.ts";
import type { AppExpansion, AppTemplate, AppValue } from "./app.ts";
import type { EmitContext } from "./context.ts";

/** A value with its expansions. What has none in it, at any depth, is one literal. Nesting is capped by the parser. */
export function emitValue(node: JsonNode, context: EmitContext): AppValue {
  switch (node.kind) {
    case "string": {
      const template = emitTemplate(node, context);
      return isLiteral(template) ? { literal: textOf(template) } : { template };
    }
    case "array": {
      const items = node.items.map((item) => emitValue(item, context));
      return items.every(isLiteralValue) ? { literal: items.map(({ literal }) => literal) } : { items };
    }
    case "object":
      return emitMembers(membersOf(node), context);
    default:
      return { literal: node.value };
  }
}

/** The value of a member, if it is an object. */
export function objectAt(node: ObjectNode | undefined, name: string): ObjectNode | undefined {
  const value = node?.get(name);
  return value?.kind === "object" ? value : undefined;
}

export interface Entry {
  readonly key: StringNode;
  readonly value: JsonNode;
}

/** The members that count: with a value, and the first of their name. */
export function membersOf(node: ObjectNode): Entry[] {
  const entries: Entry[] = [];
  for (const { key, value, repeated } of node.members)
    if (value !== undefined && !repeated) entries.push({ key, value });
  return entries;
}

/** An object of these members. */
export function emitMembers(entries: readonly Entry[], context: EmitContext): AppValue {
  const members = entries.map(({ key, value }) => ({
    key: emitTemplate(key, context),
    value: emitValue(value, context),
  }));
  const literals = members.map(({ key, value }) =>
    isLiteral(key) && isLiteralValue(value) ? ([textOf(key), value.literal] as const) : undefined,
  );
  return literals.every((literal) => literal !== undefined)
    ? { literal: Object.fromEntries(literals) }
    : { members };
}

/** A string as text and expansions by turns; one that isn't expanded is its text alone. */
export function emitTemplate(node: StringNode, context: EmitContext): AppTemplate {
  const bound = context.templates.get(node);
  return bound === undefined || bound.position === "jq" ? [node.value] : pieces(bound, context);
}

/** D6: of `$${` that writes a literal `${`, the first `$` is left out. */
function pieces({ node, template, expansions }: BoundTemplate, context: EmitContext): AppTemplate {
  const result: (string | AppExpansion)[] = [];
  let text = "";
  let at = 0;
  const stops = [
    ...template.doubledDollars.filter(({ literal }) => literal),
    ...expansions.map(({ syntax }) => syntax),
  ].sort((a, b) => a.start - b.start);
  for (const stop of stops) {
    text += template.text.slice(at, stop.start);
    at = stop.end;
    if (!("path" in stop)) continue;
    if (text !== "") result.push(text);
    text = "";
    const { start, end } = spanOf(context.document, { node, from: stop.start, to: stop.end });
    result.push({ ...emitExpansion(stop), span: { start, end } });
  }
  text += template.text.slice(at);
  if (text !== "") result.push(text);
  return result;
}

/** Path as written, and what `| default` gives (D7). */
export function emitExpansion({ path, filters }: ExpansionSyntax): Omit<AppExpansion, "span"> {
  const filter = filters.find(({ name }) => name === "default");
  return {
    path: path.map(({ text }) => text),
    ...(filter === undefined ? {} : { default: filter.argument?.text ?? "" }),
  };
}

/**
 * The expansions of a text that stands in no config, with what each reads; those that can't be read are left out, and so are paths that
 * begin with no root.
 */
export function parseExpansions(text: string): (Omit<AppExpansion, "span"> & Span)[] {
  const { expansions = [] } = parseTemplate(text) ?? {};
  return expansions
    .filter(
      ({ problem, path: [root] }) => problem === undefined && root !== undefined && isRootName(root.text),
    )
    .map((syntax) => ({ ...emitExpansion(syntax), start: syntax.start, end: syntax.end }));
}

function isLiteral(template: AppTemplate): template is readonly string[] {
  return template.every((piece) => typeof piece === "string");
}

function textOf(template: readonly string[]): string {
  return template.join("");
}

function isLiteralValue(value: AppValue): value is { readonly literal: unknown } {
  return "literal" in value;
}
