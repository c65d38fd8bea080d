import { memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { saidOfService } from "./documented-everywhere.ts";
import { isLimited, isOfOwn, statementsIn } from "./documented-statements.ts";
import { singular } from "./nouns.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { isMoney, type Unit, unitOfTitle } from "./unit.ts";

/** What a comment says that a member counts (E262). */
export interface DocumentedUnit {
  readonly unit: Unit;
  readonly comment: StringNode;
}

/** A name of which only what is said of all times speaks. */
export const anyTime = "any_at";

/** What comments say that members count, by their names. */
export type DocumentedUnits = (name: string) => DocumentedUnit | undefined;

/**
 * What comments say that members count: `value_cents cents`, `Weights are grams`, `all money is in pence`.
 *
 * @param around comments, those that count most first
 * @param ofService comments elsewhere that say something of the whole service
 * @returns undefined where they say nothing of units
 */
export function documentedUnits(
  around: readonly StringNode[],
  ofService: readonly StringNode[],
): DocumentedUnits | undefined {
  const comments = [
    ...around.map((comment) => ({ comment, said: saidIn(comment.value) })),
    ...ofService.map((comment) => ({ comment, said: saidIn(saidOfService(comment.value)) })),
  ].filter(({ said }) => said.length > 0);
  return comments.length === 0 ? undefined : (name) => documentedUnit(name, comments);
}

function documentedUnit(
  name: string,
  comments: readonly { readonly comment: StringNode; readonly said: readonly Said[] }[],
): DocumentedUnit | undefined {
  const words = wordsOf(name);
  for (const { comment, said } of comments) {
    const units = new Set(said.flatMap((each) => (isOf(each, words) ? [each.unit] : [])));
    if (units.size > 1) return undefined;
    for (const unit of units) return { unit, comment };
  }
  return undefined;
}

interface Said {
  /** The words of a member's name, or one noun in the singular. */
  readonly subject: readonly string[];
  readonly isKind: boolean;
  readonly unit: Unit;
}

function isOf({ subject, isKind }: Said, all: readonly string[]): boolean {
  const [first, ...ending] = subject;
  if (first === anyBefore)
    return all.length > ending.length && all.slice(-ending.length).join() === ending.join();
  if (!isKind) return subject.join(" ") === all.join(" ");
  // `shareOfPrice` is a share.
  const of = all.indexOf("of");
  const words = of > 0 ? all.slice(0, of) : all;
  const [noun = ""] = subject;
  if (noun === "money" || noun === "amount" || noun === "sum") return isMoney(words.at(-1) ?? "");
  if (timeNouns.has(noun)) return moments.has(words.at(-1) ?? "");
  return words.map(singular).includes(noun);
}

/** What `…_ts` and `*_at` are read as: every name that ends so. */
const anyBefore = "anybefore";
const ending = /(?<!\S)(?:…|\.{3}|\*)_?(?=[A-Za-z])/g;

const timeNouns: ReadonlySet<string> = new Set(["time", "timestamp", "instant", "moment"]);
const moments: ReadonlySet<string> = new Set(["at", "time", "timestamp", "ts"]);

/** A name, or a path: `site.utc_offset`. */
const name = String.raw`(?<![\w.$-])(?:[A-Za-z][\w-]*\.)*[A-Za-z][\w-]*(?![\w.-])`;
/** What stands before a unit without saying another: `a whole number of`. */
const filler = `(?:(?:always|all|both|each|given|counted|written|kept|in|of|an?|the|whole|integer|decimal|numbers?|texts?|integers?|[Uu]nix|UNIX|[Ee]poch|times?|timestamps?) ){0,6}`;
const stated = new RegExp(
  String.raw`(${name}(?:(?:, | and |, and )${name}){0,4})(?: (?:in|of|at) (?:the |this |our |an? |all )?[\w-]+)?(?: (?:is|are|runs|run|goes|ranges) (?:(?:inclusive|exclusive|optional|required|(?:whole )?numbers?|integers?)[,:]? )?| (?=in )| (?=(?:milli|micro)?seconds since )|: | \()(${filler}[A-Za-z0-9%€$£][^,.;:()]{0,40})`,
  "g",
);
/** `closed_at is set when the fare is paid (epoch milliseconds)`: brackets speak of what the sentence begins with. */
const aside = new RegExp(
  String.raw`^(${name}) is [^.,;:()]{1,80} \((${filler}[A-Za-z0-9%€$£][^,.;:()]{0,40})\)`,
);
/** `amounts are cents, times milliseconds`: the second one says no verb. */
const elliptic = new RegExp(
  String.raw`^,(?: and)? (${name}) ((?:in )?(?:[Uu]nix |epoch )?[A-Za-z%]+)(?![\w-])(?= since|[,.;:)]|$)`,
);
/** `All times that Acme sends or takes are numbers of milliseconds`: so far from what is said of all, but no `texts with whole seconds`. */
const ofAll =
  /\b[Aa]ll (?:the |its |our |other )?(times|timestamps|moments|instants|money|amounts|prices|sums|fees)\b[^.;:(),]{0,70}?(?<!\d |\b(?:with|without|to|no|have|has|show|include|and) (?:the |their )?(?:whole |full )?)\b(milliseconds|seconds|cents|pence|minor units?|smallest unit)\b/g;
/** `All instants of this API, in and out, are milliseconds` */
const bothWays =
  /,? (?:in and out|out and in|in or out|sent (?:and|or) received|received (?:and|or) sent|read (?:and|or) written|both ways|in both directions),(?= (?:is|are|come|go|count|must)\b)/g;
/** `slot: {id, starts_at, ends_at} in epoch seconds`: of a record only its times are. */
const inBraces =
  /\{([\w, ]{1,120})\},? (?:is |are |both )?in ((?:whole )?(?:epoch |unix )?(?:milli)?seconds)\b/gi;
/** `changed_after is in milliseconds, as all times of Acme's are` */
const likeAll =
  /,? (?:like|just as|as) all (?:the |other |its |our )?(times|timestamps|moments|instants|money|amounts|prices|sums)\b(?! (?:that|which|before|after|in|of the|of an?) )/;
const opening = new RegExp(`^${filler}`);

/** `in days`, `a whole number of days` */
const countsDays =
  /^(?:\w+ ){0,4}(?:(?<!\b(?:list|array|set) )of|in) (?:whole |full |calendar )?days\b(?! (?:of|when|on|that|which|where|like|such)\b| \(?[\d"[])/;

/** Units that stand at the beginning of what is said. */
function unitSaid(text: string): Unit | undefined {
  const said = text.replace(opening, "");
  if (/^0 (?:to|and) 1\b/.test(said) || /^(?:from|between) 0 (?:to|and) 1\b/.test(said)) return "fractions";
  if (/^(?:smallest|minor) (?:unit|coin)s?\b/.test(said)) return "minor";
  if (/^(?:met(?:re|er)s? per second|m\/s)\b/.test(said)) return "metresPerSecond";
  if (/^(?:kilomet(?:re|er)s? per hour|km\/h)\b/.test(said)) return "kilometresPerHour";
  if (/^(?:miles per hour|mph)\b/.test(said)) return "milesPerHour";
  if (/^ms\b/.test(said)) return "milliseconds";
  if (/^knots\b/.test(said)) return "knots";
  if (/^pounds\b/.test(said)) return "major";
  if (/^tenths of\b/.test(said)) return unitOfTitle(said);
  const [first = ""] = /^[\w%€$£]+/.exec(said) ?? [];
  // `wh` and `kwh` are written in any letters; `days` may be a list of them, where nothing says that they are counted.
  if (/^days$/i.test(first)) return /^days since\b/.test(said) || countsDays.test(text) ? "days" : undefined;
  return /^\d/.test(first) ? undefined : unitOfTitle(first);
}

/** What a comment says of units; an edit leaves most comments as they are. */
const saidIn: (text: string) => readonly Said[] = memoize((text) => {
  const found: Found = new Map();
  let before: readonly Said[] = [];
  // `Money is an object of amount (whole minor units)` speaks of its member.
  const plain = text
    .replace(ending, `${anyBefore}_`)
    .replace(bothWays, "")
    .replace(/\b(?:object|record|pair|map) of (?=[a-z]\w* \()/g, "");
  for (const sentence of plain.split(/(?<=[.;])\s/)) {
    if (sentence.length > LONGEST || !unitWord.test(sentence) || isOfOwn(sentence)) continue;
    const known = found.size;
    const [, only, bracketed = ""] = aside.exec(sentence) ?? [];
    const unitOfOnly = unitSaid(bracketed);
    if (only !== undefined && unitOfOnly !== undefined) add(found, only, unitOfOnly, sentence);
    for (const [, subject = "", said = ""] of sentence.matchAll(ofAll)) {
      const unit = unitSaid(said);
      if (unit !== undefined) add(found, subject, unit, sentence, true);
    }
    stated.lastIndex = 0;
    for (let match = stated.exec(sentence); match !== null; match = stated.exec(sentence)) {
      const [whole, subjects, said] = match as unknown as [string, string, string];
      const unit = isEither.test(said.replace(opening, "")) ? undefined : unitSaid(said);
      if (unit === undefined) {
        // What follows may be the subject: `It counts days: arrival and departure are days since 1970`.
        stated.lastIndex = match.index + /^[\w-]+/.exec(whole)![0].length;
        continue;
      }
      const isEvery = /\b(?:every|each|all)\s$/i.test(sentence.slice(0, match.index));
      for (const subject of subjects.split(/, and |, | and /)) add(found, subject, unit, sentence, isEvery);
      const start = match.index + whole.length - said.length;
      // Of two units for one member it depends which is meant: both are kept, so that neither counts.
      for (const other of alsoSaid(sentence.slice(start), unit))
        for (const subject of subjects.split(/, and |, | and /))
          add(found, subject, other, sentence, isEvery);
      let behind = sentence.slice(match.index + whole.length);
      for (let next = elliptic.exec(behind); next !== null; next = elliptic.exec(behind)) {
        const other = unitSaid(next[2]!);
        if (other === undefined) break;
        add(found, next[1]!, other, sentence);
        behind = behind.slice(next[0].length).replace(/^ since [^,.;]*/, "");
      }
    }
    for (const [, members = "", said = ""] of sentence.matchAll(inBraces)) {
      const unit = unitSaid(said);
      const times = members.split(/\s*,\s*/).filter((each) => /^[a-z]\w*(?:_at|At|_ts|_time)$/.test(each));
      if (unit !== undefined) for (const each of times) add(found, each, unit, sentence);
    }
    const [, like] = likeAll.exec(sentence) ?? [];
    const units = new Set([...found.values()].slice(known).map(({ unit }) => unit));
    if (like !== undefined && units.size === 1) add(found, like, [...units][0]!, sentence, true);
    if (found.size > known) before = [...found.values()].slice(known);
    else for (const other of unitsOfOthers(sentence)) addBeside(found, before, other);
  }
  if (unitWord.test(plain)) addStated(found, plain.replace(monetary, "money"));
  return [...found.values()];
}, 200);

/** What stands before another unit of the same: `, since May in …`, `and for children in …`. */
export const orIn =
  "(?:,| and| or| but)(?: (?:and|or|but|now|then|later|otherwise|since|(?:since|for|from|until|before|after|of|with) [^,.;:()]{1,40}?)){0,2},? (?:in|as)";
/** `in seconds before 2020 and in milliseconds since`, `in cents, but in euros for …` */
const also = new RegExp(`${orIn} (${filler}[A-Za-z%€$£][^,.;:()]{0,40})`, "g");

/** The other units of the same that a sentence says of a member behind the first one. */
function alsoSaid(text: string, first: Unit): readonly Unit[] {
  const said = [...text.matchAll(also)].flatMap(([, each]) => unitSaid(each!) ?? []);
  return said.filter((each) => each !== first);
}

/** `The new app sends milliseconds`: a unit of the same members for some. */
const ofOthers =
  /^(?:[Tt]he |[Aa]n? |[Ss]ome |[Oo]ld(?:er)? |[Nn]ew(?:er)? |[Ff]or |[Ii]n |[Ss]ince )[^.;:,()]{1,50}? (?:sends?|gives?|has|have|uses?|writes?|stores?|counts?|comes? in|are in|is in)(?: it| them)?(?: in| as)? ((?:milli|micro)?seconds|ms|cents|pence|euros|dollars|pounds|grams|kilograms|met(?:re|er)s|kilomet(?:re|er)s|minutes|hours)(?=[.;,]|$)/;

/** The unit that a sentence says of some of what was spoken of before it. */
export function unitsOfOthers(sentence: string): readonly Unit[] {
  const [, said] = ofOthers.exec(sentence) ?? [];
  return said === undefined ? [] : [unitSaid(said) ?? []].flat();
}

function addBeside(found: Found, before: readonly Said[], unit: Unit): void {
  for (const each of before)
    if (each.unit !== unit) found.set(`${each.isKind} ${each.subject.join(" ")} ${unit}`, { ...each, unit });
}

const monetary = /\b(?:monetary|money|currency) (?:values?|amounts?)\b/gi;
/** `comes in cents`, `is measured in pence`, `is an integer in cents` */
const counts =
  /^(?:is|are|(?:must|should|may|has to|have to|needs? to) be|comes?|goes|arrives?|counts?|uses?|holds)(?: (?:back|always|all|both|only|just|simply|measured|expressed|given|counted|returned|sent|stored|stated|denominated|specified|reported|written|an?|the|whole|integer|integers|number|numbers|as|in|of|epoch|unix|Unix|UNIX|timestamps?|times?)){0,8} (?=[A-Za-z%€$£])/;
/** `Acme sends all prices as cents`, `The service counts time in milliseconds`: what is sent stands behind the verb. */
const taken = new RegExp(
  String.raw`\b(?:returns?|sends?|gives?|reports?|delivers?|expects?|takes?|wants?|counts?|measures?) (all |every |each )?(?:of )?(?:the |its |their )?(${name}) (?:as|in) (${filler}[A-Za-z%][^,.;:()]{0,40})`,
  "g",
);
/** `Acme counts in epoch milliseconds`: what is counted since the epoch is its times. */
const byEpoch =
  /^(?:The (?:API|service)|[A-Z][A-Za-z]{2,40}) (?:counts|reckons|works|speaks|thinks|measures)(?: only| always)? in (?:[Ee]poch|[Uu]nix|UNIX) ((?:milli)?seconds)(?: (?:everywhere|throughout|only))?[.;]?$/;
/** What such a sentence may speak of instead of the service, where it begins with it. */
const ofPlace =
  /^(?:Cursors?|Clock|Time|Timestamp|Since|Until|From|Window|State|Watermark|Mark|Position|Age|Start|End|Date|It|This|That|Each|Every)\b/;
/** `Cents in total_amount.` */
const inverted =
  /^((?:Whole |Integer )?[A-Z][a-z]+) in ([A-Za-z_]\w*(?:(?:, | and )[A-Za-z_]\w*){0,3})[.;]?$/;

/** What is said of members in whole statements, whatever stands around them. */
function addStated(found: Found, text: string): void {
  for (const { subjects, said, isAside, isOfAll, sentence } of statementsIn(text)) {
    if (isLimited(sentence) || (isAside && !/^is (?:always |given |all )?in /.test(said))) continue;
    const [start] = counts.exec(said) ?? [];
    if (start === undefined || /^counts? (?:all|both|only) /.test(start)) continue;
    // `counts days` and `is measured in days` say that they are counted.
    const isCounted = /\b(?:counts?|in) $/.test(start);
    const rest = said.slice(start.length);
    addOnce(found, subjects, isCounted ? rest.replace(/^(?=days\b)/, "in ") : rest, sentence, isOfAll);
  }
  for (const sentence of text.replace(/[`"']/g, "").split(/(?<=[.;])\s/)) {
    if (sentence.length > LONGEST || !unitWord.test(sentence) || isLimited(sentence)) continue;
    for (const [whole, every, noun = "", said = ""] of sentence.matchAll(taken))
      if (/\btime$/.test(noun) && /^(?:counts?|measures?)/.test(whole))
        addOnce(found, ["times"], said, sentence, true);
      else addOnce(found, [noun], said, sentence, every !== undefined);
    const [, epoch] = ofPlace.test(sentence) ? [] : (byEpoch.exec(sentence) ?? []);
    if (epoch !== undefined) addOnce(found, ["times"], epoch, sentence, true);
    const [, unit, names = ""] = inverted.exec(sentence) ?? [];
    if (unit !== undefined) addOnce(found, names.split(/, | and /), unit.toLowerCase(), sentence, false);
  }
}

function addOnce(
  found: Found,
  subjects: readonly string[],
  said: string,
  sentence: string,
  isEvery: boolean,
): void {
  const unit = unitSaid(said);
  if (
    unit === undefined ||
    /^\S+(?: \S+){0,2} (?:or|per|an?|each|later|after|before|ago|old|long)\b/.test(said)
  )
    return;
  for (const subject of subjects)
    if (unitSaid(subject) === undefined) add(found, subject, unit, sentence, isEvery);
}

/** `cents or euros`, `cents only if …` */
const isEither = /^\S+ (?:or (?:in )?(?!null\b|more\b|less\b)|only (?:if|when|for)\b|depending\b)/;

/** What was said already is kept once. */
type Found = Map<string, Said>;

/** A sentence that is longer says more than units. */
const LONGEST = 600;
const unitWord =
  /basis|mills|cent|pence|rappen|groszy|minor|smallest|euro|pound|dollar|EUR|USD|GBP|CHF|second|\bms\b|minute|hour|week|days|gram|kg|tonne|met(?:re|er)|km|cm|mm|lit(?:re|er)|ml|Wh|byte|pascal|psi|mbar|tenths|knots|m\/s|0 (?:to|and) 1|%/i;
const notAll = /\b(?:but|except|unless|only|others?|elsewhere|otherwise|some|most|not|or)\b/i;
/** `, not euros` says the same again. */
const contrast =
  /, (?:and )?(?:not|never) (?:in |as )?(?!all\b|every|always|those|for\b|in\b|the\b)[\w%]+(?=[.,;)]|$)/g;

function add(found: Found, path: string, unit: Unit, sentence: string, isEvery = false): void {
  const subject = path.slice(path.lastIndexOf(".") + 1);
  const words = wordsOf(subject);
  const [word = ""] = words;
  if (words.length === 0 || pronoun.test(subject)) return;
  const isKind =
    word !== anyBefore && words.length === 1 && (isEvery || word === "money" || singular(word) !== word);
  if (isKind && notAll.test(sentence.replace(contrast, ""))) return;
  const named = isKind ? [singular(word)] : words;
  found.set(`${isKind} ${named.join(" ")} ${unit}`, { subject: named, isKind, unit });
}

const pronoun =
  /^(?:it|they|that|which|this|these|those|who|there|what|and|or|is|are|one|both|each|all|list|lists|page|pages|window|step|value|values)$/i;
