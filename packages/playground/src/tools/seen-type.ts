import { ExactNumber, type Json, type Type, types } from "@configc/jq";

/** Values that are looked at; more of them rarely tell more. */
const MOST = 20_000;

/** The type of exactly these values: members that some of them lack are optional, and there are no others. */
export function seenType(values: readonly Json[]): Type {
  let left = MOST;
  const seen = (parts: readonly Json[]): Type => {
    left -= parts.length;
    if (left < 0) return types.unknown;
    const kinds = new Set<Type>();
    const items: Json[] = [];
    const objects: Readonly<Record<string, Json>>[] = [];
    let hasArray = false;
    for (const value of parts) {
      if (value === null) kinds.add(types.nullType);
      else if (typeof value === "boolean") kinds.add(types.boolean);
      else if (typeof value === "string") kinds.add(types.string);
      else if (typeof value === "number" || value instanceof ExactNumber) kinds.add(types.number);
      else if (Array.isArray(value)) {
        hasArray = true;
        for (const item of value as readonly Json[]) items.push(item);
      } else objects.push(value as Readonly<Record<string, Json>>);
    }
    const arrays = hasArray ? [types.array(items.length === 0 ? types.unknown : seen(items))] : [];
    return types.union(...kinds, ...arrays, ...(objects.length === 0 ? [] : [objectOf(objects, seen)]));
  };
  return seen(values);
}

function objectOf(
  objects: readonly Readonly<Record<string, Json>>[],
  seen: (values: readonly Json[]) => Type,
): Type {
  const members = new Map<string, Json[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      const values = members.get(name);
      if (values === undefined) members.set(name, [value]);
      else values.push(value);
    }
  }
  return types.object(
    [...members].map(([name, values]) => [
      name,
      { type: seen(values), optional: values.length < objects.length },
    ]),
  );
}
