import type { Expression, Pattern } from "@configc/jq";
import { nameOf } from "../literal-object.ts";
import { bare } from "../nodes.ts";
import { stepsOf } from "../value-path.ts";
import { entriesOf, isKind, itemsOf, memberOf, resolved, SIGNATURE, UNKNOWN, type Value } from "./value.ts";

/** Whether a value is no list and no object. */
export const hasNoItems = (value: Value): boolean => value === null || typeof value !== "object";

/** The names in `.a.b`, and in `.[$name]`. */
export function memberPath(
  target: Expression,
  nameOf: (name: Expression) => Value,
): readonly string[] | undefined {
  const path = bare(target);
  const [suffix, ...others] = path.kind === "Postfix" ? path.suffixes : [];
  if (path.kind === "Postfix" && path.head.kind === "Identity" && suffix?.kind === "Index") {
    const name = resolved(nameOf(suffix.index));
    return others.length === 0 && typeof name === "string" ? [name] : undefined;
  }
  const isMember =
    path.kind === "Postfix" &&
    path.head.kind === "Identity" &&
    path.suffixes.every(({ kind }) => kind === "Field");
  return isMember ? stepsOf(path.suffixes) : undefined;
}

/** The item of a value at an index. */
export function itemAt(value: Value, index: number): Value {
  const items = itemsOf(value);
  if (items !== undefined) return items.at(index) ?? null;
  const entries = entriesOf(value);
  if (entries?.length === 1) return entries[0]!;
  const fields = entries?.map((entry) => (isKind(entry, "text") ? entry.field : undefined));
  if (fields?.every((field) => field !== undefined))
    return { kind: "text", of: [], label: undefined, isOther: false, partOf: new Map(fields) };
  return isKind(value, "part") ? { ...value, path: [...value.path, "[]"] } : UNKNOWN;
}

/** A part of a text or list; of a text of which only is known what it is made of, from some place on. */
export function sliced(value: Value, from: Value | undefined, to: Value | undefined): Value {
  const isConstant = [from, to].every((each) => each === undefined || typeof each === "number");
  if (!isConstant) return UNKNOWN;
  const [start, end] = [from, to] as [number | undefined, number | undefined];
  if (typeof value === "string") return value.slice(start, end);
  if (isKind(value, "list")) return { kind: "list", items: value.items.slice(start, end) };
  if (!isKind(value, "text") || start === undefined || end !== undefined) return UNKNOWN;
  const { field, before = "", isWhole, label } = value;
  if (field !== undefined) return start === field[0].length + 1 ? field[1] : UNKNOWN;
  if (before.length >= start && start >= 0) return { ...value, before: before.slice(start) };
  return isWhole || label !== SIGNATURE ? UNKNOWN : value;
}

/** Gives the variables of a pattern what they are of a value. */
export function bind(pattern: Pattern, value: Value, variables: Map<string, Value>): void {
  if (pattern.kind === "VariablePattern") variables.set(pattern.name, value);
  else if (pattern.kind === "ArrayPattern")
    for (const [index, item] of pattern.items.entries()) bind(item, itemAt(value, index), variables);
  else
    for (const { key, pattern: below } of pattern.entries) {
      const name = key.kind === "VariablePattern" ? key.name : nameOf(key);
      const member = name === undefined ? UNKNOWN : memberOf(value, name);
      if (key.kind === "VariablePattern") variables.set(key.name, member);
      if (below !== undefined) bind(below, member, variables);
    }
}
