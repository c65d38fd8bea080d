import type { Direction, Section, Value } from "../language/index.ts";
import type { ArrayNode, MemberNode, NumberNode, ObjectNode } from "../parse/syntax-tree.ts";
import type { BindingContext } from "./binding-context.ts";
import { accepts, isMissing, planOf } from "./language-queries.ts";
import type { StructureProblem } from "./structure-problem.ts";

/** What the language table asks of a value by itself: its members, its length, its range. What it fails is added to `structure`. */

/**
 * The one required member that an object lacks, where one unknown member is all that it has too much, and its value would fit.
 *
 * @returns its name
 */
export function onlyGap(
  { name, parent, value }: MemberNode,
  section: Section,
  { direction }: BindingContext,
): string | undefined {
  const { members, required } = planOf(section);
  const others = parent.members.some(
    (each) => each.name !== name && each.name !== "_comment" && !members.has(each.name),
  );
  if (others || value === undefined) return undefined;
  const gaps = required.filter(
    (each) => parent.member(each.name) === undefined && isMissing(each.member, parent, direction),
  );
  const [gap] = gaps;
  if (gap === undefined || gaps.length > 1) return undefined;
  return accepts(gap.member.value, value) ? gap.name : undefined;
}

/** @param meant names of members that misspelled ones stand for: those aren't missing */
export function checkMembers(
  section: Section,
  node: ObjectNode,
  meant: readonly string[],
  direction: Direction | undefined,
  structure: StructureProblem[],
): void {
  for (const { name, member } of planOf(section).required) {
    if (node.member(name) === undefined && !meant.includes(name) && isMissing(member, node, direction)) {
      structure.push({ kind: "missing-member", name, member, object: node, section });
    }
  }
  for (const group of section.groups ?? []) {
    if (group.members.some((name) => meant.includes(name))) continue;
    const present = group.members.map((name) => node.member(name)).filter((member) => member !== undefined);
    const tooFew = group.kind !== "atMostOne" && present.length === 0;
    const tooMany = group.kind !== "atLeastOne" && present.length > 1;
    if (tooFew || tooMany) structure.push({ kind: "group", group, object: node, section, present });
  }
}

export function checkLength(
  { minimum, maximum }: Value & { kind: "list" },
  node: ArrayNode,
  owner: string,
  structure: StructureProblem[],
): void {
  const count = node.items.length;
  if ((minimum !== undefined && count < minimum) || (maximum !== undefined && count > maximum)) {
    structure.push({
      kind: "list-length",
      node,
      count,
      owner,
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    });
  }
}

export function checkRange(
  { minimum, only }: Value & { kind: "integer" },
  node: NumberNode,
  owner: string,
  structure: StructureProblem[],
): void {
  if ((minimum !== undefined && node.value < minimum) || (only !== undefined && node.value !== only)) {
    structure.push({
      kind: "number-range",
      node,
      owner,
      ...(minimum === undefined ? {} : { minimum }),
      ...(only === undefined ? {} : { only }),
    });
  }
}
