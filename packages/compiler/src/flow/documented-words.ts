import { memoize } from "@configc/jq/internal";
import type { Unit } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { JsonNode, ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** Whether a document has comments at all: most have none. */
export const hasComments: (model: Model) => boolean = derived(({ document }) =>
  document.text.includes('"_comment"'),
);

/** The words that a comment says a member may have (E261). */
export interface DocumentedWords {
  readonly words: readonly string[];
  readonly comment: StringNode;
}

/**
 * What the comments around a place say of the words that a member may have, from the innermost: `state is open, won or lost`,
 * `size: s | m | l`.
 *
 * @param also objects whose own comments count too, after those
 */
export function documentedWords(
  name: string,
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): DocumentedWords | undefined {
  const wanted = keyOf(name);
  for (const comment of commentsAround(place, also)) {
    const words = listsIn(comment.value).get(wanted);
    if (words !== undefined) return { words, comment };
  }
  return undefined;
}

/** Every list of words in the comments of a value. */
export function* documentedLists(node: JsonNode): Generator<DocumentedWords> {
  if (node.kind === "array") for (const item of node.items) yield* documentedLists(item);
  if (node.kind !== "object") return;
  for (const comment of commentsOf(node))
    for (const words of listsIn(comment.value).values()) yield { words, comment };
  for (const { name, value } of node.members)
    if (value !== undefined && name !== "_comment") yield* documentedLists(value);
}

/** The intakes that a workflow gets its payloads from: their comments say what these are like. */
export function intakesAround(unit: Unit | undefined): readonly ObjectNode[] {
  if (unit?.kind !== "workflow") return [];
  return [unit.intake, unit.historicalIntake].flatMap((reference) => reference?.target?.node ?? []);
}

/** The comments of the objects around a place, from the innermost, and of others. */
export function commentsAround(place: SyntaxNode, also: readonly ObjectNode[]): readonly StringNode[] {
  const around: ObjectNode[] = [];
  for (let node: SyntaxNode | undefined = place; node !== undefined; node = node.parent)
    if (node.kind === "object") around.push(node);
  return [...around, ...also].flatMap(commentsOf);
}

function commentsOf(object: ObjectNode): readonly StringNode[] {
  const comment = object.get("_comment");
  const lines = comment?.kind === "array" ? comment.items : comment === undefined ? [] : [comment];
  return lines.filter((line): line is StringNode => line.kind === "string");
}

const bare = String.raw`[A-Za-z][\w:/-]*(?:\.[\w:/-]+)*`;
const word = `(?:"${bare}"|${bare}(?!"))`;
const end = String.raw`(?![\w"]*\s*[:{[(]?\s*\{)`;
/** How lists of words are written. */
const lists = [
  // `size: s | m | l`
  String.raw`"?(?:\s*[:=]\s*|\s*\(|\s+(?:is|are)\s+)(${word}(?:\s*\|\s*${word})+)`,
  // `state is open, won or lost`, `grade (bronze, silver or gold`
  String.raw`"?(?:\s*[:=]\s*|\s*\(|\s+(?:is|are|can be|may be)\s+)(${word}(?:,\s*${word})*,?\s+or\s+${word})`,
  // `outcome is one of healthy, treated and deceased`
  String.raw`"?(?:\s*[:=]|\s*\(|\s+(?:is|are|can be|may be))?\s*one of\s+(${word}(?:,\s*${word})*,?\s+(?:and|or)\s+${word})`,
  // `Events: opened, returned and test`
  String.raw`"?:\s*(${word}(?:,\s*${word})+,?\s+and\s+${word})`,
  // `state: "accepted", "waiting", "ready"`
  String.raw`"?:\s*("${bare}"(?:,\s*"${bare}"){2,})`,
  // `status queued, running or failed`
  String.raw`\s+(${word}(?:,\s*${word})+,?\s+or\s+${word})`,
].map((form) => new RegExp(String.raw`\b([A-Za-z_]\w*)${form}${end}`, "g"));

/** What is said of types and of what is missing is no word of the service. */
const prose =
  /^(?:a|an|the|it|they|that|this|these|those|is|are|be|not|no|none|nothing|any|all|each|every|text|texts|string|number|numbers|integer|boolean|list|array|object|null|true|false|missing|absent|empty|left|so|seconds|milliseconds|date|dates|time|times|id|ids|in|on|of|by|to|as|at|with|and|or|if|then|than|more|less)$/i;

/** The lists of words in a comment, by what they are words of; nothing of what has two. */
const listsIn: (text: string) => ReadonlyMap<string, readonly string[]> = memoize((text) => {
  const found = new Map<string, readonly string[]>();
  const all = lists.flatMap((form) => [...text.matchAll(form)]);
  for (const [, name, written] of all) {
    const words = written!.split(/\s*\|\s*|,\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+/).map(unquoted);
    const key = keyOf(name!);
    const known = words.filter((each) => each !== "null");
    if (known.length < 2 || known.some((each) => prose.test(each))) continue;
    const before = found.get(key);
    // A second list may be of another record's.
    found.set(key, before === undefined || before.join() === known.join() ? known : []);
  }
  for (const [name, words] of found) if (words.length === 0) found.delete(name);
  return found;
}, 200);

/** `Events` are what an `event` may be. */
const keyOf = (name: string): string => wordsOf(name).map(singular).join(" ");

const unquoted = (text: string): string => text.replaceAll('"', "");
