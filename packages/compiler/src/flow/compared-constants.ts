import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import { nameOf } from "./literal-object.ts";
import { bare, nodesOfKind } from "./nodes.ts";
import { mayBeSame, nounOf } from "./nouns.ts";
import { boundTo } from "./protocol/dependence.ts";
import { underlying } from "./underlying.ts";
import { nameRead } from "./vocabulary.ts";

/** How two values are compared by order. */
export type Order = "<" | "<=" | ">" | ">=";

/** A member that a program compares with constants, or looks up in a table of them. */
export interface Compared {
  readonly name: string;
  /** What has the member, by its name: `deal` of `.deal.state` and `$deal.state`. */
  readonly owner: Owner | undefined;
  readonly values: readonly (string | number)[];
  /** Of a comparison by order: how the member is compared, as if it stood on the left. */
  readonly order?: Order;
  /** Where a value stands. */
  node(value: string | number): Expression;
}

/** What holds all that came says nothing of what it is. */
const envelope = /^(?:body|payload|raw_body|query|query_params)$/;

/** What has a member, by its name. */
export interface Owner {
  readonly name: string;
  /** Whether it is a member itself: variables have any names. */
  readonly isMember: boolean;
}

function ownerOf(read: Expression, program: JqProgram): Owner | undefined {
  const node = bare(read);
  if (node.kind === "Hole") {
    const name = program.holes[node.hole]?.syntax.path.at(-2)?.text ?? "";
    return /^[a-z]\w+$/i.test(name) &&
      !envelope.test(name) &&
      program.holes[node.hole]?.root !== "custom_data"
      ? { name, isMember: true }
      : undefined;
  }
  if (node.kind !== "Postfix") return undefined;
  const names = node.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const member = names.at(-2);
  if (member !== undefined) return envelope.test(member) ? undefined : { name: member, isMember: true };
  return node.head.kind === "Variable" && node.head.name.length > 2
    ? { name: node.head.name, isMember: false }
    : undefined;
}

/** What a comment says of some record's member. */
interface Said {
  readonly of?: string | undefined;
  readonly comment: StringNode;
}

/** Whether a comment may speak of that record: it names it, or names none and a variable stands for it. */
export function mayBeOf({ name, isMember }: Owner, { of, comment }: Said): boolean {
  const noun = nounOf(name) ?? name;
  if (of !== undefined) return mayBeSame(noun, nounOf(of) ?? of);
  return !isMember || linesOf(comment).toLowerCase().includes(noun.toLowerCase());
}

/** All lines of a comment: the record may be named in the one before. */
function linesOf(comment: StringNode): string {
  const { parent } = comment;
  if (parent?.kind !== "array") return comment.value;
  return parent.items.map((line) => (line.kind === "string" ? line.value : "")).join("\n");
}

/**
 * Members that are compared with constant texts: `.state == "open"`, `.state | IN("open", "done")`, `["open", "done"] | index(.state)`,
 * `{"open": 1, "done": 2}[.state]`.
 */
export function* comparedIn(program: JqProgram): Generator<Compared> {
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const [suffix] = suffixes;
    const made = head.kind === "Variable" ? boundTo(program, head) : head;
    const table = made === undefined ? undefined : bare(made as Expression);
    if (table?.kind !== "Object" || suffix?.kind !== "Index") continue;
    const read = readIn(suffix.index, program);
    const words = table.entries.map(({ key }) => nameOf(key) ?? "");
    const keyOf = (word: string | number): Expression =>
      table.entries[words.indexOf(`${word}`)]!.key as Expression;
    if (read !== undefined && !words.includes("")) yield { ...read, values: words, node: keyOf };
  }
  for (const { operator, left, right } of nodesOfKind(program, "Comparison"))
    for (const [one, other, order] of [
      [left, right, operator],
      [right, left, turned[operator]],
    ] as const) {
      const value = constantOf(other);
      const read = isWord(value) ? readIn(one, program) : undefined;
      if (read === undefined || !isWord(value)) continue;
      const compared = { ...read, values: [value], node: () => other };
      yield isOrder(order) ? { ...compared, order } : compared;
    }
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const [first, second] = stages.slice(-2);
    if (first === undefined || second?.kind !== "Call" || first.kind === "Binding") continue;
    const [argument, ...others] = second.arguments;
    if (argument === undefined) continue;
    if (second.name.text === "IN") yield* listed(first as Expression, [argument, ...others], program);
    if (second.name.text === "index") yield* listed(argument, [first as Expression], program);
  }
}

const turned: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const isOrder = (operator: string | undefined): operator is Order => /^[<>]/.test(operator ?? "");

/** The member that is read, whatever makes a text or a number of it, or stands for it where it is missing. */
function readIn(node: Expression, program: JqProgram): Pick<Compared, "name" | "owner"> | undefined {
  const inner = underlying(node);
  const name = nameRead(inner, program);
  return name === undefined ? undefined : { name, owner: ownerOf(inner, program) };
}

function* listed(read: Expression, values: readonly Expression[], program: JqProgram): Generator<Compared> {
  const compared = readIn(read, program);
  if (compared === undefined) return;
  const nodes = values.flatMap(itemsOf);
  const texts = nodes.map(constantOf);
  if (!texts.every(isWord)) return;
  yield { ...compared, values: texts, node: (value) => nodes[texts.indexOf(value)]! };
}

function itemsOf(node: Expression): readonly Expression[] {
  const inner = bare(node);
  if (inner.kind === "Comma") return inner.items.flatMap(itemsOf);
  if (inner.kind === "Array" && inner.body !== undefined) return itemsOf(inner.body);
  return inner.kind === "Postfix" ? itemsOf(inner.head as Expression) : [inner];
}

const isWord = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";
