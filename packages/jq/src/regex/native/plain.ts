import { canBeEmpty } from "../syntax/emptiness.ts";
import type { Assertion, Node } from "../syntax/tree.ts";
import { plainFolded, plainSet } from "./case.ts";
import type { Plain, PlainAssertion } from "./plain-tree.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

/** @throws Declined if a part means something else in JavaScript, or nothing */
export function plain(node: Node): Plain {
  switch (node.kind) {
    case "empty":
      return { kind: "sequence", items: [] };
    case "never":
      return node;
    case "character":
      return { kind: "set", set: { kind: "range", from: node.code, to: node.code } };
    case "set":
      return { kind: "set", set: plainSet(node.set) };
    case "folded":
      return plainFolded(node.codes);
    case "sequence":
    case "alternatives":
      return { kind: node.kind, items: node.items.map(plain) };
    case "group":
      return { ...node, body: plain(node.body) };
    case "repeat":
      return repeat(node);
    case "look":
      return look(node);
    case "assertion":
      return { kind: "assertion", what: assertion(node.what) };
    case "atomic":
      throw new UnsupportedPattern("an atomic group");
    case "backreference":
      throw new UnsupportedPattern("a reference to what was captured");
    case "call":
      throw new UnsupportedPattern("a call of a group");
    case "condition":
      throw new UnsupportedPattern("a condition");
    case "absence":
      throw new UnsupportedPattern("an absence operator");
    case "keep":
      throw new UnsupportedPattern("\\K");
    case "grapheme":
      throw new UnsupportedPattern("\\X");
  }
}

function repeat({ min, max, mode, body }: Extract<Node, { kind: "repeat" }>): Plain {
  const round = plain(body);
  if (mode === "possessive") throw new UnsupportedPattern("a possessive quantifier");
  // JavaScript takes back a round that matched nothing, with what it captured.
  if (canBeEmpty(body)) throw new UnsupportedPattern("a repeated part that may match nothing");
  if (max === 0 && hasGroup(body)) throw new UnsupportedPattern("a group that is repeated zero times");
  // JavaScript forgets at each round what groups captured in the round before.
  if (max > 1 && !capturesAlike(body))
    throw new UnsupportedPattern("a group that not every round of a loop captures");
  return { kind: "repeat", min, max, lazy: mode === "lazy", body: round };
}

function look({ behind, negate, body }: Extract<Node, { kind: "look" }>): Plain {
  // JavaScript matches backwards there: groups capture something else.
  if (behind && hasGroup(body)) throw new UnsupportedPattern("a group in a look-behind");
  return { kind: "look", behind, negate, body: plain(body) };
}

function assertion(what: Assertion): PlainAssertion {
  if (what === "search-start") throw new UnsupportedPattern("\\G");
  if (what === "grapheme-boundary" || what === "no-grapheme-boundary")
    throw new UnsupportedPattern("a boundary of graphemes");
  return what;
}

/** Whether each round that matches a part captures all groups in it. */
function capturesAlike(node: Node): boolean {
  switch (node.kind) {
    case "sequence":
      return node.items.every(capturesAlike);
    case "repeat":
      return (node.min > 0 || !hasGroup(node.body)) && capturesAlike(node.body);
    case "group":
      return capturesAlike(node.body);
    case "alternatives":
    case "look":
      return !hasGroup(node);
    default:
      return true;
  }
}

function hasGroup(node: Node): boolean {
  if (node.kind === "group") return true;
  if ("items" in node) return node.items.some(hasGroup);
  return "body" in node && hasGroup(node.body);
}
