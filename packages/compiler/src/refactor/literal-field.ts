import { nodesAt } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { workflowsOf } from "../bind/resolve.ts";
import { replaceInString } from "../check/edits.ts";
import { obstacleTo } from "../check/rules/expansion/obstacle.ts";
import { decodedOffset } from "../parse/string-map.ts";
import { nodeAt, type Span, type StringNode, type SyntaxNode } from "../parse/syntax-tree.ts";
import { addField, nameField } from "./form-fields.ts";
import { isJqStep } from "./programs.ts";
import type { Refactor, Site } from "./refactoring.ts";

/** Asks the customer for a text that is written in a request or a program: a form field, whose one choice it is at first. */
export const literalField: Refactor = (site: Site) => {
  const { model, command } = site;
  const { document } = model;
  const [workflow, ...others] = workflowsOf(command.unit);
  if (workflow === undefined || others.length > 0 || !mayAsk(model, command)) return [];
  const literal = literalAt(site);
  if (literal === undefined) return [];
  const { node, from, to, name } = literal;
  const value = literal.value ?? node.value.slice(from, to);
  const { id, label } = nameField(workflow, name);
  const field = addField(model, workflow, {
    label,
    id,
    type: "dropdown",
    options: [{ display: value, value }],
  });
  if (field === undefined) return [];
  const edits = [replaceInString(document, node, from, to, `\${custom_data.${id}.value}`), field];
  return [{ title: `Turn \`${shortened(value)}\` into the form field \`${id}\``, kind: "extract", edits }];
};

/** Fields are read where the form is filled in already (D11). */
function mayAsk(model: Model, command: Command): boolean {
  return (
    command.field === undefined &&
    obstacleTo("custom_data", undefined, command, command.unit, model) === undefined
  );
}

interface Literal {
  readonly node: StringNode;
  /** In the decoded string: what is replaced. */
  readonly from: number;
  readonly to: number;
  /** What it is, if that isn't what stands there. */
  readonly value?: string;
  /** What it may be called after. */
  readonly name: string;
}

function literalAt({ model, command, range }: Site): Literal | undefined {
  const { text, root } = model.document;
  const node = nodeAt(root, range.start);
  if (node?.kind !== "string" || !node.valid || range.end > node.end) return undefined;
  const offset = decodedOffset(text, node, range.start);
  if (isJqStep(command) && node === command.program.node) return inProgram(command, offset);
  if (command.key !== "!http" || command.argument?.kind !== "object") return undefined;
  const member = requestMember(node, command);
  if (member === "path" || member === "url") return inAddress(node, offset);
  const isData = member === "body" || member === "params";
  if (!isData || node.value === "" || node.value.includes("$") || isKey(node)) return undefined;
  return { node, from: 0, to: node.value.length, name: nameOf(node) };
}

/** The member of the request that a string stands in. */
function requestMember(node: StringNode, command: Command): string | undefined {
  let member: string | undefined;
  for (let at: SyntaxNode | undefined = node; at !== undefined && at !== command.argument; at = at.parent)
    if (at.kind === "member") member = at.name;
  return member;
}

function isKey(node: StringNode): boolean {
  return node.parent?.kind === "member" && node.parent.key === node;
}

function nameOf(node: StringNode): string {
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent)
    if (at.kind === "member") return at.name;
  return "";
}

/** A whole segment of the path, or a whole value of the query, of letters that no one encodes (D18). */
function inAddress(node: StringNode, offset: number): Literal | undefined {
  const { value } = node;
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(value)?.[0].length ?? 0;
  const piece = pieceAt(value, offset);
  const written = value.slice(piece.start, piece.end);
  if (piece.start <= origin - 1 || !/^[\w~-][\w.~-]*$/.test(written)) return undefined;
  const before = value.slice(0, piece.start);
  const name = /(?:([\w.-]+)=|\/([\w.-]+)\/)$/.exec(before);
  // What is before the `=` of a parameter isn't a value.
  const isParameter = before.includes("?");
  if (isParameter ? name?.[1] === undefined : !before.endsWith("/")) return undefined;
  return { node, from: piece.start, to: piece.end, name: name?.[1] ?? name?.[2] ?? "" };
}

function pieceAt(value: string, offset: number): Span {
  const isEnd = (at: number) => /[/?#&=]/.test(value.charAt(at));
  let [start, end] = [offset, offset];
  while (start > 0 && !isEnd(start - 1)) start--;
  while (end < value.length && !isEnd(end)) end++;
  return { start, end };
}

/** A text of a program, without anything put into it. */
function inProgram(
  { program }: Command & { readonly program: NonNullable<Command["program"]> },
  offset: number,
) {
  const path = nodesAt(program.tree, offset);
  const text = path.findLast(({ kind }) => kind === "String");
  if (text?.kind !== "String" || text.format !== undefined || text.parts.length !== 1) return undefined;
  const [part] = text.parts;
  if (part?.kind !== "StringText" || part.value === "") return undefined;
  const parent = path[path.indexOf(text) - 1];
  // A key of an object, and the name of a member, are no values.
  if (parent?.kind === "Field" || parent?.kind === "PatternEntry") return undefined;
  if (parent?.kind === "Entry" && parent.key === text) return undefined;
  const entry = path.findLast(({ kind }) => kind === "Entry");
  const name = entry?.kind === "Entry" && entry.key.kind === "Name" ? entry.key.text : "";
  return { node: program.node, from: text.start, to: text.end, value: part.value, name };
}

function shortened(value: string): string {
  return value.length <= 30 ? value : `${value.slice(0, 29)}…`;
}
