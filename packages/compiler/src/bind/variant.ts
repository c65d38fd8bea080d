import { nearest } from "@configc/jq/internal";
import type { Section, VariantValue } from "../language/index.ts";
import type { ObjectNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";

/** What a misspelled value most likely is: one finding about it is enough. */
export function likely<T extends string>(value: string | undefined, known: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  return known.find((candidate) => candidate === value) ?? (nearest(value, known) as T | undefined);
}

/**
 * Which form of a value an object is: the one that its `type` says or comes near to, unless the object has only members of
 * another form. Then `type` is the one mistake, and the members are checked as what they are (`design.md`, "No cascades").
 *
 * @returns the form that is said and the form that it is checked as; undefined where none can be told
 */
export function variantOf(
  spec: VariantValue,
  node: ObjectNode,
): { said: string | undefined; is: string | undefined } {
  const said = likely(textOf(node, spec.by), Object.keys(spec.variants));
  if (said === undefined || spec.toldByMembers !== true) return { said, is: said };
  const own = ownMembers(spec);
  const has = (names: readonly string[]): boolean => names.some((name) => node.member(name) !== undefined);
  if (has(own.get(said)!.all)) return { said, is: said };
  for (const [variant, { required }] of own) if (has(required)) return { said, is: variant };
  return { said, is: onlyFit(spec, node, said) ?? said };
}

/** The one form that has all of the members and lacks none, where the form that is said fails in both. */
function onlyFit(spec: VariantValue, node: ObjectNode, said: string): string | undefined {
  if (fit(spec.variants[said]!(), node) !== "neither") return undefined;
  const fitting = Object.keys(spec.variants).filter((name) => fit(spec.variants[name]!(), node) === "both");
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether a section knows all members of an object, and has those that it requires. */
function fit({ members }: Section, node: ObjectNode): "both" | "neither" | "one" {
  const knows = node.members.every(({ name }) => name === "_comment" || Object.hasOwn(members, name));
  const has = Object.entries(members).every(
    ([name, { required }]) => required !== true || node.member(name) !== undefined,
  );
  if (knows && has) return "both";
  return knows || has ? "one" : "neither";
}

interface OwnMembers {
  readonly all: readonly string[];
  /** Without which it isn't this form. */
  readonly required: readonly string[];
}

/** The members that only one form has, by form. */
function ownMembers(spec: VariantValue): ReadonlyMap<string, OwnMembers> {
  const sections = Object.entries(spec.variants).map(([name, section]) => [name, section()] as const);
  return new Map(sections.map(([name, section]) => [name, ownOf(section, sections)]));
}

function ownOf(section: Section, sections: readonly (readonly [string, Section])[]): OwnMembers {
  const others = sections.filter(([, other]) => other !== section);
  const all = Object.keys(section.members).filter((name) =>
    others.every(([, { members }]) => !Object.hasOwn(members, name)),
  );
  return { all, required: all.filter((name) => section.members[name]!.required === true) };
}
