import { nearest } from "../suggestions.ts";
import type { Span } from "../syntax-tree.ts";
import { shownType } from "./findings.ts";
import { indexOf, itemsOf, sliceOf } from "./operations.ts";
import type { Reports } from "./reports.ts";
import { partsOf, type Type, union } from "./type.ts";

/** Whether a value of the kind has what a key of the kind reads. */
function isIndexable(target: Type["kind"], key: Type["kind"]): boolean {
  switch (key) {
    case "string":
      return target === "object" || target === "null";
    case "number":
      return target === "array" || target === "null";
    case "object":
      return target === "array" || target === "string" || target === "null";
    case "array":
      return target === "array";
    default:
      return false;
  }
}

/** A step of a path: what it gives, and whether it may fail. */
export interface Step {
  readonly type: Type;
  readonly isSafe: boolean;
}

/** `.[key]`; reports at the place what always fails, and a member that a closed object lacks. */
export function readIndex(target: Type, key: Type, place: Span, reports: Reports): Step {
  const isOpen = target.kind === "unknown" || key.kind === "unknown";
  let pairs = 0;
  let allowed = 0;
  for (const value of partsOf(target)) {
    for (const part of partsOf(key)) {
      pairs++;
      if (isIndexable(value.kind, part.kind)) allowed++;
    }
  }
  if (pairs > 0) {
    if (!isOpen && allowed === 0) {
      reports.wrong(place, place, "cannot-index", { found: shownType(target), key: shownKind(key) });
    } else reports.fine(place, "cannot-index");
    reportMissing(target, key, place, reports);
  }
  return { type: indexOf(target, key), isSafe: !isOpen && allowed === pairs };
}

/** The same of a member by its name, where nothing is known of what it is read of. */
export function readOfUnknown(place: Span, reports: Reports): void {
  reports.fine(place, "cannot-index");
  reports.fine(place, "missing-member");
}

/** Reports a member, or several of which any may be meant, that no value of a closed type has. */
export function reportMissing(
  target: Type,
  key: Type,
  place: Span,
  reports: Reports,
  use?: "has" | "del",
): void {
  const names = partsOf(key).map((part) => (part.kind === "string" ? part.value : undefined));
  const [name] = names;
  if (name === undefined || names.includes(undefined)) return;
  if (target.kind === "unknown") {
    reports.fine(place, "missing-member");
    return;
  }
  const objects = partsOf(target).filter((part) => part.kind === "object");
  const lacks =
    objects.length > 0 &&
    objects.every(({ members, rest }) => rest === undefined && !names.some((each) => members.has(each!)));
  if (!lacks) {
    reports.fine(place, "missing-member");
    return;
  }
  const members = [...new Set(objects.flatMap((object) => [...object.members.keys()]))];
  const suggestion = nearest(name, members);
  reports.wrong(place, place, "missing-member", {
    name,
    members: members.slice(0, 50),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(use === undefined ? {} : { use }),
  });
}

/** The kinds of a key. */
function shownKind(key: Type): string {
  return [...new Set(partsOf(key).map(({ kind }) => kind))].join(" or ");
}

/** `.[from:to]` */
export function readSlice(target: Type, bounds: readonly Type[], place: Span, reports: Reports): Step {
  const isBound = (type: Type): boolean =>
    type.kind === "unknown" || partsOf(type).some(({ kind }) => kind === "number" || kind === "null");
  const parts = partsOf(target);
  const cuttable = parts.filter(({ kind }) => kind === "array" || kind === "string" || kind === "null");
  // Nothing of null is null, whatever the bounds are.
  const strict = parts.length > 0 && parts.every(({ kind }) => kind !== "null" && kind !== "unknown");
  const wrongBounds = strict && bounds.some((bound) => !isBound(bound));
  if (parts.length > 0) {
    if ((target.kind !== "unknown" && cuttable.length === 0) || wrongBounds) {
      reports.wrong(place, place, "cannot-slice", { found: shownType(target) });
      return { type: union(), isSafe: false };
    }
    reports.fine(place, "cannot-slice");
  }
  const areNumbers = bounds.every((bound) =>
    partsOf(bound).every(({ kind }) => kind === "number" || kind === "null"),
  );
  return { type: sliceOf(target), isSafe: areNumbers && cuttable.length === parts.length };
}

/** `.[]` */
export function readItems(target: Type, place: Span, reports: Reports): Step {
  const parts = partsOf(target);
  const iterable = parts.filter(({ kind }) => kind === "array" || kind === "object");
  if (parts.length > 0) {
    if (target.kind !== "unknown" && iterable.length === 0) {
      reports.wrong(place, place, "cannot-iterate", { found: shownType(target) });
    } else reports.fine(place, "cannot-iterate");
  }
  return { type: itemsOf(target), isSafe: iterable.length === parts.length };
}
