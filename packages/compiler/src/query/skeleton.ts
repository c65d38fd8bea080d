import { isObject } from "@configc/jq/internal";
import {
  commandSpec,
  isCommandKey,
  type Member,
  places,
  type Section,
  type Value,
} from "../language/index.ts";
import { hasEffect, type WritingContext } from "./writing-context.ts";

/**
 * A value as the language table wants it, with all that it requires: what completion writes, with places to type into, and
 * what “add the missing members” writes, with what is suggested there. As it stands it gives no error, as far as the document
 * declares names that it can mention.
 */
export type Skeleton = Place | readonly Skeleton[] | SkeletonObject;

/** A scalar; unless it is fixed, something else can be typed there. */
export interface Place {
  readonly kind: "place";
  readonly suggested: Scalar;
  readonly fixed?: boolean;
  /** The only texts there are, the suggested one first. */
  readonly choices?: readonly string[];
}

interface SkeletonObject {
  readonly kind: "object";
  readonly members: readonly (readonly [name: Place, value: Skeleton])[];
}

type Scalar = string | number | boolean | null;

/**
 * @param examples what the value may look like, as the table says it; the first that fits counts
 */
export function skeletonOf(value: Value, examples: readonly unknown[], around: WritingContext): Skeleton {
  const example = examples.find((each) => fits(value, each));
  switch (value.kind) {
    case "text":
      return textPlace(value, typeof example === "string" ? example : "", around);
    case "integer":
      return value.only === undefined ? place((example as number) ?? value.minimum ?? 1) : fixed(value.only);
    case "boolean":
      return place((example as boolean) ?? true);
    case "scalar":
      return place((example as Scalar) ?? "");
    case "section":
      return sectionSketch(value.section(), example, around);
    case "variant": {
      const names = Object.keys(value.variants);
      const said = isObject(example) ? example[value.by] : undefined;
      const name = names.find((each) => each === said) ?? names[0]!;
      return sectionSketch(value.variants[name]!(), example, around, [value.by, choice(name, names)]);
    }
    case "map": {
      const [[name, of]] = isObject(example)
        ? (Object.entries(example) as [[string, unknown]])
        : [["name", undefined]];
      return { kind: "object", members: [[place(name), skeletonOf(value.of, [of], around)]] };
    }
    case "list": {
      const items: readonly unknown[] = Array.isArray(example) && example.length > 0 ? example : [undefined];
      return items.map((item) => skeletonOf(value.of, [item], around));
    }
    case "command": {
      const [key, argument] = Object.entries((example as object) ?? { "!jq": "." })[0]!;
      const spec = isCommandKey(key) ? commandSpec(key) : undefined;
      const within = value.place === "here" ? around : { ...around, place: value.place };
      return {
        kind: "object",
        members: [
          [
            fixed(key),
            spec === undefined ? literal(argument) : skeletonOf(spec.argument, [argument], within),
          ],
        ],
      };
    }
    case "either":
      return skeletonOf(value.of.find((each) => fits(each, example)) ?? value.of[0]!, [example], around);
    case "data":
      return example === undefined && value.must !== undefined
        ? { kind: "object", members: [] }
        : literal(example ?? "");
  }
}

/** Whether an example is one for the value: those of outer members are shortened. */
function fits(value: Value, example: unknown): boolean {
  switch (value.kind) {
    case "text":
      return typeof example === "string";
    case "integer":
      return typeof example === "number";
    case "boolean":
      return typeof example === "boolean";
    case "scalar":
      return typeof example !== "object" && example !== undefined;
    case "list":
      return Array.isArray(example);
    case "either":
      return value.of.some((each) => fits(each, example));
    case "command":
      return isObject(example) && Object.keys(example).some(isCommandKey);
    case "map":
      return isObject(example) && Object.keys(example).length > 0;
    case "section":
    case "variant":
      return isObject(example);
    case "data":
      return value.must === undefined ? example !== undefined : isObject(example);
  }
}

function textPlace(
  { oneOf, refersTo, intakeType, format }: Extract<Value, { kind: "text" }>,
  example: string,
  { auths, intakes, place: at }: WritingContext,
): Place {
  const cut = neutral(example);
  const listsFields = format === "resource" && at !== undefined && places[at].contract === "map-options";
  // Half a program isn't one.
  const suggested =
    listsFields && !example.includes(".")
      ? `${example}.fields`
      : format === "jq" && cut !== example
        ? "."
        : cut;
  if (oneOf?.length === 1) return fixed(oneOf[0]!);
  const declared =
    refersTo === "auth"
      ? auths
      : refersTo === "intake"
        ? intakes
            .filter(({ type }) => intakeType === undefined || type === intakeType)
            .map(({ name }) => name)
        : [];
  const choices = oneOf ?? declared;
  return choices.length === 0
    ? place(suggested)
    : choice(choices.includes(suggested) ? suggested : choices[0]!, choices);
}

/** What the section requires, and what the example has besides. @param by the member that tells variants apart */
function sectionSketch(
  section: Section,
  example: unknown,
  around: WritingContext,
  by?: readonly [name: string, value: Place],
): Skeleton {
  const shown = isObject(example) ? example : {};
  // Without an intake that it could read, a workflow can only be outbound.
  const direction = around.direction ?? (around.intakes.length > 0 ? "inbound" : "outbound");
  const within = section.declares === "workflow" ? { ...around, direction } : around;
  const written = new Map<string, Skeleton>(by === undefined ? [] : [by]);
  for (const [name, member] of Object.entries(section.members)) {
    if (written.has(name)) continue;
    const isShown = Object.hasOwn(shown, name) && hasEffect(member, within);
    if (!isShown && !isRequired(member, written, within)) continue;
    const examples = [shown[name], member.example];
    if (section.declares === "workflow" && name === "type")
      examples.unshift(direction === "inbound" ? "generic" : "automations");
    const sketch = skeletonOf(member.value, examples, within);
    written.set(name, name === "name" || name === "id" ? unique(sketch, around.taken) : sketch);
  }
  for (const { kind, members: names } of section.groups ?? []) {
    const [first = ""] = names;
    const member = section.members[first];
    if (kind !== "atMostOne" && member !== undefined && !names.some((name) => written.has(name)))
      written.set(first, skeletonOf(member.value, [member.example], within));
  }
  return { kind: "object", members: [...written].map(([name, value]) => [fixed(name), value]) };
}

function isRequired(
  { required }: Member,
  written: ReadonlyMap<string, Skeleton>,
  { direction }: WritingContext,
): boolean {
  if (required === undefined || typeof required === "boolean") return required === true;
  if ("direction" in required) return required.direction === direction;
  const sibling = written.get(required.sibling);
  return sibling !== undefined && "suggested" in sibling && required.is.includes(`${sibling.suggested}`);
}

/** Another name than those that are taken: `form-2`. */
function unique(sketch: Skeleton, taken: ReadonlySet<unknown>): Skeleton {
  if (!("suggested" in sketch) || typeof sketch.suggested !== "string") return sketch;
  const { suggested } = sketch;
  let name = suggested;
  for (let count = 2; taken.has(name); count++) name = `${suggested}-${count}`;
  return place(name);
}

function literal(example: unknown): Skeleton {
  if (Array.isArray(example)) return example.map(literal);
  if (!isObject(example)) return place(typeof example === "string" ? neutral(example) : (example as Scalar));
  return {
    kind: "object",
    members: Object.entries(example).map(([name, value]) => [place(name), literal(value)]),
  };
}

/** A text that names things of the example's own app means nothing here; the URL of a webhook and the whole state do. */
function neutral(example: string): string {
  return example.replace(/\$\{(?!webhook\.url\}|polling_state\}).*$/s, "");
}

function place(suggested: Scalar): Place {
  return { kind: "place", suggested };
}

function fixed(suggested: Scalar): Place {
  return { kind: "place", suggested, fixed: true };
}

function choice(suggested: string, all: readonly string[]): Place {
  if (all.length === 1) return place(suggested);
  return { kind: "place", suggested, choices: [suggested, ...all.filter((each) => each !== suggested)] };
}

/** The value as it stands when nothing else is typed. */
export function plainOf(sketch: Skeleton): unknown {
  if (isList(sketch)) return sketch.map(plainOf);
  if (sketch.kind === "place") return sketch.suggested;
  return Object.fromEntries(sketch.members.map(([name, value]) => [name.suggested, plainOf(value)]));
}

export function isList(sketch: Skeleton): sketch is readonly Skeleton[] {
  return Array.isArray(sketch);
}
