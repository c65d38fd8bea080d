import { type Member, type Type, types } from "@configc/jq";
import { type Shape, seen } from "./shape.ts";

/** So many objects have to be seen … */
const ENOUGH_OBJECTS = 10;
/** … in so many responses, since those of one response are of one customer at one moment. */
const ENOUGH_RESPONSES = 2;

/**
 * Whether enough objects were seen to say that there are no other members. A member that a quarter of all objects has is missed
 * by ten of them with a chance of 6 %. And while some member was seen once only, others are to be expected: by Good and
 * Turing the chance that the next object has a new one is the share of those that were seen once.
 */
export function isClosed(shape: Shape): boolean {
  if (shape.objects < ENOUGH_OBJECTS || shape.objectsIn.size < ENOUGH_RESPONSES) return false;
  if (shape.members.size === 0) return false;
  for (const [name, member] of shape.members) if (seen(member) < 2 || isKey(name)) return false;
  return true;
}

/** Names that are data: numbers, UUIDs, hashes, dates. Another response has others. */
const KEY =
  /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=[a-f]*\d)[\da-f]{16,}(?:_\w+)?|\d{4}-\d\d-\d\d.*)$/i;

function isKey(name: string): boolean {
  return KEY.test(name);
}

/**
 * The type of what was seen. Values stand for their kind: that a text was always the same says little. Of what was only ever
 * `null`, or an empty list, nothing is known.
 *
 * Objects stay open however many were seen: samples can't prove that a member is never there, and a `null` that only seems
 * certain would be an error wherever it flows to. What enough evidence is good for is a finding at the place where an unseen
 * member is read (`isClosed`).
 */
export function learnedType(shape: Shape | undefined): Type {
  if (shape === undefined) return types.unknown;
  const parts: Type[] = [];
  if (shape.booleans > 0) parts.push(types.boolean);
  if (shape.numbers > 0) parts.push(types.number);
  if (shape.strings > 0) parts.push(types.string);
  if (shape.arrays > 0) parts.push(types.array(learnedType(shape.items)));
  if (shape.objects > 0) parts.push(objectType(shape));
  if (parts.length === 0) return types.unknown;
  return types.union(...parts, ...(shape.nulls > 0 ? [types.nullType] : []));
}

function objectType(shape: Shape): Type {
  const named: [string, Member][] = [];
  const values: Type[] = [];
  for (const [name, member] of shape.members) {
    const type = learnedType(member);
    if (isKey(name)) values.push(type);
    else named.push([name, { type, optional: seen(member) < shape.objects }]);
  }
  const isDictionary = named.length === 0 && values.length > 0;
  return types.object(named, isDictionary ? types.union(...values) : types.unknown);
}
