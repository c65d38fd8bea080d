import type { ObjectShape, Shape } from "../shape.ts";
import { emailOf } from "./lists.ts";

/** Where a record stands in the body that takes it. */
export interface Placement {
  readonly record: ObjectShape;
  /** The member that holds it: `{contact: {…}}`, `{contacts: [{…}]}`. */
  readonly wrapper: string | undefined;
  /** Whether it stands in a list, alone: `[{…}]`. */
  readonly isList: boolean;
  /** The body, where it has to have more than the record: `{action: "create", contact: {…}}`. */
  readonly outer?: ObjectShape;
}

/** @returns undefined where a body holds no record that could be filled in */
export function placementIn(body: Shape): Placement | undefined {
  if (body.kind === "array")
    return body.items.kind === "object" && body.items.members.size > 0
      ? { record: body.items, wrapper: undefined, isList: true }
      : undefined;
  if (body.kind !== "object" || body.members.size === 0) return undefined;
  const inner = wrapped(body);
  if (inner !== body) return { record: inner, wrapper: [...body.members.keys()][0], isList: false };
  return peopleBelow(body) ?? { record: body, wrapper: undefined, isList: false };
}

/** The object that a body is about, where it is wrapped: `{contact: {…}}`. */
export function wrapped(body: ObjectShape): ObjectShape {
  const [only] = body.members.size === 1 ? [...body.members.values()] : [];
  return only?.kind === "object" && only.members.size > 0 ? only : body;
}

/** The person, or the list of people, that a body has, if it is no person itself. */
function peopleBelow(body: ObjectShape): Placement | undefined {
  const own = emailOf(body);
  if (own?.path.length === 1) return undefined;
  for (const [name, member] of body.members) {
    const isList = member.kind === "array";
    const record = isList ? member.items : member;
    if (record.kind !== "object") continue;
    const email = emailOf(record);
    if (email?.isTheirs !== true || email.path.length > 1) continue;
    const isAlone = [...body.required].every((each) => each === name);
    // What is named in passing, as the owner of a deal is, isn't what the body is about.
    if (!isAlone && !body.required.has(name)) continue;
    if (!isList && isAlone && !body.required.has(name)) continue;
    return { record, wrapper: name, isList, ...(isAlone ? {} : { outer: body }) };
  }
  return undefined;
}
