import { nameOfToken, nearest } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";

/** A node that a person named, or why there is none. */
export type FoundNode =
  | { readonly node: JsonNode }
  /** `written` is the part that names nothing, `candidates` what could stand there. */
  | {
      readonly problem: "not-found" | "bad-syntax";
      readonly written: string;
      readonly candidates: readonly string[];
      readonly suggestion: string | undefined;
    };

/**
 * Finds a node by JSON Pointer (`/workflows/0/setup`) or by a dotted path of names
 * (`workflows.NAME.setup.connect.describe_connection`, `data_intake."requester.created".create`): an item of a list is called
 * by its `name`, its `id`, or its index. A name with dots is quoted; unquoted, the longest declared name wins (`design.md`,
 * "CLI").
 */
export function findNode({ document }: Model, path: string): FoundNode {
  const { root } = document;
  if (root === undefined) return notFound(path, []);
  return path === "" || path.startsWith("/") ? byPointer(root, path) : byNames(root, path);
}

function byPointer(root: JsonNode, path: string): FoundNode {
  let node = root;
  for (const segment of path.split("/").slice(1)) {
    const name = nameOfToken(segment);
    const inner = child(node, name, false);
    if (inner === undefined) return notFound(name, names(node, false));
    node = inner;
  }
  return { node };
}

function byNames(root: JsonNode, path: string): FoundNode {
  let node = root;
  let rest = path;
  while (rest !== "") {
    const quoted = /^"((?:[^"\\]|\\.)*)"(?:\.|$)/.exec(rest);
    if (quoted === null && rest.startsWith('"'))
      return { problem: "bad-syntax", written: rest, candidates: [], suggestion: undefined };
    const known = names(node, true);
    const name = quoted === null ? longest(known, rest) : (JSON.parse(`"${quoted[1]}"`) as string);
    const inner = name === undefined ? undefined : child(node, name, true);
    if (name === undefined || inner === undefined) return notFound(name ?? firstSegment(rest), known);
    rest = rest.slice(quoted?.[0].length ?? name.length + 1);
    node = inner;
  }
  return { node };
}

function longest(known: readonly string[], rest: string): string | undefined {
  const fitting = known.filter((name) => rest === name || rest.startsWith(`${name}.`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function firstSegment(rest: string): string {
  return rest.split(".", 1)[0]!;
}

/** How the children of a node are called; items by name too, if `called`. */
function names(node: JsonNode, called: boolean): string[] {
  if (node.kind === "object") return node.members.map(({ name }) => name);
  if (node.kind !== "array") return [];
  return node.items.flatMap((item, index) => {
    const own = called ? nameOf(item) : undefined;
    return own === undefined ? [`${index}`] : [own, `${index}`];
  });
}

function child(node: JsonNode, name: string, called: boolean): JsonNode | undefined {
  if (node.kind === "object") return node.get(name);
  if (node.kind !== "array") return undefined;
  const item = called ? node.items.find((each) => nameOf(each) === name) : undefined;
  return item ?? (/^\d+$/.test(name) ? node.items[Number(name)] : undefined);
}

function nameOf(item: JsonNode): string | undefined {
  if (item.kind !== "object") return undefined;
  for (const member of ["name", "id"]) {
    const value = item.get(member);
    if (value?.kind === "string") return value.value;
  }
  return undefined;
}

function notFound(written: string, candidates: readonly string[]): FoundNode {
  // An item's name says more than its index.
  const called = candidates.filter((name) => !/^\d+$/.test(name));
  const shown = called.length > 0 ? called : candidates;
  return { problem: "not-found", written, candidates: shown, suggestion: nearest(written, shown) };
}
