import type { ObjectShape, Shape } from "../shape.ts";
import { emailOf } from "./lists.ts";

/** Where a record stands in the body that takes it. */
export interface Placement {
  readonly record: ObjectShape;
  /** The member that holds it: `{contact: {…}}`, `{contacts: [{…}]}`. */
  readonly wrapper: string | undefined;
  /** Whether it stands in a list, alone: `[{…}]`. */
  readonly isList: boolean;
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
  return listOfPeopleIn(body) ?? { record: body, wrapper: undefined, isList: false };
}

/** The object that a body is about, where it is wrapped: `{contact: {…}}`. */
export function wrapped(body: ObjectShape): ObjectShape {
  const [only] = body.members.size === 1 ? [...body.members.values()] : [];
  return only?.kind === "object" && only.members.size > 0 ? only : body;
}

/** The list of people that a body has, if it needs nothing besides and is no person itself. */
function listOfPeopleIn(body: ObjectShape): Placement | undefined {
  if (emailOf(body) !== undefined) return undefined;
  for (const [name, { kind, ...shape }] of body.members) {
    if (kind !== "array" || !("items" in shape) || shape.items.kind !== "object") continue;
    const isAlone = [...body.required].every((each) => each === name);
    if (isAlone && emailOf(shape.items)?.isTheirs === true)
      return { record: shape.items, wrapper: name, isList: true };
  }
  return undefined;
}
