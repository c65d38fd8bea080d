import { type Node, RegexError } from "./tree.ts";

interface Length {
  readonly min: number;
  readonly max: number;
}

/**
 * What jq's Oniguruma takes behind `(?<=` and `(?<!`: a body that always has the same length. A repeated character at its
 * beginning counts as often as it must be there, which makes no difference to what is found.
 *
 * @throws RegexError
 */
export function lookBehind(body: Node, negate: boolean): Node {
  if (isForbidden(body, negate)) throw invalid();
  const reduced =
    body.kind === "alternatives"
      ? { kind: body.kind, items: body.items.map(withoutLeadingRun) }
      : withoutLeadingRun(body);
  const { min, max } = lengthOf(reduced);
  // It may always match nothing.
  if (min === 0 && (max > 0 || reduced.kind === "empty") && !contains(reduced, "group"))
    return { kind: negate ? "never" : "empty" };
  if (min !== max) throw invalid();
  return { kind: "look", behind: true, negate, length: min, body: reduced };
}

function invalid(): RegexError {
  return new RegexError("invalid pattern in look-behind");
}

function isForbidden(node: Node, negate: boolean): boolean {
  switch (node.kind) {
    case "look":
      return !node.behind || (node.negate && !negate) || isForbidden(node.body, negate);
    case "assertion":
      return node.what === "text-end" || node.what === "text-end-or-newline" || node.what === "line-end";
    case "group":
      return negate || isForbidden(node.body, negate);
    case "sequence":
    case "alternatives":
      return node.items.some((item) => isForbidden(item, negate));
    case "repeat":
    case "atomic":
      return isForbidden(node.body, negate);
    default:
      return false;
  }
}

function withoutLeadingRun(node: Node): Node {
  if (node.kind === "sequence") {
    const [first, ...rest] = node.items;
    if (first === undefined) return node;
    const reduced = withoutLeadingRun(first);
    if (reduced.kind === "empty")
      return rest.length === 0 ? reduced : withoutLeadingRun({ kind: "sequence", items: rest });
    return { kind: "sequence", items: [reduced, ...rest] };
  }
  const isRun = node.kind === "repeat" && node.mode !== "possessive" && isPlain(node.body);
  if (!isRun) return node;
  return node.min === 0 ? { kind: "empty" } : { ...node, max: node.min };
}

function isPlain(node: Node): boolean {
  switch (node.kind) {
    case "character":
    case "folded":
    case "set":
    case "backreference":
      return true;
    case "sequence":
      return node.items.every((item) => item.kind === "character" || item.kind === "folded");
    default:
      return false;
  }
}

/** In characters. What isn't known has no greatest length. */
function lengthOf(node: Node): Length {
  switch (node.kind) {
    case "character":
    case "set":
      return { min: 1, max: 1 };
    case "folded":
      return { min: node.codes.length, max: node.codes.length };
    case "sequence":
      return node.items
        .map(lengthOf)
        .reduce((sum, each) => ({ min: sum.min + each.min, max: sum.max + each.max }), {
          min: 0,
          max: 0,
        });
    case "alternatives": {
      const lengths = node.items.map(lengthOf);
      return {
        min: Math.min(...lengths.map((each) => each.min)),
        max: Math.max(...lengths.map((each) => each.max)),
      };
    }
    case "group":
    case "atomic":
      return lengthOf(node.body);
    case "repeat": {
      const { min, max } = lengthOf(node.body);
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max };
    }
    case "empty":
    case "never":
    case "look":
    case "assertion":
    case "keep":
      return { min: 0, max: 0 };
    case "backreference":
      return lengthOf(node.target ?? { kind: "grapheme" });
    case "grapheme":
      return { min: 1, max: Number.POSITIVE_INFINITY };
    default:
      return { min: 0, max: Number.POSITIVE_INFINITY };
  }
}

function contains(node: Node, kind: Node["kind"]): boolean {
  if (node.kind === kind) return true;
  if ("items" in node) return node.items.some((item) => contains(item, kind));
  return "body" in node && contains(node.body, kind);
}
