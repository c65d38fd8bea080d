import { builtin, type Node as JqNode, resolve as resolveNames, walk } from "@configc/jq";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { derived, derivedFromText } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";

/** The meanings that parts of strings can have, named as the Language Server Protocol names them; the order is the legend's. */
export const tokenTypes = [
  "namespace",
  "property",
  "variable",
  "parameter",
  "function",
  "keyword",
  "string",
  "number",
  "operator",
  "type",
] as const;
/** One of `tokenTypes`, by its name. */
export type TokenType = (typeof tokenTypes)[number];

/** What is said of a token besides, named as the protocol does; each is a bit, in this order. */
export const tokenModifiers = ["declaration", "defaultLibrary"] as const;
/** One of `tokenModifiers`: it declares the name, or the name is jq's or the platform's own. */
export type TokenModifier = (typeof tokenModifiers)[number];

/** A part of the document with its meaning; offsets in UTF-16 units of the document. */
export interface SemanticToken {
  readonly start: number;
  readonly end: number;
  readonly type: TokenType;
  readonly modifier?: TokenModifier;
}

/** The meaning of parts of strings, in document order: expansions, and the names of jq programs. They never overlap. */
export const semanticTokens = derived((model: Model): readonly SemanticToken[] => {
  const found: SemanticToken[] = [];
  const inStrings = (node: Expansion["node"], parts: readonly Part[]) => {
    for (const { from, to, ...meaning } of parts) {
      if (to > from) found.push({ ...spanOf(model.document, { node, from, to }), ...meaning });
    }
  };
  for (const expansion of model.expansions) inStrings(expansion.node, expansionParts(expansion));
  for (const program of model.programs) inStrings(program.node, outsideHoles(program));
  found.sort((a, b) => a.start - b.start || a.end - b.end);
  return found.filter(({ start, end }, index) => start < end && start >= (found[index - 1]?.end ?? 0));
});

interface Part {
  readonly from: number;
  readonly to: number;
  readonly type: TokenType;
  readonly modifier?: TokenModifier;
}

function expansionParts({ syntax }: Expansion): Part[] {
  const path = syntax.path.map(({ start: from, end: to, bracketed, text }, index): Part => {
    if (index === 0) return { from, to, type: "namespace", modifier: "defaultLibrary" };
    return { from, to, type: bracketed || /^\d+$/.test(text) ? "number" : "property" };
  });
  const filters = syntax.filters.flatMap(({ nameSpan, argument }): Part[] => [
    { from: nameSpan.start, to: nameSpan.end, type: "keyword" },
    ...(argument === undefined ? [] : [{ from: argument.start, to: argument.end, type: "string" as const }]),
  ]);
  return [...path, ...filters];
}

function outsideHoles(program: JqProgram): readonly Part[] {
  const holes = program.holes.map(({ syntax }) => syntax);
  return partsOf(program).filter(({ from, to }) =>
    holes.every(({ start, end }) => to <= start || from >= end),
  );
}

const partsOf = derivedFromText((tree): readonly Part[] => {
  const parts: Part[] = [];
  const { functions, variables } = resolveNames(tree);
  walk(tree, {
    enter(node: JqNode) {
      const part = (from: number, to: number, type: TokenType, modifier?: TokenModifier) =>
        parts.push({ from, to, type, ...(modifier === undefined ? {} : { modifier }) });
      switch (node.kind) {
        case "Field":
          if (node.key.kind === "Name") part(node.key.start, node.key.end, "property");
          break;
        case "Entry":
          if (node.key.kind === "Name") part(node.key.start, node.key.end, "property");
          break;
        case "Variable":
          part(node.start, node.end, "variable", variables.has(node) ? undefined : "defaultLibrary");
          break;
        case "VariablePattern":
          part(node.start, node.end, "variable", "declaration");
          break;
        case "Parameter":
          part(node.start, node.end, "parameter", "declaration");
          break;
        case "Call": {
          const isBuiltin =
            !functions.has(node) && builtin(node.name.text, node.arguments.length) !== undefined;
          part(node.name.start, node.name.end, "function", isBuiltin ? "defaultLibrary" : undefined);
          break;
        }
        case "Definition":
          part(node.name.start, node.name.end, "function", "declaration");
          break;
        case "Number":
          part(node.start, node.end, "number");
          break;
        case "StringText":
          part(node.start, node.end, "string");
          break;
      }
      return undefined;
    },
  });
  return parts;
});
