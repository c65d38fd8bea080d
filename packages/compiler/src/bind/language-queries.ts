import type { Condition, Direction, Member, Section, Value } from "../language/index.ts";
import type { JsonNode, MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";

/** Whether a value is of the JSON kind that the table asks for. Its insides are another matter. */
export function accepts(spec: Value, node: JsonNode): boolean {
  switch (spec.kind) {
    case "text":
      return node.kind === "string";
    case "integer":
      return node.kind === "number" && Number.isInteger(node.value);
    case "boolean":
      return node.kind === "boolean";
    case "scalar":
      return node.kind === "string" || node.kind === "number" || node.kind === "boolean";
    case "section":
    case "variant":
    case "map":
    case "command":
      return node.kind === "object";
    case "list":
      return node.kind === "array";
    case "either":
      return spec.of.some((alternative) => accepts(alternative, node));
    case "data":
      return spec.must === "object" ? node.kind === "object" : true;
  }
}

/** Whether an absent member had to be there. */
export function isMissing(member: Member, object: ObjectNode, direction: Direction | undefined): boolean {
  const { required } = member;
  if (typeof required === "boolean" || required === undefined) return required === true;
  return holds(required, object, direction);
}

function holds(condition: Condition, object: ObjectNode, direction: Direction | undefined): boolean {
  if ("direction" in condition) return condition.direction === direction;
  const value = textOf(object, condition.sibling);
  return value !== undefined && condition.is.includes(value);
}

/** A section made ready for walking: what each of a thousand documents asks again is worked out once. */
interface SectionPlan {
  readonly members: ReadonlyMap<string, PlannedMember>;
  /** Members that may have to be there. */
  readonly required: readonly PlannedMember[];
}

interface PlannedMember {
  readonly name: string;
  readonly member: Member;
  /** "`auth` of a workflow", as it reads in a message. */
  readonly owner: string;
}

const plans = new WeakMap<Section, SectionPlan>();

export function planOf(section: Section): SectionPlan {
  let plan = plans.get(section);
  if (plan === undefined) {
    const all = Object.entries(section.members).map(([name, member]) => ({
      name,
      member,
      owner:
        section.name === "document" ? `top-level \`${name}\`` : `\`${name}\` of ${article(section.name)}`,
    }));
    plan = {
      members: new Map(all.map((planned) => [planned.name, planned])),
      required: all.filter(({ member: { required } }) => required !== undefined && required !== false),
    };
    plans.set(section, plan);
  }
  return plan;
}

function article(name: string): string {
  if (name.startsWith("!")) return `\`${name}\``;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

/** The member that another name stands for, unless that one is there. */
export function otherName({ name, value, parent }: MemberNode, { otherNames }: Section): string | undefined {
  const names = otherNames !== undefined && Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const meant = names?.find(
    ({ form }) => form === undefined || (value?.kind === "string" && form.test(value.value)),
  );
  return meant === undefined || parent.member(meant.member) !== undefined ? undefined : meant.member;
}
