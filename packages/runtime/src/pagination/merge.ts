import type { Json } from "@configc/jq";
import { isObject, jsonText, setOwn } from "../json.ts";

/**
 * The bodies of all pages as one (D22): objects merge recursively, arrays at equal paths are concatenated unless they are
 * equal on every page, other values come from the last page.
 */
export class MergedPages {
  #root: Merged | undefined;
  #pages = 0;

  /** @returns the arrays of this page that aren't the same on every page: what the page brought */
  add(body: Json): readonly (readonly Json[])[] {
    this.#pages++;
    const brought: (readonly Json[])[] = [];
    this.#root = merge(this.#root, body, this.#pages, brought, 0);
    return brought;
  }

  body(): Json {
    return this.#root === undefined ? null : plain(this.#root, this.#pages);
  }
}

/** Objects nested deeper than this are taken from the last page as they are. */
const DEEPEST = 200;

type Merged =
  | { readonly kind: "object"; readonly members: Map<string, Merged> }
  | {
      readonly kind: "array";
      readonly items: Json[];
      readonly first: readonly Json[];
      /** Text of `first`, made when there is a second page. */
      text: string | undefined;
      /** How many pages had exactly this array, counted while all did. */
      same: number;
    }
  | { readonly kind: "value"; readonly value: Json };

function merge(
  old: Merged | undefined,
  value: Json,
  page: number,
  brought: (readonly Json[])[],
  depth: number,
): Merged {
  if (Array.isArray(value)) return mergeArray(old, value, page, brought);
  if (isObject(value) && depth < DEEPEST) {
    const members = old?.kind === "object" ? old.members : new Map<string, Merged>();
    for (const [name, inner] of Object.entries(value))
      members.set(name, merge(members.get(name), inner, page, brought, depth + 1));
    return { kind: "object", members };
  }
  // A last page may say `null` for a list without items: what was read before isn't lost by that.
  if (value === null && old !== undefined && hasItems(old)) return old;
  return { kind: "value", value };
}

function mergeArray(
  old: Merged | undefined,
  value: readonly Json[],
  page: number,
  brought: (readonly Json[])[],
): Merged {
  if (old?.kind !== "array") {
    brought.push(value);
    return { kind: "array", items: [...value], first: value, text: undefined, same: page === 1 ? 1 : 0 };
  }
  const isSame = old.same === page - 1 && sameAsFirst(old, value);
  if (isSame) old.same = page;
  else brought.push(value);
  for (const item of value) old.items.push(item);
  return old;
}

function sameAsFirst(old: Merged & { kind: "array" }, value: readonly Json[]): boolean {
  if (old.first.length !== value.length) return false;
  old.text ??= signature(old.first);
  return old.text !== undefined && old.text === signature(value);
}

/** A text that equal values share; undefined for one that is nested too deeply to be compared. */
export function signature(value: Json): string | undefined {
  try {
    return jsonText(value);
  } catch {
    return undefined;
  }
}

function hasItems(merged: Merged): boolean {
  if (merged.kind === "array") return true;
  return merged.kind === "object" && [...merged.members.values()].some(hasItems);
}

function plain(merged: Merged, pages: number): Json {
  switch (merged.kind) {
    case "value":
      return merged.value;
    case "array":
      return merged.same === pages ? merged.first : merged.items;
    case "object": {
      const object: Record<string, Json> = {};
      for (const [name, inner] of merged.members) setOwn(object, name, plain(inner, pages));
      return object;
    }
  }
}
