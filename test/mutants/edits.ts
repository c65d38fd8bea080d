import type { ArrayNode, JsonNode, MemberNode, ObjectNode, Span } from "@configc/compiler";
import type { Config } from "./config.ts";
import type { Mutant, TextEdit } from "./kind.ts";

/** Takes a member out, with its comma. */
export function without(config: Config, member: MemberNode): TextEdit {
  return cut(config, member.parent.members, member.parent.members.indexOf(member), member.parent);
}

export function withoutItem(config: Config, array: ArrayNode, index: number): TextEdit {
  return cut(config, array.items, index, array);
}

function cut(
  config: Config,
  elements: readonly Span[],
  index: number,
  around: ObjectNode | ArrayNode,
): TextEdit {
  const element = elements[index]!;
  const next = elements[index + 1];
  const previous = elements[index - 1];
  // Comments of a JSONC document between two elements go with the one before.
  if (next !== undefined) return { start: element.start, end: next.start, newText: "" };
  const closer = around.end - 1;
  const blank = /\s*$/.exec(config.text.slice(0, closer))![0].length;
  const tail = config.text.slice(element.end, closer);
  const end = tail.trim() === "" || tail.trim() === "," ? closer - blank : element.end;
  return { start: previous?.end ?? around.start + 1, end, newText: "" };
}

/** Where a missing member of an object must be reported (`design.md`, "Where findings point"). */
export function ownerOf(object: ObjectNode, removed?: string): Span {
  const { parent } = object;
  if (parent?.kind === "member") return parent.key;
  for (const name of ["name", "id", "type"]) {
    const value = name === removed ? undefined : object.get(name);
    if (parent !== undefined && value !== undefined) return value;
  }
  return { start: object.start, end: object.start + 1 };
}

/** Removes a required member: the owner is what must be reported. */
export function missing(config: Config, object: ObjectNode, name: string): Mutant[] {
  const member = object.member(name);
  if (member === undefined) return [];
  return [{ edits: [without(config, member)], at: [ownerOf(object, name)] }];
}

/** Adds a member at the beginning of an object; must be found at its key. */
export function added(object: ObjectNode, name: string, json: string): Mutant {
  return {
    edits: [memberEdit(object, name, json)],
    at: [{ start: object.start + 1, end: object.start + 1 }],
  };
}

export function memberEdit(object: ObjectNode, name: string, json: string): TextEdit {
  const comma = object.members.length > 0 ? "," : "";
  const at = object.start + 1;
  return { start: at, end: at, newText: ` ${JSON.stringify(name)}: ${json}${comma}` };
}

export function replacement(node: Span, newText: string): TextEdit {
  return { start: node.start, end: node.end, newText };
}

export function source(config: Config, { start, end }: Span): string {
  return config.text.slice(start, end);
}

/** The name of an array item: the value of `name`, else of `id`, else its opening brace. */
export function keySpan(node: JsonNode): Span {
  const { parent } = node;
  return parent?.kind === "member" ? parent.key : { start: node.start, end: node.start + 1 };
}

/** A slip of the keyboard, a different one from name to name. Never gives the name itself. */
export function misspelled(name: string): string {
  if (name.length < 3) return `${name}x`;
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const middle = 1 + (sum % (name.length - 2));
  const before = name.slice(0, middle);
  const at = name.charAt(middle);
  const next = name.charAt(middle + 1);
  const after = name.slice(middle + 2);
  if (sum % 3 === 0 && at !== next) return before + next + at + after;
  if (sum % 3 === 1) return before + next + after;
  return before + at + at + next + after;
}

/** `base_url` → `baseUrl` */
export function camelCased(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
