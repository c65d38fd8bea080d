import { indentationUnit, lineBreak } from "../check/edits.ts";
import type { Edit } from "../findings/rule.ts";
import { applyEdits } from "../fix/fix-text.ts";
import type { Document } from "../parse/document.ts";
import type { ArrayNode, JsonNode, ObjectNode, Span } from "../parse/syntax-tree.ts";

/** The blanks that the line of an offset begins with. */
export function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** A part of the document as it is written, with edits within it made. */
export function sourceOf({ text }: Document, { start, end }: Span, edits: readonly Edit[] = []): string {
  const within = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(text.slice(start, end), within);
}

/** Moves lines from one indentation to another; the first one stands behind something else. */
export function reindent(source: string, from: string, to: string): string {
  return from === to ? source : source.replaceAll(`\n${from}`, `\n${to}`);
}

/**
 * A `!pipe` over several lines, as the document indents; on one line where the document has no others.
 *
 * @param at where it is put
 * @param steps as they are written there, at the indentation of that line
 */
export function pipeSource({ text }: Document, at: number, steps: readonly string[]): string {
  if (!text.includes("\n")) return `{"!pipe": [${steps.join(", ")}]}`;
  const [eol, unit, outer] = [lineBreak(text), indentationUnit(text), indentationAt(text, at)];
  const [inner, item] = [outer + unit, outer + unit + unit];
  const items = steps.map((step) => item + reindent(step, outer, item)).join(`,${eol}`);
  return ["{", `${inner}"!pipe": [`, items, `${inner}]`, `${outer}}`].join(eol);
}

/** What stands between two items of a list: a line break where they stand on lines of their own. */
export function separatorOf({ text }: Document, list: ArrayNode, item: JsonNode): string {
  const first = list.items[0];
  const isOnLines = first !== undefined && text.slice(list.start, first.start).includes("\n");
  return isOnLines ? `,${lineBreak(text)}${indentationAt(text, item.start)}` : ", ";
}

/** The text of a string as it stands between its quotes. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Objects and lists up to so many columns stand on one line, as formatters write them. */
const LINE_WIDTH = 80;

/**
 * A new value, as the document indents.
 *
 * @param indentation of the line that it begins on
 */
export function valueSource({ text }: Document, value: unknown, indentation: string): string {
  const [eol, unit] = [lineBreak(text), indentationUnit(text)];
  const print = (each: unknown, at: string): string => {
    const line = onOneLine(each);
    const isShort = at.length + line.length <= LINE_WIDTH && !line.includes("}, ");
    if (typeof each !== "object" || each === null || isShort || !text.includes("\n")) return line;
    const inner = at + unit;
    const parts = Array.isArray(each)
      ? each.map((item) => inner + print(item, inner))
      : Object.entries(each).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item, inner)}`);
    const [open, close] = Array.isArray(each) ? "[]" : "{}";
    return `${open}${eol}${parts.join(`,${eol}`)}${eol}${at}${close}`;
  };
  return print(value, indentation);
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${onOneLine(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Adds an item at the end of a list, or behind one of its items, on lines of its own where the others are. */
export function addItem(
  document: Document,
  list: ArrayNode,
  value: unknown,
  behind = list.items.at(-1),
): Edit {
  const { text } = document;
  if (behind !== undefined) {
    const newText = valueSource(document, value, indentationAt(text, behind.start));
    return { start: behind.end, end: behind.end, newText: separatorOf(document, list, behind) + newText };
  }
  const [eol, outer] = [lineBreak(text), indentationAt(text, list.start)];
  const inner = outer + indentationUnit(text);
  const newText = text.includes("\n")
    ? `${eol}${inner}${valueSource(document, value, inner)}${eol}${outer}`
    : valueSource(document, value, "");
  return { start: list.start + 1, end: list.end - 1, newText };
}

/** Adds a member at the end of an object likewise. */
export function addMemberSource(document: Document, object: ObjectNode, name: string, value: unknown): Edit {
  const { text } = document;
  const last = object.members.at(-1);
  const [eol, outer] = [lineBreak(text), indentationAt(text, object.start)];
  const inner = last === undefined ? outer + indentationUnit(text) : indentationAt(text, last.start);
  const newText = `${JSON.stringify(name)}: ${valueSource(document, value, inner)}`;
  if (last === undefined)
    return {
      start: object.start + 1,
      end: object.end - 1,
      newText: `${eol}${inner}${newText}${eol}${outer}`,
    };
  const isOnLines = text.slice(object.start, last.start).includes("\n");
  return { start: last.end, end: last.end, newText: `${isOnLines ? `,${eol}${inner}` : ", "}${newText}` };
}
