import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, FieldSymbol, JqProgram } from "../bind/bound-nodes.ts";
import type { Part } from "../bind/part.ts";
import type { StringPart } from "../parse/document.ts";
import { type JsonNode, objectItems } from "../parse/syntax-tree.ts";
import { nameOf } from "./literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "./nodes.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { boundTo } from "./protocol/dependence.ts";
import { underlying } from "./underlying.ts";

/** A word of a service's or the app's own language: a text that stands in a document for a status, an event, a stage … */
export interface Word {
  readonly text: string;
  /** What it is a value of, in the singular: `status`; events have many names, and count as one. */
  readonly subject: string;
  readonly at: StringPart;
  /** The program, list or form field that it stands in: who writes two words there knows them apart. */
  readonly source: unknown;
  /** Whether it is compared with what another rule knows all values of: what that can't be is told there. */
  readonly isCompared: boolean;
  /** Whether it is an option that customers choose, or an event that is registered. */
  readonly isOffered: boolean;
  /** Whether a program makes it: it may be for people. */
  readonly isMade?: boolean;
}

/** The words in the programs of a part. */
export function programWords({ programs }: Part): readonly Word[] {
  const words: Word[] = [];
  for (const program of programs) if (program.diagnostics.length === 0) addProgram(program, words);
  return words;
}

/** The words that customers choose among. */
export function optionWords({ workflows }: Part): readonly Word[] {
  const words: Word[] = [];
  for (const { fields } of workflows) for (const field of fields) addOptions(field, words);
  return words;
}

/** The words that requests send. */
export function requestWords({ commands }: Part): readonly Word[] {
  const words: Word[] = [];
  for (const command of commands) if (command.key === "!http") addRequest(command, words);
  return words;
}

const events: ReadonlySet<string> = new Set(["event", "topic", "action", "trigger", "hook"]);

function subjectOf(name: string): string | undefined {
  const word = wordsOf(name).at(-1);
  const subject = word === undefined ? undefined : singular(word);
  return subject !== undefined && events.has(subject) ? "event" : subject;
}

/** Texts with blanks are for people, and short ones are near to nearly everything. */
const isWord = (text: string): boolean =>
  text.length >= 4 && /^[A-Za-z][\w.:/-]*$/.test(text) && !/\d/.test(text);

function addOptions({ id, node }: FieldSymbol, words: Word[]): void {
  for (const option of objectItems(node.get("options"))) {
    const value = option.get("value");
    const subject =
      id !== undefined && value?.kind === "string" && isWord(value.value) ? subjectOf(id) : undefined;
    if (value?.kind !== "string" || subject === undefined) continue;
    const at = { node: value, from: 0, to: value.value.length };
    words.push({ text: value.value, subject, at, source: node, isOffered: true, isCompared: false });
  }
}

function addRequest({ argument }: Command, words: Word[]): void {
  if (argument?.kind !== "object") return;
  for (const part of ["params", "body"]) addSent(part, argument.get(part), argument, words);
}

function addSent(name: string, value: JsonNode | undefined, source: unknown, words: Word[]): void {
  if (value?.kind === "object")
    for (const member of value.members) addSent(member.name, member.value, value, words);
  else if (value?.kind === "array") for (const item of value.items) addSent(name, item, value, words);
  else if (value?.kind === "string" && isWord(value.value)) {
    const subject = subjectOf(name);
    const at = { node: value, from: 0, to: value.value.length };
    if (subject !== undefined)
      words.push({
        text: value.value,
        subject,
        at,
        source,
        isOffered: subject === "event",
        isCompared: false,
      });
  }
}

function addProgram(program: JqProgram, words: Word[]): void {
  const { node: written } = program;
  const { place } = program.command;
  const isMap = place.name === "describe_source.options" || place.name === "describe_target.options";
  const registers = place.name === "intake.create" || place.name === "intake.update";
  const add = (
    name: string | undefined,
    node: Node,
    isCompared = false,
    text: unknown = constantOf(node as Expression),
    source: unknown = program,
    isMade = false,
  ): void => {
    const subject = name === undefined ? undefined : subjectOf(name);
    if (subject === undefined || typeof text !== "string" || !isWord(text)) return;
    const at = { node: written, from: node.start, to: node.end };
    words.push({
      text,
      subject,
      at,
      source,
      isOffered: registers && subject === "event",
      isCompared,
      isMade,
    });
  };
  for (const node of mayHaveWords(program) ? nodesIn(program.tree.body) : []) {
    if (node.kind === "Comparison" && /^[!=]=$/.test(node.operator)) {
      add(nameRead(node.left, program), node.right, isToldThere(node.left, node.right, program));
      add(nameRead(node.right, program), node.left, isToldThere(node.right, node.left, program));
    } else if (node.kind === "Postfix") addTable(node, program, add);
    else if (node.kind === "Object")
      // The ids of what is mapped are names of members: each map has its own.
      for (const { key, value } of node.entries)
        if (value !== undefined && !(isMap && nameOf(key) === "id"))
          for (const way of waysOf(value)) add(nameOf(key), way, false, constantOf(way), program, true);
  }
  for (const { syntax, root } of program.holes) {
    if (root !== "custom_data" || syntax.filters.length === 0) continue;
    for (const { name, argument, start, end } of defaultsOf(syntax))
      if (name !== undefined && isWord(argument))
        words.push({
          text: argument,
          subject: subjectOf(name) ?? "",
          at: { node: written, from: start, to: end },
          source: program,
          isOffered: false,
          isCompared: false,
        });
  }
}

/** Whether a program has a word as a text, or a table: most have neither. */
const mayHaveWords = (program: JqProgram): boolean =>
  nodesOfKind(program, "Index").length > 0 ||
  nodesOfKind(program, "String").some((node) => {
    const text = constantOf(node);
    return typeof text === "string" && isWord(text);
  });

/** `{order_paid: 1, order_cancelled: 2}[.event]`: the keys are words of what is looked up. */
function addTable(
  { head, suffixes }: Expression & { kind: "Postfix" },
  program: JqProgram,
  add: (name: string | undefined, node: Node, isCompared: boolean, text: unknown, source: unknown) => void,
): void {
  const [suffix, ...others] = suffixes;
  const made = head.kind === "Variable" ? boundTo(program, head) : head;
  const table = made === undefined ? undefined : bare(made as Expression);
  if (table?.kind !== "Object" || suffix?.kind !== "Index" || others.length > 0) return;
  const name = nameRead(suffix.index, program);
  // Of a form field's own value, a key that it can't have is told there.
  const isChosen = isOfField(suffix.index, program);
  for (const { key } of table.entries) add(name, key, isChosen, nameOf(key), table);
}

function defaultsOf({ path, filters }: JqProgram["holes"][number]["syntax"]) {
  return filters.flatMap(({ name, argument }) =>
    name === "default" && argument !== undefined
      ? [{ name: path[1]?.text, argument: argument.text, start: argument.start, end: argument.end }]
      : [],
  );
}

/** A form field's own value has its options, and events like `order.paid` those that are registered: other rules compare with these. */
function isToldThere(node: Expression, other: Expression, program: JqProgram): boolean {
  const text = constantOf(other);
  if (typeof text === "string" && /^\w+[._/:-]\w/.test(text)) return true;
  return isOfField(node, program);
}

function isOfField(node: Expression, program: JqProgram): boolean {
  const inner = bare(node);
  return inner.kind === "Hole" && program.holes[inner.hole]?.root === "custom_data";
}

/** The member, variable or form field that an expression reads. */
export function nameRead(node: Expression, program: JqProgram): string | undefined {
  const inner: Node = underlying(node);
  if (inner.kind === "Variable") return inner.name;
  if (inner.kind === "Hole") {
    const hole = program.holes[inner.hole];
    return hole?.root === "custom_data" ? hole.syntax.path[1]?.text : hole?.syntax.path.at(-1)?.text;
  }
  const last =
    inner.kind === "Postfix" ? inner.suffixes.findLast(({ kind }) => kind !== "Optional") : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}

/** The texts that a value may be. */
function waysOf(value: Expression): readonly Expression[] {
  const node = bare(value);
  if (node.kind === "Array" && node.body !== undefined)
    return node.body.kind === "Comma" ? node.body.items : [node.body];
  if (node.kind !== "If" || node.otherwise === undefined) return [node];
  return [...node.branches.map(({ body }) => body), node.otherwise].flatMap(waysOf);
}
