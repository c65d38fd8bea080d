import type { JsonNode, MemberNode } from "@configc/compiler";
import { parseDocument } from "@configc/compiler/internal";

const WIDTH = 88;

/** A fragment of an example, over several lines where one is too long, with what is marked in it underlined. */
export interface LaidOut {
  readonly text: string;
  readonly underlined: string;
}

interface Marks {
  readonly start: number;
  readonly end: number;
}

/**
 * Lays a rule's example out for its page.
 *
 * @param marked the fragment, with `«…»` around the characters that the finding points at
 */
export function layOut(marked: string): LaidOut {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const source = marked.replace("«", "").replace("»", "");
  const { text, offset } = broken(source);
  if (start < 0) return { text, underlined: text };
  return { text, underlined: underline(text, { start: offset(start), end: offset(end - 1) + 1 }) };
}

/** Only a well-formed fragment can be re-broken: in others the white space may be the mistake. */
function broken(source: string): { text: string; offset: (of: number) => number } {
  const { root, problems } = parseDocument(source, "example.jsonc");
  const asItIs = { text: source, offset: (of: number) => of };
  const isShort = source.split("\n").every((line) => line.length <= WIDTH);
  if (isShort || root === undefined || problems.length > 0 || root.kind === "string") return asItIs;
  const printer = new Printer(source);
  printer.value(root, "", 0);
  return { text: printer.text, offset: (of) => printer.offset(of) };
}

/** Prints a tree with each token as it was written, and remembers where each went. */
class Printer {
  text = "";
  private readonly moved: { from: number; to: number; length: number }[] = [];
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** @param after how many characters follow on the same line */
  value(node: JsonNode, indentation: string, after: number): void {
    if (node.kind !== "object" && node.kind !== "array") return this.token(node.start, node.end);
    const column = this.text.length - (this.text.lastIndexOf("\n") + 1);
    const parts: readonly (MemberNode | JsonNode)[] = node.kind === "object" ? node.members : node.items;
    const oneLine = column + flatLength(node) + after <= WIDTH || parts.length === 0;
    const inner = `${indentation}  `;
    this.token(node.start, node.start + 1);
    for (const [index, part] of parts.entries()) {
      if (!oneLine) this.text += `\n${inner}`;
      else if (index > 0) this.text += " ";
      const last = index === parts.length - 1;
      this.part(part, inner, last ? 0 : 1);
      if (!last) this.text += ",";
    }
    if (!oneLine) this.text += `\n${indentation}`;
    this.token(node.end - 1, node.end);
  }

  private part(part: MemberNode | JsonNode, indentation: string, after: number): void {
    if (part.kind !== "member") return this.value(part, indentation, after);
    this.token(part.key.start, part.key.end);
    this.text += ": ";
    if (part.value !== undefined) this.value(part.value, indentation, after);
  }

  private token(start: number, end: number): void {
    this.moved.push({ from: start, to: this.text.length, length: end - start });
    this.text += this.source.slice(start, end);
  }

  /** Where the character at an offset of the source went. */
  offset(of: number): number {
    const token = this.moved.find(({ from, length }) => from <= of && of < from + length);
    return token === undefined ? of : token.to + of - token.from;
  }
}

/** Length on one line, with one blank after each comma and colon. */
function flatLength(node: JsonNode): number {
  if (node.kind !== "object" && node.kind !== "array") return node.end - node.start;
  const parts =
    node.kind === "array"
      ? node.items.map((item) => flatLength(item))
      : node.members.map(
          ({ key, value }) => key.end - key.start + (value === undefined ? 0 : 2 + flatLength(value)),
        );
  return parts.reduce((sum, part) => sum + part, 2 + 2 * Math.max(0, parts.length - 1));
}

/** Carets below the marked characters; of a mark over several lines, the first line counts. */
function underline(text: string, { start, end }: Marks): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", start);
  const lineEnd = newline < 0 ? text.length : newline;
  const width = (from: number, to: number) => [...text.slice(from, to).replaceAll("\ufeff", "")].length;
  const carets = "^".repeat(Math.max(1, width(start, Math.min(end, lineEnd))));
  const line = `${" ".repeat(width(lineStart, start))}${carets}`;
  return `${text.slice(0, lineEnd)}\n${line}${text.slice(lineEnd)}`;
}
