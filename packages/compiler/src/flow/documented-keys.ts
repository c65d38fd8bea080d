import { escapedPattern, memoize } from "@configc/jq/internal";
import type { StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentsAround } from "./documented-words.ts";
import { isIdName } from "./id-names.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** The comments around a place that say that a record has an id, and something else that it is called by: `A plan has an id and a code`. */
export function commentsOnTwoKeys(name: string, place: SyntaxNode): readonly string[] {
  if (isIdName(name) || !/^\w+$/.test(name)) return [];
  const own = `(?:a|an|its) [\`"]?${name}\\b`;
  const id = 'an [`"]?id\\b';
  const both = new RegExp(`\\bha(?:s|ve) (?:both )?(?:${id}[^.;]*?\\band ${own}|${own}[^.;]*?\\band ${id})`);
  return commentsAround(place, []).flatMap(({ value }) => (both.test(value) ? [value] : []));
}

/** What a comment says is for people alone: `the number is what people read`, `a serial (printed on it)`. */
interface Shown {
  readonly name: string;
  /** The kind of record that has it, where the comment says so: “the customer's number”. */
  readonly of: string | undefined;
}

const forPeople = `(?:printed|prints?|for people|for humans|(?:people|customers|users|staff|learners|everybody|they) (?:read|see|know)s?|(?:read|seen) by (?:people|humans)|for display)`;
const noKey = `(?:no (?:endpoint|path|request|call)s? (?:takes?|knows?|accepts?|wants?)|(?:isn't|aren't|is not|are not|never) (?:taken|accepted|used) by (?:any|the)|is internal)`;
const named = String.raw`(?:\b([A-Za-z]\w*)'s? )?["'\`]?(?<![\w.])([A-Za-z]\w*)["'\`]?`;
const shownForms: readonly RegExp[] = [
  // `number is only what is printed on paper`, `The number is what people read`
  String.raw`${named} (?:is|are) (?:only |just |merely )?(?:what|the one|that which)[^.;:,()]{0,40}?\b${forPeople}\b`,
  // `a serial (printed on it)`, `code (what is printed on invoices)`, `name (for people)`
  String.raw`${named} \((?:only |what is |which is |as )?(?:a \w+ )?${forPeople}\b[^()]*\)`,
  // `a number, a string that the pharmacy prints on the bag`
  String.raw`${named}, (?:an? \w+ )?(?:that|which) (?:the |our )?[^.;:,()]{0,30}?\b${forPeople}\b`,
  // `numbers start again each year and no endpoint takes them`, `The number is for people`
  String.raw`${named} (?:is|are) (?:only |just )?(?:for people|for humans|for display|shown only|only shown)\b`,
  String.raw`(?<=^|[.;] )${named} [^.;:()]{0,60}?\b(?:and|,) ${noKey}\b`,
].map((form) => new RegExp(form, "gi"));
/** The id and not what is beside it: `takes the id, not the number`, `by id rather than by number`, `never number`. */
const against = String.raw`(?:,? (?:and |but )?(?:not|never)|,? rather than|,? instead of| \((?:and )?(?:not|never))(?: by| with| to)?(?: the| its| their| a| an)?`;
const quotedName = String.raw`["'\`]?(?<![\w.])([A-Za-z]\w*)["'\`]?`;
const user =
  "(?:paths?|requests?|calls?|endpoints?|URLs?|updates?|lookups?|the API|(?:GET|PUT|POST|PATCH|DELETE)(?: /[^\\s]{1,60})?|/[^\\s]{1,60}|use|look(?:s|ed)? up|addressed|identified|found|known|named)";
const contrasts: readonly RegExp[] = [
  // `The path takes the id, not the number`, `Updates go by id, not by number`, `Use id in the path, never number`
  new RegExp(
    String.raw`(?<![\w])(${user})(?![\w])(?:'s)?[^.;:()]{0,50}?\bid\b(?: in the (?:path|URL))?${against} ${quotedName}`,
    "gi",
  ),
  // `id, not number, identifies a job`
  new RegExp(
    String.raw`(?<=^|[.;,] |[Tt]he )()["'\`]?id["'\`]?${against} ${quotedName},? (?:identifies|is (?:the key|what|used|taken)|goes in(?:to)? the (?:path|URL)|names)\b`,
    "gi",
  ),
  // `not by number but by id`
  new RegExp(
    String.raw`(?<![\w])(${user})(?![\w])[^.;:()]{0,40}?\bnot (?:by )?(?:the |its )?${quotedName},? but (?:by )?(?:the |its )?id\b`,
    "gi",
  ),
  // `looked up by id (number isn't accepted)`, `by id, number is printed on the invoice`, `its number gives a 404`
  new RegExp(
    String.raw`(?<![\w])(${user}|posted|sent)(?![\w])[^.;:()]{0,50}?\bid\b[,;]?(?: and)? \(?(?:the |its |their )?${quotedName} (?:isn't|is not|aren't|are not|is never|gives an? (?:404|error)|answers 404|doesn't work|does not work|won't work|is printed|is only|is just|is for (?:people|humans|display))\b`,
    "gi",
  ),
];
/** `its text (K7-PLUM) is for people`: what belongs to a record may be called as anything. */
const owned =
  /\b(?:its|their|the (\w+)'s) ["'`]?([A-Za-z]\w*)["'`]?(?: \([^()]{1,40}\))? (?:is|are) (?:only |just |meant )?(?:for people|for humans|for display|what (?:people|customers|users) (?:read|see))\b/gi;
const noName =
  /^(?:it|they|that|this|which|what|who|all|each|both|one|those|these|there|name|title|text|value|list|values|and|or|is|are)$/i;

/** An edit leaves most comments as they are. */
const shownIn: (text: string) => readonly Shown[] = memoize((text) => {
  const add = (of: string | undefined, name: string): readonly Shown[] =>
    noName.test(name) || isIdName(name) ? [] : [{ name: keyOf(name), of: of?.toLowerCase() }];
  const shown = !/print|people|human|display|shown|see|read|takes|accept/i.test(text)
    ? []
    : [
        ...shownForms.flatMap((form) => [...text.matchAll(form)]).flatMap(([, of, name]) => add(of, name!)),
        ...[...text.matchAll(owned)].flatMap(([, of, name]) =>
          isIdName(name!) ? [] : [{ name: keyOf(name!), of: of?.toLowerCase() }],
        ),
      ];
  const contrasted = !/\bid\b/i.test(text)
    ? []
    : contrasts
        .flatMap((form) => [...text.matchAll(form)])
        .flatMap((match) => add(recordIn(match, text), match[2] ?? ""));
  return [...shown, ...contrasted];
}, 500);

/** The kind of record that a sentence is about, by a path or a word in front of the id. */
function recordIn({ 0: whole, index }: RegExpMatchArray, text: string): string | undefined {
  const before = text.slice(0, index! + whole.length).replace(/^.*[.;]\s/s, "");
  const segments = before.match(/\/[a-z][\w-]*(?:\/[{:][^/\s]{1,40})?/gi) ?? [];
  const path = (segments.findLast((each) => /[{:]/.test(each)) ?? segments.at(-1))?.match(
    /[a-z][\w-]*/i,
  )?.[0];
  const [, owner] = /\b([a-z]+)'s? ["'`]?id\b/i.exec(before) ?? [];
  const [, named] = /^(?:the |an? |our )?([a-z]+s) (?:are|go|have)\b/i.exec(before) ?? [];
  const noun = path ?? owner ?? (named !== undefined && !general.test(named) ? named : undefined);
  return noun === undefined ? undefined : singular(noun.toLowerCase());
}
const general = /^(?:paths|requests|calls|endpoints|urls|updates|lookups|records|ids|they|these|all)$/i;

const keyOf = (name: string): string => wordsOf(name).map(singular).join(" ");

/**
 * The comment that says of a member that it is for people and no key: `Paths want the id; the number is what people read`.
 *
 * @param of the kind of record that has it, `customer`
 */
export function commentOnShown(
  name: string,
  of: string | undefined,
  comments: readonly StringNode[],
): StringNode | undefined {
  const wanted = keyOf(name);
  const found = comments.find(({ value }) =>
    shownIn(value).some(
      (shown) =>
        shown.name === wanted && (shown.of === undefined || of === undefined || singular(of) === shown.of),
    ),
  );
  return found !== undefined && comments.some(({ value }) => isKeyIn(name, value)) ? undefined : found;
}

/** The comment of a request that says that it goes by the id and not by a member: `Needs the id, not the number`. */
export function commentOnId(name: string, comments: Iterable<StringNode>): StringNode | undefined {
  const form = new RegExp(
    `\\b(?:needs?|takes?|wants?|expects?|uses?|asks for|goes|by)\\b[^.;:]{0,30}\\bid\\b["\`]?,? (?:and )?not (?:by )?(?:(?:the|its|an?) )?(?:\\w+'s )?["\`]?${escapedPattern(name)}\\b`,
    "i",
  );
  for (const comment of comments) if (form.test(comment.value)) return comment;
  return undefined;
}

/** Whether a comment says that requests name a record by a member: `Paths go by the code`, `a code (used by the API)`. */
function isKeyIn(name: string, given: string): boolean {
  // What a sentence denies isn't said.
  const denied = new RegExp(
    String.raw`${against} ["'\`]?${escapedPattern(name)}\b|\bnot (?:by )?(?:the )?${escapedPattern(name)},? but\b|${escapedPattern(name)} (?:(?:isn't|is not|aren't|is never) (?:accepted|taken|used)|is (?:printed|only|just|for (?:people|humans|display))\b)`,
    "gi",
  );
  const comment = given.replace(denied, "");
  const own = `["'\`]?${escapedPattern(name)}s?["'\`]?(?!\\w)`;
  return new RegExp(
    `\\b(?:paths?|requests?|calls?|filters|endpoints?|API|everything|events)\\b[^.;]{0,40}\\b(?:by|wants?|takes?|uses?|names?|needs?)\\b[^.;]{0,20}\\b(?<!no endpoint takes )${own}|${own} \\([^)]*\\b(?:used|taken|wanted|API|paths?|arguments)\\b`,
    "i",
  ).test(comment);
}
