import type { Operation } from "../description.ts";
import type { ObjectShape, Shape } from "../shape.ts";
import { isIdempotencyKey } from "./known-values.ts";
import { emailOf, type RecordList } from "./lists.ts";
import { phrase } from "./name-words.ts";
import { type Need, needOfMember } from "./needs.ts";
import type { Placement } from "./placement.ts";

/** What a body has to have besides the contact. */
export interface BodyNeeds {
  readonly needs: readonly Need[];
  /** Members that are required, and that nothing gives. */
  readonly unfilled: readonly string[];
}

/** Required members that no contact has: parents that a customer chooses, values of a set, and objects that stay open. */
export function bodyNeedsOf(
  operation: Operation,
  placement: Placement,
  lists: readonly RecordList[],
  others: readonly Need[],
): BodyNeeds {
  const needs: Need[] = [];
  const unfilled: string[] = [];
  const { record, wrapper, outer } = placement;
  collect("record", record);
  if (outer !== undefined) collect("body", outer);
  return { needs, unfilled };

  function collect(place: "record" | "body", owner: ObjectShape): void {
    for (const name of owner.required) {
      const shape = owner.members.get(name);
      if (shape === undefined || isIdempotencyKey(name) || (place === "body" && name === wrapper)) continue;
      const need = needOf(name, place, shape, operation, lists, [...others, ...needs]);
      if (need !== undefined) needs.push(need);
      else if (place === "body" || isUnfilled(name, shape, record)) unfilled.push(name);
    }
  }
}

function needOf(
  name: string,
  place: "record" | "body",
  shape: Shape,
  operation: Operation,
  lists: readonly RecordList[],
  others: readonly Need[],
): Need | undefined {
  if (shape.kind === "string" && shape.enum !== undefined) {
    const [first, ...rest] = shape.enum;
    if (first === undefined) return undefined;
    return rest.length === 0
      ? { parameter: name, in: place, value: first, because: "it is its only value" }
      : { parameter: name, in: place, choice: { name: phrase(name), parameter: name, values: shape.enum } };
  }
  if (shape.kind !== "string" && shape.kind !== "number" && shape.kind !== "unknown") return undefined;
  if (!/ (?:id|gid|uuid|key)$/.test(phrase(name)) && !isPlainParent(name, operation, lists)) return undefined;
  return needOfMember(name, place, shape.kind === "number", operation, lists, others);
}

/** `project` where `/projects` is a list: its value is one of those. */
function isPlainParent(name: string, { path }: Operation, lists: readonly RecordList[]): boolean {
  const words = phrase(name);
  return lists.some(
    ({ name: list, operation }) =>
      operation.path !== path &&
      [`${words}s`, `${words}es`, words.replace(/y$/, "ies")].includes(phrase(list)),
  );
}

/** What a contact can't fill: objects and lists, but for the one that has its address. */
function isUnfilled(name: string, { kind }: Shape, record: ObjectShape): boolean {
  return (kind === "array" || kind === "object") && emailOf(record)?.path[0] !== name;
}
