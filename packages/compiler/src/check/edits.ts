import type { Edit, Fix } from "../findings/rule.ts";
import { type Document, type Location, spanOf } from "../parse/document.ts";
import { documentOffset } from "../parse/string-map.ts";
import type { ArrayNode, JsonNode, MemberNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";

/** Edits that keep a document valid JSON and its author's formatting. */

/** Replaces a part of a string, in offsets of its decoded value. */
export function replaceInString(
  document: Document,
  node: StringNode,
  from: number,
  to: number,
  text: string,
): Edit {
  return {
    start: documentOffset(document.text, node, from),
    end: documentOffset(document.text, node, to),
    newText: JSON.stringify(text).slice(1, -1),
  };
}

/** Replaces a whole value by the JSON of another. */
export function replaceValue(node: JsonNode, value: unknown): Edit {
  return { start: node.start, end: node.end, newText: JSON.stringify(value) };
}

export function renameMember(member: MemberNode, name: string): Edit {
  return { start: member.key.start, end: member.key.end, newText: JSON.stringify(name) };
}

/** Puts text around a value: `wrap(node, "[", "]")`. */
export function wrap(node: JsonNode, before: string, after: string): Edit[] {
  return [
    { start: node.start, end: node.start, newText: before },
    { start: node.end, end: node.end, newText: after },
  ];
}

/** Removes a member with its comma, its blanks and a comment behind it on its line. Other comments stay. */
export function removeMember(document: Document, member: MemberNode): Edit {
  return removeElement(document, member.parent.members, member.parent.members.indexOf(member), member.parent);
}

/** Removes an item of an array likewise. */
export function removeItem(document: Document, array: ArrayNode, item: JsonNode): Edit {
  return removeElement(document, array.items, array.items.indexOf(item), array);
}

function removeElement(
  document: Document,
  elements: readonly (MemberNode | JsonNode)[],
  index: number,
  container: ObjectNode | ArrayNode,
): Edit {
  const { text } = document;
  const element = elements[index]!;
  const next = elements[index + 1];
  // A member with its following comma, up to the next one; the last one from the end of the one before.
  if (next !== undefined)
    return { start: element.start, end: commentOfNext(text, element.end, next.start), newText: "" };
  const previous = elements[index - 1];
  if (previous !== undefined) {
    const kept = withoutComma(text.slice(previous.end, element.start));
    return { start: previous.end, end: element.end, newText: trimmed(kept, text.slice(element.end)) };
  }
  const start = container.start + 1;
  const kept = text.slice(start, element.start);
  if (kept.trim() !== "") return { start, end: element.end, newText: trimmed(kept, text.slice(element.end)) };
  return { start, end: Math.max(blanksBack(text, container.end - 1), element.end), newText: "" };
}

/** Comments before what follows them: nothing may get into a comment that goes to the end of its line. */
function trimmed(comments: string, rest: string): string {
  const isOpen = comments.match(trivia)?.at(-1)?.startsWith("//") === true && !/^[ \t]*\r?\n/.test(rest);
  return isOpen ? comments : comments.trimEnd();
}

/** A comment, or a comma, between two members. */
const trivia = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g;

/** Where the first comment about the next member begins, behind the comma and what stands on its line; where there is none, that member. */
function commentOfNext(text: string, from: number, next: number): number {
  const between = text.slice(from, next);
  const found = [...between.matchAll(trivia)];
  const comma = found.findIndex(([token]) => token === ",");
  const line = comma < 0 ? -1 : between.indexOf("\n", found[comma]!.index);
  const own = found.slice(comma + 1).find(({ index }) => comma >= 0 && index > line);
  return own === undefined ? next : from + own.index;
}

function withoutComma(between: string): string {
  let isFirst = true;
  return between.replace(trivia, (token) => {
    if (token !== "," || !isFirst) return token;
    isFirst = false;
    return "";
  });
}

/**
 * Adds a member at the end of an object, on a line of its own where the others are.
 *
 * @param value JSON-serialisable; nested values are written over several lines in the document's indentation
 */
export function addMember(document: Document, object: ObjectNode, name: string, value: unknown): Edit {
  const { text } = document;
  const last = object.members[object.members.length - 1];
  const key = JSON.stringify(name);
  if (last === undefined) {
    return {
      start: object.start + 1,
      end: blanksBack(text, object.end - 1, object.start + 1),
      newText: `${key}: ${JSON.stringify(value)}`,
    };
  }
  const indentation = lineIndentation(text, last.start);
  const multiline =
    text.slice(object.start, last.start).includes("\n") || text.slice(last.end, object.end).includes("\n");
  if (!multiline || indentation === undefined) {
    return { start: last.end, end: last.end, newText: `, ${key}: ${JSON.stringify(value)}` };
  }
  const unit = indentationUnit(text);
  const newLine = lineBreak(text) + indentation;
  const json = JSON.stringify(value, undefined, unit).replaceAll("\n", newLine);
  return { start: last.end, end: last.end, newText: `,${newLine}${key}: ${json}` };
}

/** Adds several members likewise, by one edit. */
export function addMembers(
  document: Document,
  object: ObjectNode,
  members: ReadonlyMap<string, unknown>,
): Edit {
  const edits = [...members].map(([name, value]) => addMember(document, object, name, value));
  const { start, end } = edits[0] ?? { start: object.start + 1, end: object.start + 1 };
  const separator = object.members.length === 0 ? ", " : "";
  return { start, end, newText: edits.map(({ newText }) => newText).join(separator) };
}

/** The blanks before the first character of a line, if the offset is that character. */
function lineIndentation(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** One level of indentation of the document: two blanks where it can't be told. */
export function indentationUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** What ends the lines of the document. */
export function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function blanksBack(text: string, offset: number, limit = 0): number {
  let at = offset;
  while (at > limit && /\s/.test(text.charAt(at - 1))) at--;
  return at;
}

/** Another text for a part of a program, escaped for the string that it stands in; none where there is none to suggest. */
export function rewriteTo(
  {
    at,
    args: { instead },
  }: { readonly at: Location; readonly args: { readonly instead: string | undefined } },
  document: Document,
): readonly Fix[] {
  if (instead === undefined) return [];
  const edit = { ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) };
  return [{ title: `Change to \`${instead}\``, safe: false, edits: [edit] }];
}
