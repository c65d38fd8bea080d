import type { Json } from "@configc/jq";

/** Where a value of the outside comes in. */
export type Root =
  /** The answer to a request of the run, by its index among the exchanges. */
  | { readonly kind: "response"; readonly exchange: number }
  /** `polling_state` as it was before the command. */
  | { readonly kind: "state" }
  /** What `!save` kept, below its scope. */
  | { readonly kind: "data" }
  /** What the customer chose. */
  | { readonly kind: "form" }
  /** What a pipeline or a webhook's command is given. */
  | { readonly kind: "input" }
  /** What a platform resource gives. */
  | { readonly kind: "resource" }
  | { readonly kind: "webhook" }
  /** Headers and query of a request to a webhook. */
  | { readonly kind: "headers" }
  | { readonly kind: "query" }
  /** Its body, as the text that it is. */
  | { readonly kind: "raw" }
  /** What `!sha` gives. */
  | { readonly kind: "hash" }
  | { readonly kind: "clock" };

/** Names of members; `[]` stands for each item of a list. */
export type Path = readonly string[];

/** What a program makes of a value beyond passing it on. */
export type Operation = "number" | "text" | "boolean" | "length" | "time" | "sum" | "other";

/**
 * What is known of a value before the app runs: where it comes from, and what it is made of. As in an abstract interpreter, but
 * without a lattice: an expression is walked once, so values stay finite.
 */
export type Value =
  | { readonly kind: "place"; readonly root: Root; readonly path: Path }
  | { readonly kind: "literal"; readonly value: Json }
  /** `base` gives the members that `members` doesn't have. */
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Value>; readonly base?: Value }
  /** Keyed: an object whose members are all alike, as `INDEX` makes one. */
  | { readonly kind: "list"; readonly item: Value; readonly isKeyed?: true }
  /** One of several, as a condition decides. */
  | { readonly kind: "choice"; readonly of: readonly Value[] }
  | { readonly kind: "made"; readonly by: Operation; readonly of: readonly Value[] };

/** A value of the outside, or a literal, of which another one is made. */
export type Atom = Extract<Value, { kind: "place" | "literal" }>;

export const nothing: Value = { kind: "literal", value: null };

export function literal(value: Json): Value {
  return { kind: "literal", value };
}

export function made(by: Operation, ...of: readonly Value[]): Value {
  return { kind: "made", by, of };
}

/** One of some values; the only one, if they are one. */
export function choice(of: readonly Value[]): Value {
  const flat = of.flatMap((each) => (each.kind === "choice" ? each.of : [each]));
  return flat.length === 1 ? flat[0]! : { kind: "choice", of: flat.slice(0, WIDEST) };
}

/** Alternatives that are told apart: nested conditions would multiply them. */
const WIDEST = 64;

/** All that a value is made of, in the order in which it is written. */
export function atomsOf(value: Value): readonly Atom[] {
  const atoms: Atom[] = [];
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (atoms.length >= MOST_ATOMS) break;
    switch (next.kind) {
      case "place":
      case "literal":
        atoms.push(next);
        break;
      case "object":
        if (next.base !== undefined) pending.push(next.base);
        pending.push(...[...next.members.values()].reverse());
        break;
      case "list":
        pending.push(next.item);
        break;
      default:
        pending.push(...[...next.of].reverse());
    }
  }
  return atoms;
}

/** More make no difference to what a value is taken for. */
const MOST_ATOMS = 512;

export function isPlaceOf<K extends Root["kind"]>(
  value: Value,
  kind: K,
): value is Extract<Value, { kind: "place" }> & { readonly root: Extract<Root, { kind: K }> } {
  return value.kind === "place" && value.root.kind === kind;
}
