import { memoize } from "@configc/jq/internal";
import type { Unit } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { JsonNode, ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { subjectBefore } from "./documented-subjects.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** Whether a document has comments at all: most have none. */
export const hasComments: (model: Model) => boolean = derived(({ document: { text, problems }, parts }) => {
  // With a mistake in the JSON, where an item ends may be chance.
  if (problems.length > 0) return text.includes(COMMENT);
  let from = 0;
  for (const { item } of parts) {
    if (item === undefined || item.node.start < from) continue;
    const { start, end } = item.node;
    item.mentionsComment ??= text.slice(start, end).includes(COMMENT);
    if (item.mentionsComment || text.slice(from, start).includes(COMMENT)) return true;
    from = end;
  }
  return text.slice(from).includes(COMMENT);
});

const COMMENT = '"_comment"';

/** The words that a comment says a member may have (E261). */
export interface DocumentedWords {
  readonly words: readonly string[];
  /** The record that the comment says it of, where it says so: “A task: state is open or done”. */
  readonly of: string | undefined;
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
  // What an intake's requests may ask for is what its payloads have.
  for (const comment of [...commentsAround(place, []), ...also.flatMap((each) => [...commentsBelow(each)])]) {
    const list = listsIn(comment.value).get(wanted);
    if (list !== undefined) return { ...list, comment };
  }
  return undefined;
}

/** The comments of a value and of all below it. */
export const commentsBelow = (node: SyntaxNode): readonly StringNode[] =>
  commentedBelow(node).flatMap(commentsOf);

/** A value, and all below it, as far as they have a comment. */
export function commentedBelow(node: SyntaxNode): readonly ObjectNode[] {
  const found: ObjectNode[] = [];
  addCommented(node, found);
  return found;
}

function addCommented(node: SyntaxNode, found: ObjectNode[]): void {
  if (node.kind === "member" && node.value !== undefined) addCommented(node.value, found);
  if (node.kind === "array") for (const item of node.items) addCommented(item, found);
  if (node.kind !== "object") return;
  if (node.get("_comment") !== undefined) found.push(node);
  for (const { name, value } of node.members)
    if (value !== undefined && name !== "_comment") addCommented(value, found);
}

/** Every list of words in the comments of a value. */
export function* documentedLists(node: JsonNode): Generator<DocumentedWords> {
  for (const comment of commentsBelow(node))
    for (const list of listsIn(comment.value).values()) yield { ...list, comment };
}

/** The intakes that a workflow gets its payloads from: their comments say what these are like. */
export function intakesAround(unit: Unit | undefined): readonly ObjectNode[] {
  if (unit?.kind !== "workflow") return [];
  return [unit.intake, unit.historicalIntake].flatMap((reference) => reference?.target?.node ?? []);
}

/**
 * The comments of the objects around a place, from the innermost, and of others. Those of the steps before it in a pipe count too: what they
 * give comes on to it.
 */
export function commentsAround(place: SyntaxNode, also: readonly ObjectNode[]): readonly StringNode[] {
  return objectsAround(place, also).flatMap(commentsOf);
}

/** The same with the lines of each comment together: a record may go over several. */
export const commentLinesAround = (
  place: SyntaxNode,
  also: readonly ObjectNode[],
): readonly (readonly StringNode[])[] => objectsAround(place, also).map(commentsOf);

function objectsAround(place: SyntaxNode, also: readonly ObjectNode[]): readonly ObjectNode[] {
  const around: ObjectNode[] = [];
  for (let node: SyntaxNode | undefined = place; node !== undefined; node = node.parent)
    if (node.kind === "object") around.push(node, ...stepsBefore(node));
  return [...around, ...also];
}

/** So many steps are looked at: each one is asked about all before it. */
const STEPS = 10;

function stepsBefore(step: ObjectNode): readonly ObjectNode[] {
  const list = step.parent;
  if (list?.kind !== "array" || list.parent?.kind !== "member" || list.parent.name !== "!pipe") return [];
  const at = list.items.indexOf(step);
  const before = list.items.slice(Math.max(0, at - STEPS), at).reverse();
  return before.filter((each): each is ObjectNode => each.kind === "object");
}

/** The comments of an object itself. */
export const commentsAt = (object: ObjectNode): readonly StringNode[] => commentsOf(object);

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
  // `kind may be repeated and takes private, business or relocation`
  String.raw`\s+(?:(?:may|can|must) be \w+ and\s+)?(?:takes|accepts)\s+(${word}(?:,\s*${word})*,?\s+or\s+${word})`,
  // `States: new, planned, on_site, done.`
  String.raw`"?:\s*(${word}(?:,\s*${word}){2,})(?=[.;]|$)`,
  // `area, one of stalls, balcony, backstage, where …`
  String.raw`,?\s+(?:is |are )?one of\s+(${word}(?:,\s*${word}){2,})(?=,\s*(?:where|which|and)\b|[.;)]|$)`,
  // `outcome is one of healthy, treated and deceased`
  String.raw`"?(?:\s*[:=]|\s*\(|\s+(?:is|are|can be|may be))?\s*one of\s+(${word}(?:,\s*${word})*,?\s+(?:and|or)\s+${word})`,
  // `Events: opened, returned and test`
  String.raw`"?:\s*(${word}(?:,\s*${word})+,?\s+and\s+${word})`,
  // `States are requested, confirmed and cancelled;`
  String.raw`(?<=\b(?:[Ss]tates|[Ss]tatuses|[Ss]tages|[Pp]hases|[Kk]inds|[Tt]ypes|[Rr]oles|[Ll]evels|[Oo]utcomes|[Ee]vents|[Tt]opics))\s+are\s+(${word}(?:,\s*${word})+,?\s+and\s+${word})(?=[.;:)]|$)`,
  // `roles are next_of_kin, doctor, neighbour, guardian.`
  String.raw`(?<=\b(?:[Ss]tates|[Ss]tatuses|[Ss]tages|[Pp]hases|[Kk]inds|[Tt]ypes|[Rr]oles|[Ll]evels|[Oo]utcomes|[Ee]vents|[Tt]opics))\s+are\s+(${word}(?:,\s*${word}){2,})(?=\.(?!\w)|[;)]|$)`,
  // `state: "accepted", "waiting", "ready"`
  String.raw`"?:\s*("${bare}"(?:,\s*"${bare}"){2,})`,
  // `"role": "owner" or "purchasing" or "barista"`
  String.raw`"?:\s*(${word}(?:\s+or\s+${word}){2,})`,
  // `The feed knows two starts: beginning and now.`
  String.raw`(?<=\b[Tt]wo \w{1,40})\s*:\s*(${word}\s+and\s+${word})(?=[.;)]|$)`,
  // `status queued, running or failed`
  String.raw`\s+(${word}(?:,\s*${word})+,?\s+or\s+${word})`,
].map((form) => new RegExp(String.raw`\b([A-Za-z_]\w*)${form}${end}`, "g"));

const quoted = String.raw`["'\`]?[A-Za-z][\w:-]*(?:\.[\w:-]+)*["'\`]?(?![\w'])`;
/** Lists alone, of which the words in front say what they are of: `the values 'open', 'won' and 'lost'`, `open/won/lost`. */
const alone = new RegExp(
  String.raw`(?<![\w"'\`/.-])(?:${quoted}(?:,\s*${quoted})*(?:,?\s+(?:or|and)\s+|,\s*)${quoted}|${quoted}(?:\s*\|\s*${quoted})+|[A-Za-z]\w*(?:\/[A-Za-z]\w*){2,}(?=[\s.,;)]|$))${end}`,
  "g",
);
const ofDates = /^(?:d+|m+|y+|day|month|year|hh|ss|first|last)$/i;

/** `enum VisitState { BOOKED OPEN CLOSED }` */
const enums = /\benum\s+([A-Z]\w*)\s*\{\s*([A-Z]\w*(?:[\s,|]+[A-Z]\w*)+)\s*\}/g;

/** `state: P(acked), V(an), D(elivered)` */
const letters =
  /\b([A-Za-z_]\w*)["`]?(?::| is| are)\s+([A-Z]{1,3}\([a-z ]{1,30}\)(?:(?:,? or |,? and |, ?)[A-Z]{1,3}\([a-z ]{1,30}\))+)/g;

/** What is said of types and of what is missing is no word of the service. */
const prose =
  /^(?:a|an|the|it|they|that|this|these|those|is|are|be|not|no|none|nothing|any|all|each|every|text|texts|string|number|numbers|integer|boolean|list|array|object|null|true|false|missing|absent|empty|left|so|seconds|milliseconds|date|dates|time|times|id|ids|in|on|of|by|to|as|at|with|and|or|if|then|than|more|less|other|others|another|such|similar|something|else|etc|one|two)$/i;

const ofType = /^(?:text|number|date|time|boolean|list|id)$/;
const ofNothing = /^(?:missing|absent|empty|left)$/;
const ofAmount =
  /^(?:no|none|nothing|any|all|each|every|one|two|more|less|other|others|missing|absent|empty|left)$/;

/** So far behind a list is looked for what opens it. */
const NEAR = 80;
/** A list that goes on, or holds for some time only. */
const goesOn =
  /^[^.;{}]*?(?:…|\.\.\.|\b(?:etc|others?|more|and so on|for now|so far|at present|at the moment)\b)|^\s*;\s*more\b/;
/** What a comment is about: `A task:`, `A stay here is`. */
const subject = /\b(?:an?|the|each|every)\s+([a-z]{3,})(?=\s*:|\s+(?:here\s+)?(?:is|has)\b)/gi;

/** What is said of one word of a list: `missed (bins weren't out) or called_off`. */
const aside = /(?<=[:,] ?[A-Za-z_][\w-]{1,40}) \([^()]{1,80}\)(?=,| or | and |[.;]|$)/g;

/** The lists of words in a comment, by what they are words of; nothing of what has two. An edit leaves most comments as they are. */
const listsIn: (text: string) => ReadonlyMap<string, Omit<DocumentedWords, "comment">> = memoize((text) => {
  const found = listsWritten(text);
  const plain = text.includes(" (") ? text.replace(aside, "") : text;
  if (plain === text) return found;
  return new Map([...listsWritten(plain), ...found]);
}, 200);

function listsWritten(text: string): ReadonlyMap<string, Omit<DocumentedWords, "comment">> {
  const found = new Map<string, Omit<DocumentedWords, "comment">>();
  const subjects = [...text.matchAll(subject)];
  for (const match of lists.flatMap((form) => [...text.matchAll(form)])) {
    const [whole, said, written] = match as unknown as [string, string, string];
    // `The state of a deal is …`
    const [, head] =
      /(?<![\w.-])["`]?([A-Za-z_]\w*)["`]? of (?:an?|the|each|every) $/.exec(
        text.slice(Math.max(0, match.index - NEAR), match.index),
      ) ?? [];
    const name = head ?? said;
    const known = wordsIn(written);
    // `name (given or family)` says what it is made of.
    const isAside =
      known.length < 3 && whole.slice(said.length).trimStart().startsWith("(") && !whole.includes("|");
    // In a long list that is opened by a colon they are states like others.
    const isOpened = known.length > 2 && /^\w+"?\s*:/.test(whole);
    if (known.length < 2 || isAside) continue;
    // `"none" | "some"`: in quotation marks they are words, unless they name types.
    const isOneOf = known.length > 2 && /\bone of\s/.test(whole) && !/\s(?:or|and)\s/.test(written);
    const isQuoted = /^"[^"]*"(?:\s*\|\s*"[^"]*")+$/.test(written.trim());
    const isProse = (each: string): boolean =>
      isQuoted
        ? prose.test(each) && !ofAmount.test(each)
        : prose.test(each) &&
          !(isOpened && ofNothing.test(each)) &&
          // Without `or`, that closes a list of words: `family is one of strings, brass, other.`
          !(isOneOf && each === "other");
    // Among many words, a type is one of them: `kind: text, email, choice, rating, consent, date`.
    const isLong = isOpened && known.filter((each) => !isProse(each)).length >= 5;
    if (known.some(isProse) && !(isLong && known.every((each) => !isProse(each) || ofType.test(each))))
      continue;
    const behind = match.index + whole.length;
    // In a record that is shown, the next member ends it.
    const isClosed =
      written.endsWith('"') && /^\s*(?:,\s*"\w+"\s*:|\})/.test(text.slice(behind, behind + NEAR));
    if (!isClosed && goesOn.test(text.slice(behind, behind + NEAR))) continue;
    const key = keyOf(name);
    const before = found.get(key);
    const of =
      head === undefined ? subjects.findLast(({ index }) => index < match.index)?.[1] : said.toLowerCase();
    // A second list may be of another record's.
    found.set(key, { words: before === undefined || before.words.join() === known.join() ? known : [], of });
  }
  for (const match of text.matchAll(alone)) {
    const [written] = match;
    const list = subjectBefore(text, match.index);
    if (list === undefined || found.has(keyOf(list.name))) continue;
    const known = wordsIn(written);
    if (known.length < 2 || known.some((each) => prose.test(each))) continue;
    const behind = text.slice(match.index + written.length, match.index + written.length + NEAR);
    if (goesOn.test(behind)) continue;
    if (written.includes("/") ? known.some((each) => ofDates.test(each)) : !written.includes("|")) {
      // `name is first, middle and last` says what it is made of, and a list without an end may go on.
      const isChosen = /\s+or\s/.test(written);
      const isEnded = /\s+and\s/.test(written) || /^\s*(?:[.;)]|$)/.test(behind);
      if (!isChosen && !(list.isOfAll && known.length > 2 && isEnded)) continue;
    }
    found.set(keyOf(list.name), {
      words: known,
      of: list.of ?? subjects.findLast(({ index }) => index < match.index)?.[1],
    });
  }
  for (const [, name, written] of text.matchAll(letters) as Iterable<[string, string, string]>)
    if (!found.has(keyOf(name)))
      found.set(keyOf(name), { words: [...written.matchAll(/[A-Z]+(?=\()/g)].map(String), of: undefined });
  for (const [, name, written] of text.matchAll(enums) as Iterable<[string, string, string]>) {
    const words = written.split(/[\s,|]+/);
    // Members of this type are mostly called by its last word: `state`.
    for (const key of new Set([keyOf(name), keyOf(name).split(" ").at(-1)!]))
      found.set(key, { words: found.has(key) ? [] : words, of: undefined });
  }
  for (const [name, { words }] of found) if (words.length === 0) found.delete(name);
  return found;
}

/** `Events` are what an `event` may be. */
const keyOf = (name: string): string => wordsOf(name).map(singular).join(" ");

/** The words of a list as it is written, but null. */
const wordsIn = (written: string): readonly string[] =>
  written
    .split(
      written.includes("/") && !/[\s,|]/.test(written)
        ? "/"
        : /\s*\|\s*|,\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+/,
    )
    .map((word) => word.replace(/["'`]/g, ""))
    .filter((word) => word !== "null");
