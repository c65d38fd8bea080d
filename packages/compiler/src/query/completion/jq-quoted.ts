import { type Expression, infer, nodesAt, type Suffix, types } from "@configc/jq";
import { completionContext, isIdentifier, typeAt } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { spanOf } from "../../parse/document.ts";
import type { Span } from "../../parse/syntax-tree.ts";
import type { Completion } from "./completion.ts";
import { inputOf, inString, members, typing } from "./jq-members.ts";

/** What can be written within the quotes of a jq program: a member's name, or a text that a value is compared with; undefined elsewhere. */
export function quotedCompletions(
  model: Model,
  program: JqProgram,
  offset: number,
): Completion[] | undefined {
  const quoted = quotedKeyAt(program, offset);
  if (quoted !== undefined) return quotedMembers(model, program, quoted);
  const key = bracketKeyAt(program, offset);
  if (key !== undefined) return bracketMembers(model, program, key);
  const compared = comparedTextAt(program, offset);
  return compared === undefined ? undefined : comparedTexts(model, program, compared);
}

/** The key of `."my key"`, with the quotes, if the offset is in it. */
function quotedKeyAt({ tree }: JqProgram, offset: number): Span | undefined {
  const [field, key] = nodesAt(tree, offset)
    .slice(-3)
    .filter(({ kind }) => kind !== "StringText");
  const isKey = field?.kind === "Field" && key?.kind === "String" && key.format === undefined;
  return isKey && key.start < offset && offset < key.end ? key : undefined;
}

/** As after the dot alone: a name that needs no quotes goes without. */
function quotedMembers(model: Model, program: JqProgram, { start, end }: Span): Completion[] {
  const { node } = program;
  const [, { holes }] = typing(model, program);
  const text = node.value.slice(0, start) + node.value.slice(end);
  const moved = holes.map((hole) =>
    hole.start < end ? hole : { ...hole, start: hole.start - (end - start), end: hole.end - (end - start) },
  );
  const context = completionContext(text, start, inputOf(model, program), { holes: moved });
  if (context.kind !== "member") return [];
  const replace = spanOf(model.document, { node, from: start, to: end });
  const written = (name: string) => (isIdentifier(name) ? name : JSON.stringify(name));
  return [...members(context.of, written)].map((entry) => ({
    snippet: inString(entry.label),
    ...entry,
    replace,
  }));
}

interface BracketKey {
  readonly key: Span;
  readonly postfix: Extract<Expression, { kind: "Postfix" }>;
  /** Index of the step among the suffixes. */
  readonly step: number;
}

/** The key of `.a["my key"]`, with its quotes, if the offset is in it. */
function bracketKeyAt({ tree }: JqProgram, offset: number): BracketKey | undefined {
  const postfix = nodesAt(tree, offset).findLast((node) => node.kind === "Postfix");
  if (postfix?.kind !== "Postfix") return undefined;
  for (const [step, suffix] of postfix.suffixes.entries()) {
    const key = keyInBrackets(suffix);
    if (key !== undefined && key.start < offset && offset < key.end) return { key, postfix, step };
  }
  return undefined;
}

/** The key in brackets, with its quotes. */
function keyInBrackets(suffix: Suffix): Span | undefined {
  if (suffix.kind === "Field" && suffix.inBrackets === true)
    return { start: suffix.key.start - 1, end: suffix.key.end + 1 };
  const key = suffix.kind === "Index" ? suffix.index : undefined;
  return key?.kind === "String" && key.format === undefined ? key : undefined;
}

function bracketMembers(model: Model, program: JqProgram, { key, postfix, step }: BracketKey): Completion[] {
  const { tree, node } = program;
  const input = inputOf(model, program);
  const [, options] = typing(model, program);
  const before = postfix.suffixes[step - 1];
  const of =
    before === undefined
      ? infer(tree, input, options).nodes.get(postfix.head)?.output
      : typeAt(tree, input, before.end, options)?.output;
  const replace = spanOf(model.document, { node, from: key.start, to: key.end });
  return [...members(of ?? types.unknown, (name) => JSON.stringify(name))].map((entry) => ({
    snippet: inString(entry.label),
    ...entry,
    replace,
  }));
}

/** The text behind `==` or `!=`, with what it is compared to, if the offset is in it. */
function comparedTextAt({ tree }: JqProgram, offset: number): { text: Span; other: Expression } | undefined {
  const path = nodesAt(tree, offset);
  const comparison = path.findLast((node) => node.kind === "Comparison");
  if (comparison?.kind !== "Comparison" || !/^[=!]=$/.test(comparison.operator)) return undefined;
  const { left, right } = comparison;
  const [text, other] = left.start <= offset && offset <= left.end ? [left, right] : [right, left];
  const isText = text.kind === "String" && text.format === undefined;
  return isText && text.start < offset && offset < text.end ? { text, other } : undefined;
}

/** The texts that the other side can be, by its type. */
function comparedTexts(
  model: Model,
  program: JqProgram,
  { text: { start, end }, other }: { readonly text: Span; readonly other: Expression },
): Completion[] {
  const [, options] = typing(model, program);
  const type = infer(program.tree, inputOf(model, program), options).nodes.get(other)?.output;
  const replace = spanOf(model.document, { node: program.node, from: start, to: end });
  return types
    .partsOf(type ?? types.unknown)
    .flatMap((part) =>
      part.kind === "string" && part.value !== undefined
        ? { label: part.value, kind: "value", snippet: inString(JSON.stringify(part.value)), replace }
        : [],
    );
}
