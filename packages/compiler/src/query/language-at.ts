import { accepts } from "../bind/language-queries.ts";
import { variantOf } from "../bind/variant.ts";
import {
  type CommandSpec,
  commandSpec,
  document as documentSection,
  isCommandKey,
  type Member,
  type PlaceName,
  type Section,
  type Value,
} from "../language/index.ts";
import type { JsonNode, ObjectNode, SyntaxNode } from "../parse/syntax-tree.ts";

/** What the language table says of a place in the document. */
export interface LanguagePlace {
  /** What may stand here. */
  readonly value: Value;
  /** The member whose value it is, if the table has one. */
  readonly member: { readonly name: string; readonly spec: Member; readonly section: Section } | undefined;
  /** The command whose argument this is, or is part of. */
  readonly command: CommandSpec | undefined;
  /** Where the outermost command around it stands. */
  readonly place: PlaceName | undefined;
}

const root: LanguagePlace = {
  value: { kind: "section", section: () => documentSection },
  member: undefined,
  command: undefined,
  place: undefined,
};

/**
 * What the table says of a value; undefined where it says nothing: in free data, below an unknown member, in the wrong kind of
 * value.
 */
export function languageAt(node: JsonNode): LanguagePlace | undefined {
  const path: SyntaxNode[] = [];
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent) path.push(at);
  let place: LanguagePlace | undefined = root;
  for (let i = path.length - 1; i > 0 && place !== undefined; i--) {
    const container = path[i]!;
    const inner = path[i - 1]!;
    // A member and its value are one step.
    if (container.kind === "member") continue;
    if (container.kind === "object" && inner.kind === "member")
      place = memberOf(place, container, inner.name);
    else if (container.kind === "array") place = itemOf(place, container);
    else return undefined;
  }
  return place;
}

/** What the table says of a member of an object, whether or not the object has it. */
export function memberOf(place: LanguagePlace, object: ObjectNode, name: string): LanguagePlace | undefined {
  const { value } = place;
  switch (value.kind) {
    case "section":
    case "variant": {
      const section = sectionOf(value, object)!;
      const spec = Object.hasOwn(section.members, name) ? section.members[name]! : undefined;
      if (spec === undefined) return undefined;
      return { ...place, value: spec.value, member: { name, spec, section } };
    }
    case "map":
      return { ...place, value: value.of, member: undefined };
    case "command": {
      if (isCommandKey(name)) {
        const command = commandSpec(name)!;
        const outer = value.place === "here" ? place.place : value.place;
        return { value: command.argument, member: undefined, command, place: outer };
      }
      return value.orStatic === undefined
        ? undefined
        : memberOf({ ...place, value: value.orStatic }, object, name);
    }
    case "either":
      return alternative(place, object, (inner) => memberOf(inner, object, name));
    case "data":
      return { ...place, value, member: undefined };
    default:
      return undefined;
  }
}

/** What the table says of the items of an array. */
export function itemOf(place: LanguagePlace, array: JsonNode): LanguagePlace | undefined {
  const { value } = place;
  switch (value.kind) {
    case "list":
      return { ...place, value: value.of, member: undefined };
    case "command":
      return value.orStatic === undefined ? undefined : itemOf({ ...place, value: value.orStatic }, array);
    case "either":
      return alternative(place, array, (inner) => itemOf(inner, array));
    case "data":
      return { ...place, member: undefined };
    default:
      return undefined;
  }
}

function alternative(
  place: LanguagePlace,
  node: JsonNode,
  step: (place: LanguagePlace) => LanguagePlace | undefined,
): LanguagePlace | undefined {
  if (place.value.kind !== "either") return undefined;
  const value = place.value.of.find((each) => accepts(each, node));
  return value === undefined ? undefined : step({ ...place, value });
}

/** The section that describes an object, if one does. */
export function sectionOf(value: Value, object: ObjectNode): Section | undefined {
  switch (value.kind) {
    case "section":
      return value.section();
    case "variant": {
      const { is } = variantOf(value, object);
      return (is === undefined ? value.otherwise : value.variants[is]!)();
    }
    case "either": {
      const fitting = value.of.find((each) => accepts(each, object));
      return fitting === undefined ? undefined : sectionOf(fitting, object);
    }
    default:
      return undefined;
  }
}
