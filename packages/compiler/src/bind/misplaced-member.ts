import type { Section, Value } from "../language/index.ts";
import type { MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import { planOf } from "./language-queries.ts";

/** An object that is being bound, and what it is by the language table. */
export interface EnclosingObject {
  readonly section: Section;
  readonly node: ObjectNode;
}

/** Where a member belongs that stands a level too high or too low. */
export interface ProperPlace {
  /** Of the object that has such a member: names of the members that could hold it, where it is within the one that is written. */
  readonly within: readonly string[];
  /** The object around that has such a member, where it is that. */
  readonly around: EnclosingObject | undefined;
  /** What the member is there. */
  readonly value: Value;
}

/**
 * The one place near by where a member would be known and isn't there yet: an object beside it, one that is still to be written there,
 * or one around it.
 *
 * @param around the objects around the member, the one that it stands in last
 */
export function properPlaceOf(
  { name, parent }: MemberNode,
  around: readonly EnclosingObject[],
): ProperPlace | undefined {
  const own = around.at(-1)!;
  const children = [...planOf(own.section).members.values()].flatMap(({ name: child, member }) => {
    const section = sectionsOf(member.value).find(({ members }) => Object.hasOwn(members, name));
    return section === undefined ? [] : [{ child, value: section.members[name]!.value }];
  });
  const present = children.filter(({ child }) => {
    const node = parent.get(child);
    return node?.kind === "object" && node.member(name) === undefined;
  });
  const [first, ...others] = present.length > 0 ? present : children.filter(({ child }) => lacks(own, child));
  if (first !== undefined) {
    const within = [first, ...others].map(({ child }) => child);
    // Which of several that are there can't be told; of several that aren't, one has to be written.
    return present.length > 1 ? undefined : { within, around: undefined, value: first.value };
  }
  const outer = around
    .slice(0, -1)
    .findLast(({ section, node }) => Object.hasOwn(section.members, name) && node.member(name) === undefined);
  return outer && { within: [], around: outer, value: outer.section.members[name]!.value };
}

/** Whether an object may have to have a member, alone or as one of several, and has none of them. */
function lacks({ section, node }: EnclosingObject, name: string): boolean {
  const group = section.groups?.find(({ members }) => members.includes(name))?.members;
  if (group === undefined && !section.members[name]!.required) return false;
  return (group ?? [name]).every((each) => node.member(each) === undefined);
}

function sectionsOf(value: Value): readonly Section[] {
  if (value.kind === "section") return [value.section()];
  return value.kind === "variant" ? Object.values(value.variants).map((section) => section()) : [];
}
