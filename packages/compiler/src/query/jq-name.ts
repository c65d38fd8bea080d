import { keyText } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import type { Occurrence } from "./occurrence.ts";

/**
 * A name of a member in a jq program, so that a new one can be written in its place: `.a`, `."a"`, `["a"]`, `{a: …}` or
 * `{"a": …}`. One that is no identifier needs quotes.
 *
 * @param from of the name itself, without quotes around it; offsets in the decoded string
 */
export function jqName(node: StringNode, from: number, to: number): Occurrence {
  const quoted = node.value[from - 1] === '"' && node.value[to] === '"';
  return { node, from, to, rewrite: quoted ? insideQuotes : keyText };
}

/** The short `{a}`: its value keeps the old name. */
export function jqShorthand(node: StringNode, from: number, to: number): Occurrence {
  const old = node.value.slice(from, to);
  return { node, from, to, rewrite: (name) => `${keyText(name)}: .${old}` };
}

/** Where a program reads it: `.a`, or the short `{a}`, whose key stays. */
export function jqRead(node: StringNode, from: number, to: number): Occurrence {
  const before = node.value.slice(0, from).trimEnd().at(-1);
  if (before !== "{" && before !== ",") return jqName(node, from, to);
  const old = node.value.slice(from, to);
  return { node, from, to, rewrite: (name) => `${old}: .${keyText(name)}` };
}

/** A text as it stands inside the quotes of a string. */
export function insideQuotes(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
