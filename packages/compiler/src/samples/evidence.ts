import { type Type, types } from "@configc/jq";
import { isClosed } from "./learned-type.ts";
import { type Place, type Shape, seen, shapeAt } from "./shape.ts";

/** What is learned from the samples of one thing: a request's responses, a webhook's payloads. */
export interface Learned {
  /** Of the whole. */
  readonly type: Type;
  /** Of the bodies, with what was seen how often. */
  readonly shape: Shape;
  readonly samples: readonly { readonly name: string }[];
}

/** What samples say of the objects at one place in them. */
interface ObjectEvidence {
  /** Of the members that were seen. */
  readonly names: readonly string[];
  readonly objects: number;
  /** Whether there are no others. */
  readonly closed: boolean;
}

/** @param path from what the `!http` gives: `body` may stand before that of the body (D20) */
export function shapeOfResponse({ shape }: Learned, path: readonly string[]): Shape | undefined {
  const inBody = path[0] === "body" && shape.members.get("body") === undefined;
  return shapeAt(shape, inBody ? path.slice(1) : path);
}

export function objectEvidence(shape: Shape | undefined): ObjectEvidence | undefined {
  if (shape === undefined || shape.objects === 0) return undefined;
  return { names: [...shape.members.keys()], objects: shape.objects, closed: isClosed(shape) };
}

/** "in all 14", "in both", "in 12 of 14, null in 2" */
export function presence(member: Shape, objects: number): string {
  const count = seen(member);
  const all = objects === 2 ? "in both" : `in all ${objects}`;
  const there = count === objects ? all : `in ${count} of ${objects}`;
  return member.nulls > 0 ? `${there}, null in ${member.nulls}` : there;
}

/** "`/items/0/title` of get-items.json" */
export function placeText({ sample, pointer }: Place, { samples }: Learned): string {
  const name = samples[sample]?.name ?? "";
  return pointer === "" ? name : `\`${pointer}\` of ${name}`;
}

/** Whether no value of a type has the member, as far as is known; and there are objects among its values. */
export function lacksMember(type: Type, name: string): boolean {
  const objects = types.partsOf(type).filter((part) => part.kind === "object");
  const lacking = objects.filter((part) => lacks(part, name));
  if (type.kind === "unknown" || lacking.length === 0) return false;
  return objects.every((part) => {
    const rest = without(part, name);
    return lacking.some((other) => other === part || other === rest);
  });
}

function lacks(part: Type, name: string): boolean {
  if (part.kind !== "object" || part.members.size === 0 || part.members.has(name)) return false;
  return part.rest === undefined || part.rest.kind === "unknown";
}

/** What is left of an object that a condition on the member itself, `select(.titel == 1)`, says to have it. */
function without(part: Type, name: string): Type {
  if (part.kind !== "object") return part;
  return types.object(
    [...part.members].filter(([other]) => other !== name),
    part.rest,
  );
}
