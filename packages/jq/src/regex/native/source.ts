import { newline, word } from "../syntax/character-sets.ts";
import type { PlainSet } from "../syntax/tree.ts";
import type { Plain, PlainAssertion } from "./plain-tree.ts";

/** A pattern as JavaScript writes it, with the flag `v`, without `m`, `i` and `s`. */
export function sourceOf(node: Plain): string {
  switch (node.kind) {
    case "never":
      return "[]";
    case "set":
      return classOf(node.set);
    case "sequence":
      return node.items
        .map((item) => (item.kind === "alternatives" ? grouped(item) : sourceOf(item)))
        .join("");
    case "alternatives":
      return node.items.map(sourceOf).join("|");
    case "group":
      return `(${sourceOf(node.body)})`;
    case "repeat": {
      const { min, max, lazy, body } = node;
      const single = body.kind === "set" || body.kind === "group";
      return `${single ? sourceOf(body) : grouped(body)}${quantifier(min, max)}${lazy ? "?" : ""}`;
    }
    case "look":
      return `(?${node.behind ? "<" : ""}${node.negate ? "!" : "="}${sourceOf(node.body)})`;
    case "assertion":
      return assertions[node.what];
  }
}

function grouped(node: Plain): string {
  return `(?:${sourceOf(node)})`;
}

function quantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

/** A set as a class in brackets. */
export function classOf(set: PlainSet): string {
  return set.kind === "not" ? `[^${membersOf(set.of)}]` : `[${membersOf(set)}]`;
}

/** What stands between the brackets. */
function membersOf(set: PlainSet): string {
  switch (set.kind) {
    case "range": {
      const from = Math.max(0, set.from);
      if (set.to < from) return "";
      return set.to === from ? escaped(from) : `${escaped(from)}-${escaped(set.to)}`;
    }
    case "property":
      return set.source;
    case "union":
      return set.of.map(membersOf).join("");
    case "not":
      return classOf(set);
  }
}

function escaped(code: number): string {
  const character = String.fromCodePoint(code);
  return /[0-9A-Za-z]/.test(character) ? character : `\\u{${code.toString(16)}}`;
}

const w = classOf(word);
const n = classOf(newline);

/** JavaScript's own `\b` knows the words of ASCII only. */
const assertions: Readonly<Record<PlainAssertion, string>> = {
  "text-start": "^",
  "text-end": "$",
  "text-end-or-newline": `(?=${n}?$)`,
  "line-start": `(?:^|(?<=${n})(?!$))`,
  "line-end": `(?=${n}|$)`,
  "word-boundary": `(?:(?<=${w})(?!${w})|(?<!${w})(?=${w}))`,
  "no-word-boundary": `(?:(?<=${w})(?=${w})|(?<!${w})(?!${w}))`,
};
