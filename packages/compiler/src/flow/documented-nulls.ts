import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { statementsIn, unquoted } from "./documented-statements.ts";
import { commentsAround, commentsBelow } from "./documented-words.ts";
import { readRecords } from "./shown-record.ts";

/**
 * The members that the comments around a place say may be null, each with its comment (E261): `fee is null until the visit is over`, `phone
 * may be null`, `guests have null as name`.
 *
 * @param also objects whose comments, and those below them, count too
 */
export function documentedNulls(
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): ReadonlyMap<string, StringNode> {
  const found = new Map<string, StringNode>();
  // What is said at an intake's request is said of the records that come from there.
  for (const comment of [...commentsAround(place, []), ...also.flatMap((each) => [...commentsBelow(each)])])
    for (const name of nullsIn(comment.value)) if (!found.has(name)) found.set(name, comment);
  return found;
}

/** `The customer of an order may be null`: that isn't the order. */
const ofAnother = /\b(?!value|content)\w+ of (?:an?|the|each|every) $/;

/** Each way of saying it, with the names as groups. */
const ways: readonly RegExp[] = [
  // `fee is null until …`, `name and phone may be null`, `born is like 31.12.1980 or null`
  /\b(?:([A-Za-z_]\w*)[`"]? and [`"]?)?([A-Za-z_]\w*)[`"]?\s+(?:is|are|may be|can be|might be|could be|stays?|remains?|comes? as|will be)\s+(?:[^.;:,()`"]{1,40},? (?:and|or) |(?:both|sometimes|often|always|just|simply|then|still) )?null\b/g,
  // `email, mobile and passed_on may be null`
  /(?<=(?:^|[.;:(}])\s{0,2})[`"]?([A-Za-z_]\w*)[`"]?, [`"]?([A-Za-z_]\w*)[`"]?(?:, [`"]?([A-Za-z_]\w*)[`"]?)?,? and [`"]?[A-Za-z_]\w*[`"]?\s+(?:may|can|might|could) (?:each |all |both )?be null\b/g,
  // `born as DD.MM.YYYY, or null`
  /\b([A-Za-z_]\w*)[`"]? (?:as|like) [^;:,()`]{1,30},? or null\b/g,
  // `deposit is in cents, null without one`
  /\b([A-Za-z_]\w*)[`"]? (?:is|are) (?:[^.;:,()`"]|\.\d){1,40}, null (?:until|while|unless|if|when|for|before|where|without|as long)\b/g,
  // `back_at (null while …)`
  /\b([A-Za-z_]\w*)[`"]?\s*\((?:[^)]{0,30}\b)?null (?:until|while|unless|if|when|for|before|where|without)\b/g,
  // `Walk-ins have no guest record (guest_id null)`
  /\(([A-Za-z_]\w*_id|[a-z]+Id)(?: is)? null\)/g,
  // `Guests have null as name and phone`
  /(?<!\b(?:is|are|be|comes?|stays?|remains?) )\bnull (?:as|for|in)(?: the| their| its| his| her)? [`"]?([A-Za-z_]\w*)[`"]?(?:(?:, [`"]?([A-Za-z_]\w*)[`"]?)? and [`"]?([A-Za-z_]\w*))?/g,
  // `household_id: 880 or null`
  /\b([A-Za-z_]\w*)["'`]?: [^\s,;:{}()]{1,30} or null\b/g,
  // `channel: e, p, t or null (never asked)`: longer words without quotes may be members of their own.
  /\b([A-Za-z_]\w*)["'`]?: (?:[\w-]{1,3}, ){1,8}[\w-]{1,3},? or null\b/g,
  /\b([A-Za-z_]\w*)["'`]?(?::| is| may be| can be) (?:(?:one|any|either) of (?:[\w-]{1,20}, ){1,8}[\w-]{1,20}|(?:"[\w -]{1,20}", ){1,8}"[\w -]{1,20}"),? or null\b/g,
  // `pressure: kilopascals (1 bar is 100 kPa) or null`, `merged_into: {id} or null`
  /\b([A-Za-z_]\w*)["'`]?: (?:(?:[^.,;:{}()]|\([^()]*\)){1,60}?|\{[^{}]*\},?) or null\b/g,
  // `phone: "+49 30 …" | null`, `income: 1440000 | null`
  /(?<![\w-])([A-Za-z_](?:[\w-]*\w)?)["'`]?: (?:"[^"]{0,60}"|[^\s,;:{}()|]{1,30})(?: \| [^\s,;:{}()|]{1,30}){0,2} \| null\b/g,
  // `born is written like 31.12.2023, and null for children not yet born`
  /\b([A-Za-z_]\w*)[`"]? (?:is|are|comes|come) (?:written |given |shown |sent )?(?:like|as) (?:[^;:,()`"]|\.\d){1,40}?,? (?:and|but|or) null (?:until|while|unless|if|when|for|before|where|without|as long)\b/g,
  // `Sales over the counter often have no customer_id (null)`
  /\b(?:have|has) no ([A-Za-z_]\w*)[`"]? \((?:it is |it's |that is |then |just )?null\b/g,
  // `Walk-ins have a null phone`, `have company_id null`
  /\bha(?:ve|s) (?:a null [`"]?([A-Za-z_]\w*)|[`"]?([A-Za-z_]\w*)[`"]? null\b)/g,
  // What isn't there is null to a program, too.
  /\b(?:([A-Za-z_]\w*)[`"]? and [`"]?)?([A-Za-z_]\w*)[`"]?\s+(?:may|can|might|could) be (?:missing|absent|left out)\b/g,
];
/** `Patients who came without a referral have no therapist yet (null).` */
const withoutThing =
  /\b(?:have|has|are without|is without) (?:no |an? )?([a-z]+)(?: yet| at first| then)? \((?:it is |it's |that is |then |just )?null\b/g;
/** Words that stand for what was named before. */
const pronoun =
  /^(?:it|members|fields|that|this|which|they|what|there|value|member|field|one|else|otherwise|some|others?|those|them|all|both|and|or|the|a|an|result|answer)$/i;

/** An edit leaves most comments as they are. */
const nullsIn: (text: string) => readonly string[] = memoize((text) => {
  const names = ways.flatMap((way) =>
    [...text.matchAll(way)].flatMap((match) => {
      const [, ...found] = match;
      return ofAnother.test(text.slice(Math.max(0, match.index - 20), match.index)) ? [] : found;
    }),
  );
  // Where records are asked for by their ids, it is the id that is null: `have no therapist yet (null)` of `therapist_id`.
  for (const [, thing] of text.matchAll(withoutThing)) names.push(thing!, `${thing}_id`, `${thing}Id`);
  if (ofNothing.test(text)) names.push(...statedNulls(text));
  // `season: {id, year} or null`
  const shown = text.includes("{") ? readRecords(text).filter(({ isNullable }) => isNullable) : [];
  return [...names, ...shown.map(({ name }) => name)].filter(
    (name) => name !== undefined && !pronoun.test(name),
  );
}, 1_000);

const ofNothing =
  /null|missing|absent|left out|omit|only|unset|always|without|present|there\b|\bnot (?:all|every)|\bno\b/i;
const nothing = `(?:null|nullable|missing|absent|left out|left off|omitted|unset|not (?:set|there|present|sent|known))`;
const adverb = `(?:also |then |simply |just |occasionally |possibly |either |both |well |still )`;
/** What is said of a member that isn't always there. */
const stated: readonly RegExp[] = [
  `(?:may|can|might|could)(?: also| well| both| then| still| sometimes)? (?:be|come(?: back)?(?: as)?|arrive as|stay|remain|hold|have) ${adverb}?(?:empty or |undefined or |an? \\w+ or )?${nothing}`,
  `(?:is|are) ${adverb}{0,2}(?:nullable|null)`,
  `(?:is|are|comes?|stays?|remains?) ${adverb}?(?:sometimes|often|usually|mostly|frequently|now and then) (?:back )?(?:as )?${nothing}`,
  `(?:is|are) ${adverb}?${nothing} (?:for|if|when|until|unless|before|while|where|as long as|on|with)`,
  `(?:isn't|aren't|(?:is|are) not) (?:always|guaranteed|necessarily|certain)(?: to be)? (?:set|there|present|sent|known|filled|given|returned|included)`,
  `(?:doesn't|don't) (?:(?:have|need) to be (?:there|present|set)|always (?:exist|come|arrive))`,
  `(?:isn't|aren't|(?:is|are) not) (?:set|there|present|sent|known|filled|given|returned|included) (?:for every|for all|always|if|when|until|unless|before)`,
  `(?:is|are) only (?:set|there|present|sent|known|filled|given|returned|included) (?:for|if|when|after|once|until|while|with|on)`,
  `(?:comes?|stays?|remains?)(?: back)? (?:as )?null`,
  `has no value (?:for|if|when|until|unless|before)`,
  `is(?: an?)? (?:\\w+ ){1,3}(?:or|\\/|\\|) null`,
].map((form) => new RegExp(`^${form}\\b`));
/** `Not every customer has a phone`, `The API omits phone when it is unknown`, `Nullable: phone, company.` */
const otherwise: readonly RegExp[] = [
  /\b[Nn]ot (?:every|all|each)(?: \w+){1,2} (?:has|have|comes? with) (?:an? |their |its |the )?([A-Za-z_]\w*)(?=[.,;:]|$)/g,
  /\b(?:[Ss]ome|[Mm]any|[Aa] few) (?:\w+ )?\w+s (?:have no|lack an?|lack|come without an?|come without|are without an?|don't have an?) ([A-Za-z_]\w*)(?=[.,;:]|$)/g,
  // `members may have no email`, `guests don't always have a phone`
  /\b[A-Za-z]\w*s (?:(?:may|might|can|could|often|sometimes|frequently) (?:have no|lack an?|lack|come without an?|come without|be without an?)|(?:don't|do not|needn't) (?:always|all|need to|have to) have an?) ([A-Za-z_]\w*)(?=[.,;:]|$)/g,
  /\b(?:have|has) no ([A-Za-z_]\w*)(?=[:,;] (?:the (?:member|field|value)|it|that) is (?:null|missing|absent)\b)/g,
  /\b(?:omits|leaves out|leaves off|drops) ([A-Za-z_]\w*) (?:when|if|for|until|unless|where)\b/g,
  /(?:^|[.;] )(?:Nullable|May be null|Can be null|Sometimes (?:null|missing)|(?:Members|Fields) (?:that|which) (?:may|can|might) be (?:null|missing))(?: members| fields)?: ([A-Za-z_]\w*)(?:, ([A-Za-z_]\w*))?(?:, ([A-Za-z_]\w*))?(?:,? and ([A-Za-z_]\w*))?(?=[.;]|$)/g,
];

const statedNulls = (text: string): readonly string[] => [
  ...statementsIn(text).flatMap(({ subjects, said, isAside, sentence }) =>
    (!isAside || /^is (?:nullable|(?:sometimes|often) (?:null|missing))\b/.test(said)) &&
    !/\bnever\b/.test(said) &&
    !ofSent.test(sentence) &&
    stated.some((form) => form.test(said))
      ? subjects.map((path) => path.slice(path.lastIndexOf(".") + 1))
      : [],
  ),
  ...otherwise.flatMap((form) =>
    [...unquoted(text).matchAll(form)].flatMap(([, ...found]) => found.filter((name) => name !== undefined)),
  ),
];
/** What may be left out of a request says nothing of what comes. */
const ofSent =
  /\b(?:POST|PUT|PATCH|body|request|query|parameters?|params?|to (?:clear|delete|remove|unset)|[Ss]end|we)\b/;
