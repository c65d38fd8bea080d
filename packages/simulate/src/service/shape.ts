import type { Json } from "@configc/jq";
import { type Demand, newDemand } from "../symbolic/demands.ts";
import { PARSED, VALUES } from "./json.ts";
import { changeNames, codeNames, hasWord, idNames, timeNames, wordsOf } from "./names.ts";

/** How a service writes times. */
export type TimeFormat =
  | "iso"
  | "iso-seconds"
  | "iso-minutes"
  | "epoch"
  | "epoch-milliseconds"
  | "date"
  | "plain";

/** What a value of an answer is, as far as programs, names and examples say it. */
export type Shape =
  | ({
      readonly kind: "object";
      readonly members: Readonly<Record<string, Shape>>;
      /** Programs read whatever members there are. */
      readonly isOpen?: boolean;
    } & Gaps)
  | ({ readonly kind: "list"; readonly item: Shape; readonly least: number } & Gaps)
  | Leaf;

/** Of what a document or samples tell it. */
interface Gaps {
  /** Null may stand there. */
  readonly isNullable?: boolean;
  /** It may be left out. */
  readonly isOmitted?: boolean;
}

export interface Leaf {
  readonly kind:
    | "id"
    | "text"
    | "email"
    | "number"
    | "boolean"
    | "time"
    | "epoch"
    | "url"
    | "phone"
    | "parsed";
  /** Programs take its absence, or null. */
  readonly isNullable: boolean;
  /** Programs ask whether it is there at all: mostly it isn't. */
  readonly isRare: boolean;
  /** Programs take an empty text for nothing. */
  readonly isBlankable: boolean;
  /** Values that it has in most records, the usual ones first; none: whatever fits its kind. */
  readonly choices: readonly Json[];
  /** Whether it may be something else than its choices. */
  readonly isOpen: boolean;
  /** How a time is written, as `strftime` has it. */
  readonly format: string | undefined;
  /** What a text of JSON has in it. */
  readonly inner?: Shape;
  /** A text that is written in another alphabet. */
  readonly encoding?: "base64" | "base32";
  /** It may be left out, but never is null. */
  readonly isOmitted?: boolean;
  /** A text of numbers, with this between them. */
  readonly separator?: string;
  /** It is ASCII: the service made it. */
  readonly isCode?: boolean;
  /** It lies ahead. */
  readonly isFuture?: boolean;
  /** What it looks like. */
  readonly patterns?: readonly string[];
  /** How the service writes it, where examples of a time show it. */
  readonly written?: TimeFormat;
  /** Some that were recorded. */
  readonly examples?: readonly Json[];
}

/** A leaf of which nothing more is known. */
export function plainLeaf(kind: Leaf["kind"]): Leaf {
  return {
    kind,
    isNullable: false,
    isRare: false,
    isBlankable: false,
    choices: [],
    isOpen: true,
    format: undefined,
  };
}

/** The shape of what programs demand. @param name of the member that holds it */
export function shapeOf(demand: Demand, name = ""): Shape {
  const { members, item, uses, least } = demand;
  if (uses.has("empty")) return { kind: "list", item: plainLeaf("text"), least: 0 };
  if (members.size === 0 && (item !== undefined || uses.has("list")))
    return { kind: "list", item: shapeOf(item ?? newDemand(), singular(name)), least };
  const parsed = members.get(PARSED);
  if (parsed !== undefined && members.size === 1) {
    const isRead = parsed.members.size > 0 || parsed.item !== undefined || parsed.uses.has("list");
    return { ...leafOf(demand, name), kind: "parsed", ...(isRead ? { inner: shapeOf(parsed, name) } : {}) };
  }
  const values = members.get(VALUES);
  if (values !== undefined && members.size === 1)
    return { kind: "object", members: { field: shapeOf(values, "field") }, isOpen: true };
  if (members.size > 0) {
    // What makes the app stop with an error isn't there.
    const there = [...members].filter(([key, member]) => key !== VALUES && !member.uses.has("absent"));
    return {
      kind: "object",
      members: Object.fromEntries(there.map(([key, member]) => [key, shapeOf(member, key)])),
    };
  }
  if (uses.has("keyed") || uses.has("object"))
    return { kind: "object", members: { field: leafOf(newDemand(), "field") }, isOpen: true };
  return leafOf(demand, name);
}

/** An answer's: `.body` is the whole (D20), and a list if it is taken for one. */
export function answerShape(demand: Demand): Shape {
  const body = demand.members.get("body");
  if (body === undefined) return shapeOf(demand);
  const members = new Map([...demand.members].filter(([name]) => name !== "body"));
  const isWhole = body.item !== undefined || body.members.size > 0;
  if (!isWhole) return shapeOf(demand);
  for (const [name, member] of body.members) if (!members.has(name)) members.set(name, member);
  return shapeOf({ ...newDemand(), members, item: body.item });
}

function leafOf(
  { uses, compared, shunned, required, formats, separators, patterns }: Demand,
  name: string,
): Leaf {
  // `fromdate` takes no other.
  const [format = uses.has("time") ? "%Y-%m-%dT%H:%M:%SZ" : undefined] = formats;
  const wanted = [...required].filter(([, isWanted]) => isWanted).map(([value]) => value);
  const looked = [...compared].filter((value) => value !== null && required.get(value) !== false);
  const kind = leafKind(uses, wanted.length > 0 ? wanted : [...compared], name);
  const isTrue = kind === "boolean" && required.get(false) === false;
  // What programs look for is usual, what they look out for is rare.
  const isShunned = kind !== "boolean" && looked.every((value) => shunned.has(value));
  const choices = isTrue
    ? [true]
    : wanted.length > 0
      ? wanted
      : kind === "boolean"
        ? usualTruth(looked, shunned, uses)
        : isShunned
          ? []
          : looked;
  const [separator] = separators;
  return {
    kind,
    ...(separator === undefined ? {} : { separator }),
    isNullable: uses.has("nullable") && !uses.has("present"),
    isRare: uses.has("presence") && !uses.has("present"),
    isBlankable: uses.has("blank"),
    choices,
    isOpen: !isTrue && wanted.length === 0 && !(kind === "boolean" && uses.has("exceptional")),
    format,
    ...(uses.has("header") || codeNames.has(wordsOf(name).at(-1) ?? "") ? { isCode: true } : {}),
    ...(patterns.size > 0 ? { patterns: [...patterns] } : {}),
    // What tells of changes tells of the past.
    ...(uses.has("future") && !hasWord(name, changeNames) ? { isFuture: true } : {}),
    ...(uses.has("milliseconds") ? { written: "epoch-milliseconds" as const } : {}),
    ...(uses.has("base64") ? { encoding: "base64" } : uses.has("base32") ? { encoding: "base32" } : {}),
  };
}

/** What a boolean mostly is: what programs look for; nothing where they say nothing of it. */
function usualTruth(
  looked: readonly Json[],
  shunned: ReadonlySet<Json>,
  uses: ReadonlySet<string>,
): readonly Json[] {
  const [first = null] = looked;
  if (typeof first === "boolean") return [shunned.has(first) ? !first : first];
  return uses.has("negated") ? [false] : [];
}

function leafKind(uses: ReadonlySet<string>, choices: readonly Json[], name: string): Leaf["kind"] {
  if (uses.has("parsed")) return "parsed";
  if (uses.has("time")) return "time";
  if (uses.has("epoch")) return "epoch";
  const words = wordsOf(name);
  if (choices.some((value) => typeof value === "boolean")) return "boolean";
  if (uses.has("future") && !uses.has("text")) return "epoch";
  if (uses.has("number") && !uses.has("text")) return "number";
  if (words.includes("email") || words.includes("mail")) return "email";
  if (idNames.has(words.at(-1) ?? "")) return "id";
  if (words.includes("phone") || words.includes("mobile")) return "phone";
  if (["url", "uri", "link", "href"].includes(words.at(-1) ?? "")) return "url";
  if (!uses.has("text") && hasWord(name, timeNames) && !["last_name"].includes(name)) return "time";
  if (choices.some((value) => typeof value === "number")) return "number";
  if (uses.has("condition") && !uses.has("text") && !uses.has("scalar")) return "boolean";
  return uses.has("addressed") ? "id" : "text";
}

function singular(name: string): string {
  return name.endsWith("s") ? name.slice(0, -1) : name;
}

/** A shape in which some members are always there. */
export function firm(shape: Shape, paths: readonly (readonly string[])[]): Shape {
  if (shape.kind !== "object")
    return "isRare" in shape ? { ...shape, isNullable: false, isRare: false, isOmitted: false } : shape;
  const members = { ...shape.members };
  for (const [first = "", ...rest] of paths) {
    const member = members[first];
    if (member !== undefined) members[first] = firm(member, [rest]);
  }
  return { ...shape, members, isNullable: false, isOmitted: false };
}

/** A shape with what another one has besides. */
export function joined(shape: Shape, other: Shape): Shape {
  if (shape.kind === "list" && other.kind === "list")
    return { ...shape, item: joined(shape.item, other.item), least: Math.max(shape.least, other.least) };
  if (shape.kind !== "object" || other.kind !== "object") return shape;
  const members: Record<string, Shape> = { ...other.members };
  for (const [name, member] of Object.entries(shape.members)) {
    const more = Object.hasOwn(other.members, name) ? other.members[name] : undefined;
    members[name] = more === undefined ? member : joined(member, more);
  }
  return { ...shape, members };
}

/** What stands at a path below a shape. */
export function shapeAt(shape: Shape, path: readonly string[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (at, name) =>
      at?.kind === "parsed" && name === PARSED
        ? at.inner
        : at?.kind === "object" && Object.hasOwn(at.members, name)
          ? at.members[name]
          : undefined,
    shape,
  );
}

/** Whether all that one shape has is there in another. */
export function isWithin(inner: Shape | undefined, outer: Shape | undefined): boolean {
  if (inner === undefined || outer === undefined) return false;
  if (inner.kind === "list") return outer.kind === "list" && isWithin(inner.item, outer.item);
  if (inner.kind !== "object") return true;
  return (
    outer.kind === "object" &&
    Object.entries(inner.members).every(([name, member]) =>
      isWithin(member, Object.hasOwn(outer.members, name) ? outer.members[name] : undefined),
    )
  );
}
