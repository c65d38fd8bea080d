import { type PathSegment, printType, type Type, types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { outputTrails, pathText } from "../../../flow/origin.ts";
import { shapeOfResponse } from "../../../samples/evidence.ts";
import { payloadType } from "../../../samples/payload-type.ts";
import { learnedResponses } from "../../../samples/responses.ts";
import { excerpt } from "../../message-text.ts";

/** A member that a webhook's payload and the items of a historical poll don't have in the same way. */
export interface Difference {
  /** What is read: `.customer.email` */
  readonly path: string;
  /** The part of it that the items lack: `.customer`; undefined where it is of another kind. */
  readonly missing: string | undefined;
  /** What the webhook sends there, if samples say it. */
  readonly sent: string | undefined;
  /** What the items are there, or the items as a whole where it is missing. */
  readonly found: string;
  /** Whether only samples show that it is missing. */
  readonly seen: boolean;
  /** Whether both are scalars, which convert to one another. */
  readonly scalars: boolean;
}

/** Where both come from. */
export interface Sources {
  readonly model: Model;
  readonly webhook: IntakeSymbol;
  readonly request: Command;
  /** What `request` gives as items of `results`. */
  readonly item: Type;
}

/** Follows a path that `source` reads in both, as far as they are known; undefined where nothing is wrong with it. */
export function differenceAt(
  segments: readonly PathSegment[],
  { model, webhook, request, item }: Sources,
): Difference | undefined {
  let polled = item;
  let sent = payloadType(webhook, model);
  const names: string[] = [];
  const path = pathText(segments.map(({ key }) => `${key}`));
  for (const { key } of segments) {
    if (typeof key !== "string") return undefined;
    const objects = withoutNull(polled);
    if (objects.length === 0 || objects.some(({ kind }) => kind !== "object")) return undefined;
    const inSent = presenceIn(sent, key);
    // A name that the webhook doesn't send either is another mistake.
    if (inSent === "never") return undefined;
    if (objects.every((part) => part.kind === "object" && !part.members.has(key))) {
      const closed = objects.every((part) => part.kind === "object" && part.rest === undefined);
      if (!closed && !(inSent === "always" && isUnseen(model, request, names, key))) return undefined;
      const missing = pathText([...names, key]);
      return { path, missing, sent: undefined, found: shown(item), seen: !closed, scalars: false };
    }
    polled = memberOf(polled, key);
    sent = memberOf(sent, key);
    names.push(key);
  }
  if (!areDisjoint(sent, polled)) return undefined;
  const scalars = [sent, polled]
    .flatMap(withoutNull)
    .every(({ kind }) => kind !== "object" && kind !== "array");
  return { path, missing: undefined, sent: shown(sent), found: shown(polled), seen: true, scalars };
}

/** Whether objects of a type have a member; "maybe" where nothing is known of it. */
function presenceIn(type: Type, name: string): "always" | "maybe" | "never" {
  const parts = withoutNull(type);
  if (parts.length === 0 || parts.some(({ kind }) => kind !== "object")) return "maybe";
  const found = parts.map((part) => (part.kind === "object" ? part.members.get(name) : undefined));
  if (found.every((member) => member !== undefined && !member.optional)) return "always";
  const named = parts.some((part) => part.kind === "object" && part.members.size > 0);
  return named && found.every((member) => member === undefined) ? "never" : "maybe";
}

/** Whether the samples of what the items are taken from have objects there, and none with that member. */
function isUnseen(model: Model, request: Command, path: readonly string[], name: string): boolean {
  const trails = outputTrails(flowOf(model), request, ["results", "[]", ...path]);
  return (
    trails.length > 0 &&
    trails.every(({ origin }) => {
      if (origin.kind !== "response") return false;
      const learned = learnedResponses(model).get(origin.command);
      const shape = learned === undefined ? undefined : shapeOfResponse(learned, origin.path);
      return shape !== undefined && shape.objects > 0 && !shape.members.has(name);
    })
  );
}

/** Whether both are known, and no value of one is of a kind that the other has. */
function areDisjoint(some: Type, others: Type): boolean {
  const kinds = (type: Type): Set<string> =>
    new Set(withoutNull(types.widenLiterals(type)).map(({ kind }) => kind));
  const [left, right] = [kinds(some), kinds(others)];
  if (left.size === 0 || right.size === 0 || left.has("unknown") || right.has("unknown")) return false;
  return [...left].every((kind) => !right.has(kind));
}

function withoutNull(type: Type): readonly Type[] {
  return types.partsOf(type).filter(({ kind }) => kind !== "null");
}

function memberOf(type: Type, name: string): Type {
  return types.union(
    ...types.partsOf(type).map((part) => {
      if (part.kind !== "object") return part.kind === "unknown" ? part : types.nullType;
      return part.members.get(name)?.type ?? part.rest ?? types.nullType;
    }),
  );
}

function shown(type: Type): string {
  return excerpt(printType(types.widenLiterals(type), { depth: 2, members: 6 }), 120);
}
