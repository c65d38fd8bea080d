import { lex } from "../syntax/lexer.ts";
import { parse } from "../syntax/parser.ts";
import type { Token } from "../syntax/tokens.ts";
import type { Expression, Hole, Node, Span } from "../syntax-tree.ts";
import { type InferResult, infer } from "../types/infer.ts";
import type { InferOptions } from "../types/infer-options.ts";
import { type Type, unknown } from "../types/type.ts";
import { nodesAt } from "../walk.ts";
import { formsAfterTerm, formsBeforeTerm, type SyntaxForm } from "./forms.ts";
import { scopeAt, type VisibleNames } from "./scope-at.ts";
import { stepped } from "./type-at.ts";

/**
 * What can be written at a place. `replace` are the characters that a completion takes the place of: the name
 * that has been begun, also behind the cursor, without the dot, `$` or `@` before it.
 */
export type CompletionContext =
  /** A member of a value of the type: after a dot. */
  | { readonly kind: "member"; readonly replace: Span; readonly of: Type }
  /** A key of an object construction; members of the type can be taken over as they are. */
  | { readonly kind: "object-key"; readonly replace: Span; readonly of: Type }
  | { readonly kind: "variable"; readonly replace: Span; readonly names: VisibleNames }
  | { readonly kind: "label"; readonly replace: Span; readonly names: VisibleNames }
  | { readonly kind: "format"; readonly replace: Span }
  /** An expression may begin here, or a function's name was begun; `input` is what it is evaluated with. */
  | {
      readonly kind: "expression";
      readonly replace: Span;
      readonly names: VisibleNames;
      readonly input: Type;
      /** What the syntax has that may begin here. */
      readonly forms: readonly SyntaxForm[];
    }
  /** Behind a value: what the syntax has that may go on here, such as `and`, or `then` in a condition. */
  | { readonly kind: "continuation"; readonly replace: Span; readonly forms: readonly SyntaxForm[] }
  /** Inside a string or comment, or where a new name is declared. */
  | { readonly kind: "none" };

const NONE: CompletionContext = { kind: "none" };

/** A name that stands in for what isn't written yet, so that the rest of the program keeps its meaning. */
const STAND_IN = "_";

/**
 * What can be completed at an offset of a program, which may be half typed.
 * @param inputType the type of the program's input
 * @param options as for `infer`, with the same holes
 */
export function completionContext(
  text: string,
  offset: number,
  inputType: Type = unknown,
  options: InferOptions = {},
): CompletionContext {
  const holes = options.holes ?? [];
  if (holes.some(({ start, end }) => start < offset && offset < end)) return NONE;
  const replace = nameAround(text, offset);
  const { tokens } = lex(text, holes);
  const previous = tokens.findLast(({ end, kind }) => end <= replace.start - 1 && kind !== "end");
  if (isInString(tokens, replace.start) || isInComment(text, replace.start, tokens)) return NONE;
  const sign = text[replace.start - 1];
  if (sign === "@") return { kind: "format", replace };
  // With a name in place the program is whole, or nearer to it.
  const whole = withStandIn(text, replace, holes);
  const { program } = parse(whole.text, { holes: whole.holes });
  const path = nodesAt(program, replace.start + 1);
  const variables = [...(options.variables?.keys() ?? [])];
  const names = (): VisibleNames => scopeAt(program, replace.start, variables);
  if (sign === "$") {
    if (previous?.kind === "keyword" && text.slice(previous.start, previous.end) === "as") return NONE;
    const node = path.at(-1);
    if (node?.kind === "VariablePattern" || node?.kind === "Parameter") return NONE;
    return path.some(({ kind }) => kind === "Break")
      ? { kind: "label", replace, names: names() }
      : { kind: "variable", replace, names: names() };
  }
  const inferred = (): InferResult => infer(program, inputType, { ...options, holes: whole.holes });
  if (sign === ".") return member(path, replace, inferred());
  const earlier = tokens.filter(({ end, kind }) => end <= replace.start && kind !== "end");
  const before = earlier.at(-1);
  if (before !== undefined && endsTerm(before)) {
    // Right behind a value nothing has been begun.
    if (before.end === replace.start) return NONE;
    return { kind: "continuation", replace, forms: formsAfterTerm(earlier) };
  }
  const next = tokens.find(({ start }) => start >= replace.end);
  const forms = next !== undefined && beginsTerm(next) ? [] : formsBeforeTerm(before);
  return expression(path, replace, inferred(), inputType, names, forms);
}

const closers: ReadonlySet<string> = new Set([")", "]", "}", "?", ".", ".."]);

/** Whether a value ends with a token: behind it an operator has to come before the next one. */
function endsTerm({ kind, text }: Token): boolean {
  switch (kind) {
    case "identifier":
    case "field":
    case "variable":
    case "number":
    case "string-end":
    case "hole":
      return true;
    case "keyword":
      return text === "end";
    case "operator":
      return closers.has(text);
    default:
      return false;
  }
}

/** Whether a value begins with a token: another one before it would have to be joined to it. */
function beginsTerm({ kind, text }: Token): boolean {
  if (kind === "operator") return openers.has(text);
  return kind !== "end" && kind !== "interpolation-end" && kind !== "keyword";
}

const openers: ReadonlySet<string> = new Set(["(", "[", "{", ".", "..", "-"]);

/** After a dot: a member of what stands before it. */
function member(path: readonly Node[], replace: Span, inferred: InferResult): CompletionContext {
  const postfix = path.findLast((node) => node.kind === "Postfix");
  if (postfix === undefined) return NONE;
  const at = postfix.suffixes.findIndex(
    (suffix) => suffix.kind === "Field" && suffix.key.start === replace.start,
  );
  const head = inferred.nodes.get(postfix.head);
  if (at === -1) return NONE;
  let type = head?.output ?? unknown;
  for (const suffix of postfix.suffixes.slice(0, at)) type = stepped(type, suffix, inferred);
  return { kind: "member", replace, of: type };
}

function expression(
  path: readonly Node[],
  replace: Span,
  inferred: InferResult,
  inputType: Type,
  names: () => VisibleNames,
  forms: readonly SyntaxForm[],
): CompletionContext {
  const node = path.at(-1)!;
  const inputOf = (of: Node): Type | undefined => inferred.nodes.get(of as Expression)?.input;
  const innermost = path.map(inputOf).findLast((type) => type !== undefined) ?? inputType;
  const parent = path.at(-2);
  if (parent?.kind === "Entry" && parent.key === node) return { kind: "object-key", replace, of: innermost };
  if (node.kind === "Name" && (parent?.kind === "Definition" || parent?.kind === "Label")) return NONE;
  if (node.kind === "Parameter") return NONE;
  return { kind: "expression", replace, names: names(), input: innermost, forms };
}

const nameCharacter = /[A-Za-z0-9_]/;

/** The name at an offset, empty if there is none. */
function nameAround(text: string, offset: number): Span {
  let start = Math.max(0, Math.min(offset, text.length));
  let end = start;
  while (start > 0 && nameCharacter.test(text[start - 1]!)) start--;
  while (end < text.length && nameCharacter.test(text[end]!)) end++;
  return { start, end };
}

/** The program with a name at the place; holes behind it move along. */
function withStandIn(
  text: string,
  { start, end }: Span,
  holes: readonly Hole[],
): { readonly text: string; readonly holes: readonly Hole[] } {
  if (end > start) return { text, holes };
  const moved = holes.map((hole) =>
    hole.start < start
      ? hole
      : { ...hole, start: hole.start + STAND_IN.length, end: hole.end + STAND_IN.length },
  );
  return { text: text.slice(0, start) + STAND_IN + text.slice(start), holes: moved };
}

/** Whether an offset lies between the quotes of a string, outside of its interpolations. */
function isInString(tokens: readonly Token[], offset: number): boolean {
  return tokens.some(
    ({ kind, start, end }, index) =>
      (kind === "string-text" && start <= offset && offset <= end) ||
      (kind === "string-start" && end === offset && tokens[index + 1]?.kind === "string-end"),
  );
}

/** A comment runs to the end of its line. A `#` in a string is found by the tokens around it. */
function isInComment(text: string, offset: number, tokens: readonly Token[]): boolean {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  for (let at = text.indexOf("#", line); at !== -1 && at < offset; at = text.indexOf("#", at + 1)) {
    if (!tokens.some(({ start, end }) => start <= at && at < end)) return true;
  }
  return false;
}
