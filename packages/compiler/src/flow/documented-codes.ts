import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { subjectBefore } from "./documented-subjects.ts";
import { commentsAround, commentsBelow } from "./documented-words.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** The codes that a comment says a member may have, each with its meaning (E261): `role: 0 attendee, 1 panelist, 2 host`. */
export interface DocumentedCodes {
  /** The words of what they are codes of, the last in the singular. */
  readonly subject: readonly string[];
  readonly pairs: readonly (readonly [code: string, label: string])[];
  /** Whether the list goes on, or holds for some time only. */
  readonly goesOn: boolean;
  readonly comment: StringNode;
}

/**
 * What the comments around a place say of the codes of a member, from the innermost.
 *
 * @param also objects whose comments count too, after those
 */
export function documentedCodes(
  name: string,
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): DocumentedCodes | undefined {
  const words = wordsOf(name).map(singular);
  for (const comment of [...commentsAround(place, []), ...also.flatMap((each) => [...commentsBelow(each)])]) {
    const found = codesIn(comment).filter(({ subject }) => isOf(subject, words));
    // Of two lists, one may be another record's.
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** Whether codes of one name are those of another: `severity` and `min_severity`, but not `cause_code` and `postal_code`. */
export const isOf = (subject: readonly string[], words: readonly string[]): boolean =>
  words.length >= subject.length && words.slice(-subject.length).join() === subject.join();

/** The lists of codes in a comment. */
export const codesIn = (comment: StringNode): readonly DocumentedCodes[] =>
  listsIn(comment.value).map((list) => ({ ...list, comment }));

const code = String.raw`(?:\d{1,3}(?![\d.,]*\d)|[A-Z][A-Z\d_]+)(?![\w-])`;
/** What a list is of, and what opens it: `Severity: `, `state is `, `role (`, `Cause codes: `. */
const head = new RegExp(
  String.raw`(?<![\w.$-])([A-Za-z][\w.-]*)["\`]?( (?:codes?|values?|numbers?|levels?))?(?:\s*[:=]\s*|\s*\(\s*|,?\s+(?:is|are|can be|may be)\s+(?:either |one of )?)(?=["\`]?${code})`,
  "g",
);
const item = new RegExp(
  String.raw`["\`]?(${code})["\`]?(?:\s*[=:–]\s*|\s+-\s+|\s*\(\s*|\s+(?:is|are|means|for|stands for)\s+|\s+(?:when|where|if) (?:it|they|(?:an?|the) \w+) (?:is|are) |\s+)["\`]?([A-Za-z][A-Za-z' -]*?)["\`]?\)?(?=\s*(?:[,;/|.)}\]]|$)|,?\s+(?:or|and)\s+["\`]?${code})`,
  "y",
);
const separator = new RegExp(
  String.raw`(?:\s*[,;/|]\s*(?:(?:or|and)\s+)?|\s+(?:or|and)\s+)(?=["\`]?${code})`,
  "y",
);
const ongoing = /^[^.;{}]{0,60}?(?:…|\.\.\.|\b(?:etc|others?|more|and so on|for now|so far|at present)\b)/;

/** What a number counts, or what a sentence goes on with: no name of a code. */
const prose =
  /^(?:to|of|or|and|at|by|per|is|are|if|when|until|while|then|than|a|an|the|as|x|times?|out(?! of (?:service|order|use|stock|date|office|reach|work)\b)|pages?|rows?|items?|records?|entries|requests?|calls?|characters?|digits?|letters?|decimals?|per ?cent|percent|points?|parts?|groups?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|milliseconds?|ms|s|sec|min|h|kg|g|km|m|cm|mm|l|ml|cents?|euros?|dollars?|EUR|USD|GBP|people|persons|guests|seats|nights)\b/i;
/** A member that has any number. */
const uncounted =
  /^(?:ids?|number|no|page|pages|count|limit|offset|total|size|example|e|g|version|line|step|hint|note|default|value|max|min|minimum|maximum|or|and|it|that|this|which|there|one)$/i;

/** Where a list may begin without a head of its own: `In status, 1 is …`. */
const alone = new RegExp(String.raw`(?<![\w.$"'\`/-])(?=["\`]?${code})`, "g");
const status = String.raw`["'\`]?([A-Za-z_]\w*)["'\`]?`;
/** How a list is introduced: `In status, 1 is …`, `status 1=…`. */
const introduced = [
  new RegExp(String.raw`(?<!\w)[Ii]n (?:the )?${status},? $`),
  new RegExp(String.raw`(?:^|[.;,(]\s*|\b(?:an?|the|each|every|its|with) )${status} $`),
];

/** What the words around a list say it is of. */
function nameAround(text: string, { start, last, pairs }: List): string | undefined {
  const headed = subjectBefore(text, start)?.name;
  // Two that nothing opens may be two of many.
  if (headed !== undefined || pairs.length < 3) return headed;
  const before = text.slice(Math.max(0, start - 60), start);
  const [, name] = introduced.flatMap((form) => form.exec(before) ?? []);
  // `… and 3 for lost in status`
  return name ?? behindLast.exec(last)?.[1];
}
const behindLast = / in (?:the )?["'`]?([A-Za-z_]\w*)["'`]?$/;

/** The lists of codes in a comment's text; an edit leaves most comments as they are. */
const listsIn: (text: string) => readonly Omit<DocumentedCodes, "comment">[] = memoize((text) => {
  const found: Omit<DocumentedCodes, "comment">[] = [];
  if (!/\d|[A-Z]{2}/.test(text)) return found;
  let end = 0;
  const add = (name: string, list: List): void => {
    const subject = wordsOf(name.slice(name.lastIndexOf(".") + 1)).map(singular);
    if (!isCounted(subject)) return;
    found.push({ subject, pairs: list.pairs, goesOn: ongoing.test(text.slice(list.end)) });
    end = list.end;
  };
  const heads = [...text.matchAll(head)].map((match) => [match.index + match[0].length, match[1]!] as const);
  const names = new Map(heads);
  for (const { index } of text.matchAll(alone)) {
    if (index < end) continue;
    const list = pairsAt(text, index);
    if (list === undefined) continue;
    const own = names.get(index);
    const name = own === undefined || noName.test(own) ? nameAround(text, list) : own;
    if (name !== undefined) add(name, list);
  }
  return found;
}, 200);

/** `is a number: 1 …` is a head without a name. */
const noName = /^(?:an?|the|its?|api|where|with|numeric|integer|code|in)$/i;
const isCounted = (subject: readonly string[]): boolean =>
  !uncounted.test(subject.at(-1) ?? "") ||
  /^(?:status|state|type|kind|stage|priority|category|role|level|phase|reason) id$/.test(subject.join(" "));

interface List {
  readonly pairs: readonly (readonly [string, string])[];
  readonly start: number;
  readonly end: number;
  readonly last: string;
}

/** The codes that a list at a place has; undefined where it is none. */
function pairsAt(text: string, start: number): List | undefined {
  const pairs: [string, string][] = [];
  const labels = new Set<string>();
  const keys = new Set<string>();
  let at = start;
  let last = "";
  for (;;) {
    item.lastIndex = at;
    const [written, key, label] = (item.exec(text) ?? []) as unknown as [string?, string?, string?];
    if (written === undefined || prose.test(label!)) break;
    // At the first that spoils it, so that long texts aren't read again from each of their numbers.
    if (keys.has(key!) || labels.has(label!.toLowerCase())) return undefined;
    if (/^\d/.test(key!) !== /^\d/.test(pairs[0]?.[0] ?? key!)) return undefined;
    keys.add(key!);
    labels.add(label!.toLowerCase());
    pairs.push([key!, label!.trim()]);
    at += written.length;
    last = label!;
    separator.lastIndex = at;
    const [between] = separator.exec(text) ?? [];
    if (between === undefined) break;
    at += between.length;
  }
  // Behind the last one may stand what all are of: `3 for lost in status`. Before it, “alone in the daytime” is a name.
  const [key, label] = pairs.at(-1) ?? ["", ""];
  if (pairs.length > 1) pairs[pairs.length - 1] = [key, label.replace(behindLast, "").trim()];
  return pairs.length > 1 ? { pairs, start, end: at, last } : undefined;
}
