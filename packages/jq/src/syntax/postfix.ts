import { excerpt } from "../excerpt.ts";
import { isIdentifier } from "../identifier.ts";
import type { Expression, Name, Span, Suffix, Term } from "../syntax-tree.ts";
import { atString, parseHole, parseString } from "./strings.ts";
import { parseTerm } from "./terms.ts";
import type { Grammar } from "./token-stream.ts";

/** A term and the suffixes behind it: `.name`, `[…]`, `?`. */
export function parsePostfix(grammar: Grammar): Expression {
  const { stream } = grammar;
  const { start } = stream.current;
  const suffixes: Suffix[] = [];
  const head = parseHead(grammar, suffixes);
  while (parseSuffix(grammar, suffixes));
  if (suffixes.length === 0) return head;
  return { kind: "Postfix", head, suffixes, start, end: stream.end };
}

/** The head of a postfix expression; for `.name` also its first suffix. */
function parseHead(grammar: Grammar, suffixes: Suffix[]): Term {
  const { stream } = grammar;
  const token = stream.current;
  const { start, end } = token;
  if (token.kind === "field") {
    parseSuffix(grammar, suffixes);
    return { kind: "Identity", start, end: start };
  }
  if (token.kind === "operator" && token.text === ".") {
    const { next } = stream;
    const named =
      next.kind === "string-start" ||
      next.kind === "format" ||
      (next.kind === "hole" && next.start === token.end);
    if (named && parseSuffix(grammar, suffixes)) return { kind: "Identity", start, end: start };
    stream.take();
    return { kind: "Identity", start, end };
  }
  return parseTerm(grammar);
}

/** Adds the suffix that begins at the current token; tells whether there is one. */
function parseSuffix(grammar: Grammar, suffixes: Suffix[]): boolean {
  const { stream } = grammar;
  const token = stream.current;
  const { start, end } = token;
  if (token.kind === "field") {
    stream.take();
    const key: Name = { kind: "Name", text: token.text, start: start + 1, end };
    suffixes.push({ kind: "Field", key, start, end });
    return true;
  }
  if (token.kind !== "operator") return false;
  switch (token.text) {
    case "?":
      stream.take();
      suffixes.push({ kind: "Optional", start, end });
      return true;
    case "[":
      suffixes.push(bracketSuffix(grammar, start));
      return true;
    case ".":
      stream.take();
      if (stream.current.kind === "hole" && stream.current.start === end) {
        suffixes.push({ kind: "Field", key: parseHole(grammar), start, end: stream.end });
        return true;
      }
      if (atString(grammar)) {
        suffixes.push({ kind: "Field", key: parseString(grammar), start, end: stream.end });
        return true;
      }
      if (stream.isOperator("[")) {
        const suffix = bracketSuffix(grammar, start);
        suffixes.push(suffix);
        if (suffix.kind === "Slice") dottedSlice(grammar, token);
        return true;
      }
      unexpectedMember(grammar);
      return true;
    default:
      return false;
  }
}

/** jq has `.a.[0]` and `.a.[]`, but no dot before a slice. */
function dottedSlice({ stream }: Grammar, { start, end }: Span): void {
  stream.report(
    "syntax",
    { start, end },
    { found: "“.” before a slice", expected: ["the slice without a dot"] },
    { fixes: [{ title: "Remove the dot", safe: true, edits: [{ start, end, newText: "" }] }] },
  );
}

function unexpectedMember({ stream }: Grammar): void {
  const { kind, text } = stream.current;
  const spaced = kind === "identifier" || kind === "keyword";
  stream.unexpected(
    ["a member's name", "a string", "“[”"],
    spaced ? `Write a member without a space after the dot: .${excerpt(text)}` : undefined,
  );
  if (spaced) stream.take();
}

/** `[]`, `[index]` or `[from:to]`; `start` is that of the bracket or of a dot before it. */
function bracketSuffix(grammar: Grammar, start: number): Suffix {
  const { stream } = grammar;
  const opener = stream.take();
  if (stream.takeOperator("]")) return { kind: "Iterate", start, end: stream.end };
  if (stream.takeOperator(":")) {
    const to = grammar.query();
    stream.close(opener, "]");
    return { kind: "Slice", to, start, end: stream.end };
  }
  const index = grammar.query();
  if (!stream.takeOperator(":")) {
    stream.close(opener, "]");
    const key = memberName(index, stream.text);
    if (key !== undefined) return { kind: "Field", key, inBrackets: true, start, end: stream.end };
    return { kind: "Index", index, start, end: stream.end };
  }
  if (stream.takeOperator("]")) return { kind: "Slice", from: index, start, end: stream.end };
  const to = grammar.query();
  stream.close(opener, "]");
  return { kind: "Slice", from: index, to, start, end: stream.end };
}

/** The name in `["name"]`, where it could as well stand behind a dot: then it is a member like `.name` to whoever reads the tree. */
function memberName(index: Expression, text: string): Name | undefined {
  if (index.kind !== "String" || index.format !== undefined) return undefined;
  const [start, end] = [index.start + 1, index.end - 1];
  const name = text.slice(start, end);
  return isIdentifier(name) ? { kind: "Name", text: name, start, end } : undefined;
}
