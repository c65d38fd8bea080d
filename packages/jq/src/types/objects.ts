import type { ObjectConstruction, ObjectEntry } from "../syntax-tree.ts";
import { readIndex } from "./access.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { shownType } from "./findings.ts";
import { combined, type Flow, failing, one } from "./flow.ts";
import { LONGEST_LITERAL, literal, type Member, never, object, partsOf, type Type, union } from "./type.ts";

/** `{…}`: an object for every combination of keys and values. */
export function construction(
  { entries }: ObjectConstruction,
  input: Type,
  scope: Scope,
  context: Context,
): Flow {
  const members = new Map<string, Member>();
  let rest: Type = never;
  const parts: Flow[] = [];
  for (const entry of entries) {
    // Most keys are plain names.
    if (entry.key.kind === "Name" && entry.key.text.length <= LONGEST_LITERAL) {
      const value =
        entry.value === undefined
          ? read(literal(entry.key.text), entry, input, context)
          : context.flow(entry.value, input, scope);
      parts.push(value);
      members.set(entry.key.text, { type: value.type, optional: false });
      continue;
    }
    const { key, value } = flowsOf(entry, input, scope, context);
    parts.push(checkedKey(entry, key, context), value);
    for (const name of inOrder(partsOf(key.type))) {
      if (name.kind === "string" && name.value !== undefined) {
        const isOnly = key.type === name;
        const before = members.get(name.value);
        const type = isOnly ? value.type : union(before?.type ?? never, value.type);
        members.set(name.value, { type, optional: !isOnly && (before?.optional ?? true) });
        continue;
      }
      // A computed key may be that of a member before it.
      rest = union(rest, value.type);
      for (const [other, { type, optional }] of members) {
        members.set(other, { type: union(type, value.type), optional });
      }
    }
  }
  return combined(object(members, rest), parts);
}

/** The constants of a union in an order that doesn't depend on what was inferred before. */
function inOrder(parts: readonly Type[]): readonly Type[] {
  const text = (part: Type): string => (part.kind === "string" ? (part.value ?? "") : "");
  return parts.length < 2 ? parts : [...parts].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

function checkedKey({ key: place }: ObjectEntry, key: Flow, { reports }: Context): Flow {
  if (key.type.kind === "never" || key.type.kind === "unknown") return key;
  if (partsOf(key.type).some(({ kind }) => kind === "string")) {
    reports.fine(place, "key-type");
    return key;
  }
  reports.wrong(place, place, "key-type", { found: shownType(key.type) });
  return key.cardinality === "one" ? failing : { ...key, type: never };
}

/** `{name}` reads the member of the input. */
function read(name: Type, { key }: ObjectEntry, input: Type, { reports }: Context): Flow {
  const { type } = readIndex(input, name, key, reports);
  return type.kind === "never" ? failing : one(type);
}

function flowsOf(
  entry: ObjectEntry,
  input: Type,
  scope: Scope,
  context: Context,
): { readonly key: Flow; readonly value: Flow } {
  const { key, value } = entry;
  switch (key.kind) {
    case "SourceLocation":
      return { key: one(literal("__loc__")), value: context.flow(key, input, scope) };
    case "Variable":
      if (value === undefined) return { key: one(literal(key.name)), value: context.flow(key, input, scope) };
      return { key: one(context.variable(key, scope)), value: context.flow(value, input, scope) };
    case "Name": {
      const name = literal(key.text);
      return {
        key: one(name),
        value: value === undefined ? read(name, entry, input, context) : context.flow(value, input, scope),
      };
    }
    default: {
      const name = context.flow(key, input, scope);
      return {
        key: name,
        value:
          value === undefined ? read(name.type, entry, input, context) : context.flow(value, input, scope),
      };
    }
  }
}
