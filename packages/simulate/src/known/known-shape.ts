import type { Json } from "@configc/jq";
import { formatOf, isTimeName } from "../service/leaf.ts";
import { type Leaf, plainLeaf, type Shape } from "../service/shape.ts";
import type { KnownValue } from "./known-api.ts";

/**
 * The shape of an answer: what programs demand of it, with what documents and samples say. Where the two contradict each other, programs
 * count, for `check` tells of that.
 */
export function knownShape(shape: Shape, known: KnownValue | undefined, name = ""): Shape {
  if (known === undefined || known.kinds.length === 0) return shape;
  const has = (kind: KnownValue["kinds"][number]): boolean => known.kinds.includes(kind);
  switch (shape.kind) {
    case "object":
      return has("object") ? { ...shape, ...gapsOf(known), members: knownMembers(shape, known) } : shape;
    case "list":
      return has("array")
        ? { ...shape, ...gapsOf(known), item: knownShape(shape.item, known.item, name) }
        : shape;
    default:
      return knownLeaf(shape, known, name);
  }
}

/** Members that no program reads are of no use, but to one that reads whatever is there. */
function knownMembers(
  { members, isOpen = false }: Extract<Shape, { kind: "object" }>,
  known: KnownValue,
): Readonly<Record<string, Shape>> {
  const own = Object.entries(isOpen && Object.keys(known.members).length > 0 ? {} : members).map(
    ([name, member]) => [name, knownShape(member, known.members[name], name)] as const,
  );
  const other = isOpen
    ? Object.entries(known.members)
        .slice(0, MOST_MEMBERS)
        .map(([name, member]) => [name, freshShape(member, name)] as const)
    : [];
  return Object.fromEntries([...own, ...other]);
}

const MOST_MEMBERS = 40;

/** The shape of what no program has looked at. */
function freshShape(known: KnownValue, name: string, depth = 0): Shape {
  const [kind] = known.kinds.filter((each) => each !== "null");
  if (kind === "object" && depth < 4)
    return {
      kind: "object",
      ...gapsOf(known),
      members: Object.fromEntries(
        Object.entries(known.members)
          .slice(0, MOST_MEMBERS)
          .map(([key, member]) => [key, freshShape(member, key, depth + 1)]),
      ),
    };
  if (kind === "array")
    return {
      kind: "list",
      ...gapsOf(known),
      item: known.item === undefined ? plainLeaf("text") : freshShape(known.item, name, depth + 1),
      least: 1,
    };
  return knownLeaf(plainLeaf("text"), known, name);
}

/** Whether null may stand there, or nothing. */
function gapsOf({ kinds, isOmitted }: KnownValue): {
  readonly isNullable: boolean;
  readonly isOmitted: boolean;
} {
  return { isNullable: kinds.includes("null"), isOmitted };
}

function knownLeaf(leaf: Leaf, known: KnownValue, name: string): Leaf {
  const { kinds, isComplete, examples } = known;
  const gaps = gapsOf(known);
  const isTold = gaps.isNullable || gaps.isOmitted;
  // A document that requires it says that it is there. What a sample had once may be missing another time.
  const isNullable = gaps.isNullable || (leaf.isNullable && !(isComplete && !gaps.isOmitted));
  const common = {
    ...leaf,
    isNullable,
    isOmitted: gaps.isOmitted && !gaps.isNullable,
    isRare: leaf.isRare && !(isComplete && !isTold),
    examples,
  };
  // What the app can't go on without is decided.
  if (!leaf.isOpen) return common;
  const choices = known.choices.length === 0 ? undefined : ordered(leaf.choices, known.choices);
  if (choices !== undefined) return { ...common, choices, isOpen: false };
  const kind = kindIn(known, leaf, name);
  const written = kind === "time" || kind === "epoch" ? writtenAs(examples) : undefined;
  return {
    ...common,
    kind,
    ...(written === undefined ? {} : { written }),
    ...(kinds.length === 0 ? {} : {}),
  };
}

/** All that a value can be, what programs look for first. */
function ordered(looked: readonly Json[], all: readonly Json[]): readonly Json[] {
  return [...looked.filter((each) => all.includes(each)), ...all.filter((each) => !looked.includes(each))];
}

function kindIn({ kinds, format, examples }: KnownValue, { kind }: Leaf, name: string): Leaf["kind"] {
  const [own, ...others] = kinds.filter((each) => each !== "null");
  if (own === undefined || others.length > 0) return kind;
  switch (own) {
    case "boolean":
      return "boolean";
    case "number": {
      const isTime = isTimeName(name) || kind === "time" || kind === "epoch";
      if (isTime && examples.length > 0 && examples.every((each) => formatOf(each) !== undefined))
        return "time";
      return kind === "id" || kind === "epoch" || (kind === "time" && examples.length === 0)
        ? kind
        : "number";
    }
    case "string":
      return textKind(format, examples) ?? (kind === "number" || kind === "boolean" ? "text" : kind);
    default:
      return kind;
  }
}

const formats: Readonly<Record<string, Leaf["kind"]>> = {
  "date-time": "time",
  date: "time",
  email: "email",
  uri: "url",
  url: "url",
  uuid: "id",
};

function textKind(format: string | undefined, examples: readonly Json[]): Leaf["kind"] | undefined {
  const named = format === undefined ? undefined : formats[format];
  if (named !== undefined) return named;
  const texts = examples.filter((each) => typeof each === "string" && each !== "");
  const are = (test: (text: string) => boolean): boolean =>
    texts.length > 0 && texts.every((each) => test(String(each)));
  if (are((text) => formatOf(text) !== undefined)) return "time";
  if (are((text) => /^[^@\s]+@[^@\s]+\.\w+$/.test(text))) return "email";
  return are((text) => /^https?:\/\/\S+$/.test(text)) ? "url" : undefined;
}

/** How a service writes times, as examples show it. */
function writtenAs(examples: readonly Json[]): Leaf["written"] {
  const found = new Set(examples.map(formatOf));
  return found.size === 1 ? [...found][0] : undefined;
}

/** A shape whose texts are those that were recorded: for programs that take them apart. The same one where none were. */
export function exampled(shape: Shape): Shape {
  switch (shape.kind) {
    case "object": {
      const members = Object.entries(shape.members).map(
        ([name, member]) => [name, exampled(member)] as const,
      );
      const isSame = members.every(([name, member]) => member === shape.members[name]);
      return isSame ? shape : { ...shape, members: Object.fromEntries(members) };
    }
    case "list": {
      const item = exampled(shape.item);
      return item === shape.item ? shape : { ...shape, item };
    }
    default: {
      const { kind, isOpen, examples = [] } = shape;
      const isPlain =
        kind === "text" || kind === "parsed" || kind === "phone" || kind === "url" || kind === "number";
      return isPlain && isOpen && examples.length > 0
        ? { ...shape, choices: examples, isOpen: false }
        : shape;
    }
  }
}
