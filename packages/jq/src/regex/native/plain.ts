import { canBeEmpty } from "../syntax/emptiness.ts";
import type { Assertion, Node } from "../syntax/tree.ts";
import { plainFolded, plainSet } from "./case.ts";
import { Declined } from "./declined.ts";
import type { Plain, PlainAssertion } from "./plain-tree.ts";

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
      throw new Declined("an atomic group");
    case "backreference":
      throw new Declined("a reference to what was captured");
    case "call":
      throw new Declined("a call of a group");
    case "condition":
      throw new Declined("a condition");
    case "absence":
      throw new Declined("an absence operator");
    case "keep":
      throw new Declined("\\K");
    case "grapheme":
      throw new Declined("\\X");
  }
}

function repeat({ min, max, mode, body }: Extract<Node, { kind: "repeat" }>): Plain {
  const round = plain(body);
  if (mode === "possessive") throw new Declined("a possessive quantifier");
  // JavaScript takes back a round that matched nothing, with what it captured.
  if (canBeEmpty(body)) throw new Declined("a repeated part that may match nothing");
  if (max === 0 && hasGroup(body)) throw new Declined("a group that is repeated zero times");
  // JavaScript forgets at each round what groups captured in the round before.
  if (max > 1 && !capturesAlike(body)) throw new Declined("a group that not every round of a loop captures");
  return { kind: "repeat", min, max, lazy: mode === "lazy", body: round };
}

function look({ behind, negate, body }: Extract<Node, { kind: "look" }>): Plain {
  // JavaScript matches backwards there: groups capture something else.
  if (behind && hasGroup(body)) throw new Declined("a group in a look-behind");
  return { kind: "look", behind, negate, body: plain(body) };
}

function assertion(what: Assertion): PlainAssertion {
  if (what === "search-start") throw new Declined("\\G");
  if (what === "grapheme-boundary" || what === "no-grapheme-boundary")
    throw new Declined("a boundary of graphemes");
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
