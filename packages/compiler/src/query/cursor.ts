import type { BoundTemplate, Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { bindUnfinished } from "../bind/unfinished.ts";
import { decodedOffset } from "../parse/string-map.ts";
import {
  type ArrayNode,
  type JsonNode,
  type MemberNode,
  nodeAt,
  type ObjectNode,
  type Span,
  type StringNode,
} from "../parse/syntax-tree.ts";
import { itemOf, type LanguagePlace, languageAt, memberOf } from "./language-at.ts";

/** Characters of a name that is being written, on each side of the cursor. */
const LONGEST_NAME = 100;

/** What an offset of a document is in: the question behind completion, hover and all that follows names. */
export type Cursor = NameCursor | ValueCursor | TextCursor;

/** In a member's name, or where one may be written. */
export interface NameCursor {
  readonly kind: "name";
  readonly object: ObjectNode;
  /** The member whose name it is; undefined where a new one would begin. */
  readonly member: MemberNode | undefined;
  /** What the table says of the object. */
  readonly place: LanguagePlace | undefined;
  /** The name as far as it is written, quotes included; empty at a new one. */
  readonly replace: Span;
}

/** In a value that is no string, or where one may be written. */
export interface ValueCursor {
  readonly kind: "value";
  readonly parent: MemberNode | ArrayNode | undefined;
  readonly node: JsonNode | undefined;
  /** What the table says of the value. */
  readonly place: LanguagePlace | undefined;
  readonly replace: Span;
}

/** In a string. */
export interface TextCursor {
  readonly kind: "text";
  readonly node: StringNode;
  /** UTF-16 offset in the decoded string. */
  readonly offset: number;
  readonly place: LanguagePlace | undefined;
  /** The expansion around the offset, with the template it is part of. */
  readonly expansion: { readonly template: BoundTemplate; readonly expansion: Expansion } | undefined;
  /** The program that the string is. */
  readonly program: JqProgram | undefined;
  /** The whole string, quotes included. */
  readonly replace: Span;
}

/** What stands at an offset, however broken the document is; undefined only where there is nothing at all. */
export function cursorAt(model: Model, offset: number): Cursor | undefined {
  const { root, text } = model.document;
  if (root === undefined || offset < root.start) return undefined;
  // The end of a string or word still belongs to it: that is where people type.
  const inside = innermost(root, offset);
  if (inside.kind === "object" || inside.kind === "array") {
    if (isInComment(text, inside, offset)) return undefined;
    // Before its opening brace, and behind its closing one, one is in what stands around it.
    if (isWithin(text, inside, offset))
      return inside.kind === "object" ? inObject(model, inside, offset) : inArray(inside, offset);
    return inside.parent?.kind === "array" ? inArray(inside.parent, offset) : undefined;
  }
  if (inside.kind === "string" && inQuotes(text, inside, offset)) return inString(model, inside, offset);
  return {
    kind: "value",
    parent: inside.parent,
    node: inside,
    place: languageAt(inside),
    replace: { start: inside.start, end: inside.end },
  };
}

/** Whether an offset is between the braces, the last one of which may not be written yet. */
function isWithin(text: string, container: ObjectNode | ArrayNode, offset: number): boolean {
  const { kind, start, end } = container;
  const last: Span | undefined = elementsOf(container).at(-1);
  const isClosed = (last?.end ?? start + 1) < end && text[end - 1] === (kind === "object" ? "}" : "]");
  return start < offset && (offset < end || !isClosed);
}

/** Whether a comment stands between the elements of a container at an offset. */
function isInComment(text: string, container: ObjectNode | ArrayNode, offset: number): boolean {
  const from = elementsOf(container).findLast(({ end }) => end <= offset)?.end ?? container.start + 1;
  // Within `//` one is in a comment already.
  const before = text.slice(from, text[offset - 1] === "/" ? offset + 1 : offset);
  if (!before.includes("/")) return false;
  const open = before.replace(/\/\*.*?\*\/|\/\/[^\n]*\n/gs, "");
  return /\/[/*]/.test(open);
}

function elementsOf(container: ObjectNode | ArrayNode): readonly Span[] {
  return container.kind === "object" ? container.members : container.items;
}

function innermost(root: JsonNode, offset: number): JsonNode {
  const node = nodeAt(root, offset) ?? root;
  if (node.kind !== "object" && node.kind !== "array") return node;
  const before = offset > 0 ? nodeAt(root, offset - 1) : undefined;
  const word =
    before !== undefined && before.kind !== "object" && before.kind !== "array" && before.end === offset;
  return word ? before : node;
}

function inObject(model: Model, object: ObjectNode, offset: number): Cursor | undefined {
  const last = object.members.findLast(({ key }) => key.start < offset);
  if (last !== undefined && offset <= last.key.end) {
    const { key } = last;
    // A text that ends too early was read together with what stands before or behind it.
    if (hasQuoteInside(model.document.text, key)) return newName(model.document.text, object, offset);
    if (templatesByNode(model).has(key) || unfinishedByNode(model).has(key))
      return inString(model, key, offset);
    // One that isn't closed goes on to the end of the line, with the brackets that may be there.
    if (last.value === undefined && !model.document.text.endsWith('"', key.end))
      return newName(model.document.text, object, offset);
    return {
      kind: "name",
      object,
      member: last,
      place: languageAt(object),
      replace: { start: key.start, end: key.end },
    };
  }
  const here = { start: offset, end: offset };
  const between = last === undefined ? "" : model.document.text.slice(last.key.end, offset);
  if (last?.value === undefined && /^\s*:\s*$/.test(between)) {
    const place = last === undefined ? undefined : placeOfMissing(last);
    return { kind: "value", parent: last, node: undefined, place, replace: here };
  }
  // Between a name and its value nothing else has a place.
  if (last !== undefined && offset <= (last.value?.start ?? offset) && /^\s*:?\s*$/.test(between))
    return undefined;
  return newName(model.document.text, object, offset);
}

/** Where a name begins, or what was written of one without its value: people leave out quotes as well. */
function newName(text: string, object: ObjectNode, offset: number): NameCursor {
  const [written = ""] =
    /"?[\w$!-]*$/.exec(text.slice(Math.max(object.start + 1, offset - LONGEST_NAME), offset)) ?? [];
  const isQuoted = written.startsWith('"');
  // A quote may just as well be the end of what stands before.
  if (written === '"') return nameAt(object, { start: offset, end: offset });
  const [rest = ""] =
    (isQuoted ? /^[\w$!-]*"?/ : /^[\w$!-]*/).exec(text.slice(offset, offset + LONGEST_NAME)) ?? [];
  return nameAt(object, { start: offset - written.length, end: offset + rest.length });
}

function nameAt(object: ObjectNode, replace: Span): NameCursor {
  return { kind: "name", object, member: undefined, place: languageAt(object), replace };
}

function hasQuoteInside(text: string, { start, end }: StringNode): boolean {
  return /[^\\]"/.test(text.slice(start + 1, end - 1));
}

/** A member without a value has no node to ask for. */
function placeOfMissing(member: MemberNode): LanguagePlace | undefined {
  const place = languageAt(member.parent);
  return place === undefined ? undefined : memberOf(place, member.parent, member.name);
}

function inArray(array: ArrayNode, offset: number): Cursor {
  const place = languageAt(array);
  return {
    kind: "value",
    parent: array,
    node: undefined,
    place: place === undefined ? undefined : itemOf(place, array),
    replace: { start: offset, end: offset },
  };
}

/** Not before the opening quote, and not after the closing one. */
function inQuotes(text: string, node: StringNode, offset: number): boolean {
  const opened = text.charCodeAt(node.start) !== 34 || offset > node.start;
  const closed = node.end - node.start > 1 && text.charCodeAt(node.end - 1) === 34;
  return opened && (!closed || offset < node.end);
}

function inString(model: Model, node: StringNode, offset: number): TextCursor {
  const at = decodedOffset(model.document.text, node, offset);
  const unfinished = unfinishedByNode(model).get(node);
  const template = unfinished === undefined ? templatesByNode(model).get(node) : unfinished().template;
  const expansion = template?.expansions.find(({ syntax }) => syntax.start + 1 < at && at <= endOf(syntax));
  return {
    kind: "text",
    node,
    offset: at,
    place: node.parent?.kind === "member" && node.parent.key === node ? undefined : languageAt(node),
    expansion: template === undefined || expansion === undefined ? undefined : { template, expansion },
    program: unfinished === undefined ? programsByNode(model).get(node) : unfinished().program,
    replace: { start: node.start, end: node.end },
  };
}

/** An unclosed expansion goes on as far as it was read; a closed one ends before its closer. */
function endOf({ end, problem }: Expansion["syntax"]): number {
  return problem?.kind === "unclosed" ? end : end - 1;
}

const templatesByNode = derived(({ templates }) => new Map(templates.map((each) => [each.node, each])));
const unfinishedByNode = derived(
  ({ unfinished }) => new Map(unfinished.map((each) => [each.node, once(() => bindUnfinished(each))])),
);
const programsByNode = derived(({ programs }) => new Map(programs.map((each) => [each.node, each])));

function once<T extends object>(compute: () => T): () => T {
  let known: T | undefined;
  return () => (known ??= compute());
}
