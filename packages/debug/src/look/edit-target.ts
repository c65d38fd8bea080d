import type { Json } from "@configc/runtime";
import type { EditableRoot } from "../run/edit.ts";

/** What a person may put another value into: where a value comes from, and the way to the part that is meant. */
export interface EditTarget {
  readonly kind: "input" | "output" | "answer" | "root";
  /** The event that tells it. */
  readonly event: number;
  readonly root?: EditableRoot;
  readonly path: readonly (string | number)[];
}

/** A copy of a value with another one at a path. @throws Error where the path leads nowhere */
export function withValueAt(whole: Json, path: readonly (string | number)[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(whole)) {
    const items = [...(whole as readonly Json[])];
    items[Number(key)] = withValueAt(items[Number(key)] ?? null, rest, value);
    return items;
  }
  if (typeof whole !== "object" || whole === null) throw new Error(`There is no \`${key}\` in it.`);
  const members = Object.entries(whole as Readonly<Record<string, Json>>);
  const inner = members.find(([name]) => name === key)?.[1] ?? null;
  const changed = withValueAt(inner, rest, value);
  const result = members.map(([name, member]): [string, Json] => [name, name === key ? changed : member]);
  if (!members.some(([name]) => name === key)) result.push([String(key), changed]);
  return Object.fromEntries(result);
}
