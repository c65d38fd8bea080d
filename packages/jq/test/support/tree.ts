import type { Node, Span } from "../../src/index.ts";
import { children } from "../../src/index.ts";

/** A tree as an S-expression, with what children alone don't show. */
export function sexpr(node: Node): string {
  const label = labelOf(node);
  const below = children(node).map(sexpr);
  return below.length === 0 ? label : `(${[label, ...below].join(" ")})`;
}

function labelOf(node: Node): string {
  switch (node.kind) {
    case "Name":
      return node.text;
    case "Number":
      return node.text;
    case "StringText":
      return JSON.stringify(node.value);
    case "Format":
      return `@${node.name}`;
    case "Variable":
    case "VariablePattern":
      return `$${node.name}`;
    case "Parameter":
      return `${node.byValue ? "$" : ""}${node.name}`;
    case "Assignment":
    case "Comparison":
    case "Logical":
    case "ArithmeticOperand":
      return node.operator;
    case "Hole":
      return `hole${node.hole}`;
    case "Identity":
      return ".";
    case "RecurseDefault":
      return "..";
    case "Iterate":
      return "[]";
    case "Optional":
      return "?";
    case "If":
      return node.otherwise === undefined ? "If" : "IfElse";
    default:
      return node.kind;
  }
}

/** A tree without its spans, for comparison. */
export function withoutSpans(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSpans);
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).filter(
    ([key]) => !["start", "end", "operatorSpan", "line"].includes(key),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutSpans(value)]));
}

/** Takes the markers ⟦…⟧ out of a text and gives the spans that they enclose, in order of their openers. */
export function unmark(marked: string): { text: string; spans: Span[] } {
  const spans: { start: number; end: number }[] = [];
  const open: number[] = [];
  let text = "";
  for (const character of marked) {
    if (character === "⟦") {
      open.push(spans.length);
      spans.push({ start: text.length, end: text.length });
    } else if (character === "⟧") spans[open.pop()!]!.end = text.length;
    else text += character;
  }
  return { text, spans };
}

/** The expansions `${…}` of a text, found as the compiler finds them. */
export function holesOf(text: string): Span[] {
  return [...text.matchAll(/\$\{[^}]*\}/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
