import type { Json } from "@configc/jq";
import { isIdentifier } from "@configc/jq/internal";

/** What values look like, as far as a document or an example tells: less than a JSON Schema, and all that guessing needs. */
export type Shape =
  | {
      readonly kind: "object";
      readonly members: ReadonlyMap<string, Shape>;
      readonly required: ReadonlySet<string>;
    }
  | { readonly kind: "array"; readonly items: Shape }
  | {
      readonly kind: "string";
      readonly format?: string;
      readonly enum?: readonly string[];
      readonly about: string;
    }
  | { readonly kind: "number"; readonly about: string }
  | { readonly kind: "boolean" }
  | { readonly kind: "unknown" };

export const unknown: Shape = { kind: "unknown" };

/** The shape of an object. */
export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** The shape of a value that was seen. */
export function shapeOf(value: Json): Shape {
  if (typeof value === "string") return { kind: "string", about: "", ...formatOf(value) };
  if (typeof value === "number") return { kind: "number", about: "" };
  if (typeof value === "boolean") return { kind: "boolean" };
  if (Array.isArray(value))
    return { kind: "array", items: value.length === 0 ? unknown : shapeOf(value[0] as Json) };
  if (value === null || typeof value !== "object") return unknown;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return {
    kind: "object",
    members: new Map(members.map(([name, member]) => [name, shapeOf(member)])),
    // One example doesn't tell what has to be there.
    required: new Set(),
  };
}

function formatOf(text: string): { readonly format?: string } {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return { format: "date-time" };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { format: "date" };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return { format: "email" };
  if (/^https?:\/\//.test(text)) return { format: "uri" };
  return {};
}

/** A place in a value, from its root. */
export type Path = readonly string[];

/** A path as jq writes it: `.data.items`, `.["odd name"]`; the root is `.`. */
export function jqPath(path: Path): string {
  const text = path.map((name) => (isIdentifier(name) ? `.${name}` : `.[${JSON.stringify(name)}]`)).join("");
  return text === "" ? "." : text.replace(/^\.?\[/, ".[");
}

/** Everything in objects of a shape, the nearest first, three levels deep; what lists hold is left out. */
export function* membersOf(
  shape: Shape,
  depth = 3,
): Generator<{ readonly path: Path; readonly shape: Shape }> {
  let level: { path: Path; shape: Shape }[] = [{ path: [], shape }];
  for (let each = 0; each < depth; each++) {
    const next: { path: Path; shape: Shape }[] = [];
    for (const { path, shape: owner } of level) {
      if (owner.kind !== "object") continue;
      for (const [name, member] of owner.members) next.push({ path: [...path, name], shape: member });
    }
    yield* next;
    level = next;
  }
}
