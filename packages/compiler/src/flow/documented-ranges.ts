import { memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { isLimited, statementsIn } from "./documented-statements.ts";
import { isOfOneList, isOfScreens, isOfThePast, isUnderCondition } from "./said/of-others.ts";

/** Between which numbers a parameter lies, as a comment says it. */
export interface DocumentedRange {
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Numbers beside the range that have a meaning of their own: `rating is 1 to 5, 0 means not rated`. */
  readonly besides: readonly number[];
  readonly comment: StringNode;
}

/** What a comment says of numbers. */
interface Said {
  /** Of parameters that it names: `limit is 1 to 100`. */
  readonly named: ReadonlyMap<string, Bounds | undefined>;
  /** Of a page, however its size is asked for: `50 is the most that a page can have`. */
  readonly page: Bounds | undefined;
}

type Bounds = Pick<DocumentedRange, "least" | "most">;

/** What a comment says of a number, or of numbers on one side of it, that is no range: `0 means not rated`, `above 1 when overbooked`. */
const asides: readonly { readonly form: RegExp; readonly by: number }[] = [
  {
    form: /(?:^|[,;(]\s*(?:(?:and|but|or|where|while|otherwise) )?)(-?\d+(?:\.\d+)?)\s*(?:=|:|\b(?:means?|stands? for|says?|if|for|when|where|until|unless|without|marks?)\b)/gi,
    by: 0,
  },
  {
    form: /\b(?:it|they|that|which)(?:'s| is| are| may be| can be| becomes?| stays?) (-?\d+(?:\.\d+)?)(?![\w%]|[.,]\d)/gi,
    by: 0,
  },
  {
    form: /\b(?:above|over|beyond|more than|greater than|higher than) (-?\d+(?:\.\d+)?) (?:if|when|for|in|during|while|where|means?)\b/gi,
    by: 0.5,
  },
  {
    form: /\b(?:below|under|less than|lower than) (-?\d+(?:\.\d+)?) (?:if|when|for|in|during|while|where|means?)\b/gi,
    by: -0.5,
  },
];

/** The numbers that have a meaning of their own, in the sentences that name a member and in those behind them that begin with a number. */
function besidesIn(text: string, name: string): readonly number[] {
  const found: number[] = [];
  let isOfName = false;
  for (const sentence of sentencesOf(text)) {
    isOfName = rangesIn(sentence).named.has(name) || (isOfName && goesOn.test(sentence));
    if (!isOfName) continue;
    for (const { form, by } of asides)
      for (const [, written] of sentence.matchAll(form)) found.push(Number(written) + by);
    const [, side] = outside.exec(sentence) ?? [];
    if (side !== undefined)
      found.push(/^(?:above|over|more|higher|greater)$/i.test(side) ? Infinity : -Infinity);
  }
  return found;
}

/** `a bit above now and then`, `sometimes less` */
const outside =
  /\b(?:sometimes|occasionally|rarely|now and then|at times|a (?:bit|little))(?: a (?:bit|little))?(?: now and then)? (above|over|more|higher|greater|below|under|less|lower|negative)\b/i;

/** A sentence that speaks of what was named before. */
const goesOn = /^(?:-?\d|(?:If|When|Where|Without|Until|Otherwise|It|For|Above|Below|Over|Under|There)\b)/;

/**
 * The range of a number that a request sends, by comments: `limit (1 to 50)`, `per_page is at most 100`, `100 rows a page at most`.
 *
 * @param isPageSize whether it is the size of a page: then what is said of pages counts, too
 * @param path of the request; a sentence that names another one speaks of that
 */
export function documentedRange(
  name: string,
  isPageSize: boolean,
  comments: readonly StringNode[],
  path: string | undefined,
): DocumentedRange | undefined {
  for (const comment of comments) {
    if (isOfSeveral(name, comment.value)) continue;
    const said = saidIn(comment.value).flatMap(({ ranges, requests }) =>
      isOfOther(requests, path) ? [] : [ranges],
    );
    const named = said.filter(({ named: all }) => all.has(name));
    const found =
      named.length > 0
        ? named.map(({ named: all }) => all.get(name))
        : isPageSize
          ? said.flatMap(({ page }) => page ?? [])
          : [];
    const [range, ...others] = found;
    if (found.length > 0) {
      const both = others.reduce(together, range);
      if (both === undefined) return undefined;
      return { ...both, besides: named.length > 0 ? besidesIn(comment.value, name) : [], comment };
    }
  }
  return undefined;
}

/** `Courses: level is 1 to 5. Members: level is a word.`: two records have a member of that name. */
function isOfSeveral(name: string, comment: string): boolean {
  const labels = [
    ...comment.matchAll(
      /(?:^|[.;] )([A-Z][a-z]+s): ([A-Za-z_$][\w$-]*)(?= (?:is|are|may|can|must|goes)\b|[:(])/g,
    ),
  ];
  return new Set(labels.flatMap(([, label, of]) => (of === name ? [label] : []))).size > 1;
}

/** What two sentences say, one of the least and one of the most; undefined where they say different things. */
function together(one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined {
  if (one === undefined || other === undefined) return undefined;
  const least = one.least ?? other.least;
  const greatest = one.most ?? other.most;
  const isKept = (other.least ?? least) === least && (other.most ?? greatest) === greatest;
  return isKept ? { least, most: greatest } : undefined;
}

const isSame = (one: Bounds, other: Bounds | undefined): boolean =>
  one.least === other?.least && one.most === other?.most;

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.;])\s+/);

/** What each sentence of a comment says, and the last segments of the requests that it names. A comment is asked for every name. */
const saidIn = memoize(
  (text) =>
    sentencesOf(text).map((sentence) => ({
      ranges: rangesIn(sentence),
      requests: [...sentence.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) (\/[^\s?,:;]*)/g)].map(([, found]) =>
        lastSegment(found!),
      ),
    })),
  100,
);

/** Whether a sentence names requests, and none of them is this one. */
const isOfOther = (requests: readonly (string | undefined)[], path: string | undefined): boolean =>
  requests.length > 0 && path !== undefined && !requests.includes(lastSegment(path));

const lastSegment = (path: string): string | undefined =>
  path
    .split(/[?#]/)[0]!
    .split("/")
    .findLast((segment) => /^[a-z][\w-]*$/.test(segment));

const number = String.raw`(\d{1,3}(?:,\d{3})+|\d+)(?![\w%]|[.,]\d)`;
/** What is counted in others than records. */
const records = String.raw`(?! (?:milli)?(?:requests|calls|seconds|minutes|hours|days|weeks|bytes|kilobytes|characters|[kKM]i?B|cycles|pages)\b)`;
const most = String.raw`(?:at (?:the )?most|up to|no more than|not more than|a maximum of|at maximum|max(?:imum|\.)?)`;
const one = String.raw`(?:(?:a|an|per|on a|in a|one|each|any|in one|on one|for one|for each|in each) (?:\w+ )?(?:page|call|request|answer|response|reply)|at (?:a|one) time|at once)\b`;
const between = `(?:between ${number} and|(?:from )?${number}(?: \\([^()]*\\))? (?:to|and|-|–)) ${number}`;

/** How much a page has: `at most 50 a call`, `50 is the most that a page can have`, `A limit above 200 is cut down to 200`. */
const pages: readonly RegExp[] = [
  `\\b${most} ${number}${records}(?: [a-z]+){0,3}? ${one}`,
  `\\b${number}${records}(?: [a-z]+){0,2}? (?:a|per|on a|in a|each|at a|in one) (?:page|call|request|time)\\b,? (?:at (?:the )?most|maximum|at maximum)`,
  `\\b${number} (?:is|are) the (?:most|maximum|limit|largest|highest|greatest)(?: \\w+)?(?: that| which)? (?:a|an|one|any|each) (?:page|call|request|answer)\\b`,
  `\\b(?:limits?|page sizes?|sizes?) (?:above|over|beyond|of more than|greater than|larger than|higher than) ${number}\\b`,
  `\\b(?:pages?|parts|slices|batches) (?:of|have|has|hold|holds|can have|can hold|may have) ${most} ${number}${records}`,
  `\\bpage (?:size|length)s? (?:is|are) (?:capped|limited|cut) (?:at|to) ${number}`,
  `\\bpage (?:size|length)s? (?:may|must|can|should)(?:n't| not|not) (?:exceed|be (?:more|greater|larger|higher) than|be above|go above) ${number}`,
].map((form) => new RegExp(form, "gi"));
const pageRange = new RegExp(
  `\\bpage (?:length|size)s? (?:is|are|lies?|must be|may be|goes|runs) ${between}`,
  "i",
);

const name = String.raw`(?<![\w$.])([A-Za-z$][\w$-]*(?:\[\w+\])?)["'\`]?`;
const verb = `(?: is| are| goes| runs| ranges| lies| may be| can be| must be| has to be|:|,)`;
/** `limit is 1 to 100`, `limit (1 to 50)`, `first is an Int from 1 to 200`, `companions, 0 to 3` */
const namedRange = new RegExp(
  `${name}(?:${verb}|(?=\\s*\\()|(?= an? ))(?: (?:always|an?|the|whole|integer|Int|number|numbers))*\\s*\\(?\\s*${between}`,
  "g",
);
/** `limit is at most 100`, `per_page (at most 100)`, `size is 50 at most`, `reduction_bp: integer, at most 10000` */
const namedMost = new RegExp(
  `${name}(?:${verb}|(?=\\s*\\())(?: (?:an?|whole|integer|Int|number|basis points|text|,)+)*,?\\s*\\(?\\s*(?:${most} ${number}|${number} (?:at (?:the )?most|maximum|at maximum))`,
  "g",
);
/** `100 is the most that per_page takes` */
const mostOfNamed = new RegExp(
  `\\b${number} (?:is|are) the (?:most|maximum|limit|largest|highest|greatest)(?: \\w+)?(?: that| which)? ["'\`]?([A-Za-z$][\\w$-]*(?:\\[\\w+\\])?)["'\`]? (?:takes?|accepts?|allows?|can (?:be|have)|may (?:be|have)|goes)\\b`,
  "gi",
);
/** `quantity must be at least 1`, `has a minimum of 1 and a maximum of 20` */
const statedLeast = new RegExp(
  `^(?:(?:is|are|must be|may be|can be|has to be|should be)(?: an?| the| whole| integer| number){0,3}|has|have)(?: an?)? (?:at least|no less than|not less than|min(?:imum)?(?: of)?) ${number}${records}(?: (?:and|to) (?:an? )?(?:at most|no more than|max(?:imum)?(?: of)?) ${number})?(?: or more)?$`,
);
/** `limit may not exceed 100`, `has a maximum of 100` */
const statedMost = new RegExp(
  `^(?:(?:(?:may|must|can|should)(?:n't| not|not)|can't) (?:exceed|be (?:more|greater|larger|higher|bigger) than|be above|go above|go over)|(?:is|are|must be|has to be|should be|may be|can be) (?:no|not) (?:greater|more|larger|higher|bigger) than|has an? (?:maximum|upper limit|ceiling) of|(?:is|are) (?:capped|limited) (?:at|to)) ${number}${records}$`,
);
/** `depth is 3 or less`, `quantity is 1 or more` */
const statedOr = new RegExp(
  `^(?:is|are|must be|has to be|should be|can be) ${number} or (?:(less|fewer|below|lower)|more|above|greater|higher)$`,
);
/** `The maximum for limit is 100` */
const mostFor = new RegExp(
  `\\b(?:[Mm]aximum|[Mm]ax|[Ll]argest|[Hh]ighest)(?: value| number)? (?:of|for) ["'\`]?([A-Za-z$][\\w$-]*(?:\\[\\w+\\])?)["'\`]? is ${number}${records}`,
  "g",
);
/** `limit is at most 100 (200 for readings)`: it depends. */
const exception =
  /^(?:\s*\((?:[^()]*\d|[^()]*\b(?:for|except|unless)\b)|,? (?:but|except|unless|or|if|when|depending|most of the time|mostly|usually)\b|,? for (?!all|every|each|any|a (?:page|list|request|call)|one (?:page|request|call))|,? \d+ (?:for|if|in)\b)/;
const ofWrites =
  /\b(?:writes?|writing|imports?|uploads?|batch(?:es)?|bulk) (?:takes?|has|have|of|with|accepts?)\b/i;
const noName = /^(?:it|they|that|this|which|each|all|is|are|of|and|or|from|to|at|in|a|an|the|page|pages)$/i;

/** An edit leaves most comments as they are. */
const rangesIn: (sentence: string) => Said = memoize((sentence) => {
  const named = new Map<string, Bounds | undefined>();
  if (!/\d/.test(sentence) || isOfThePast(sentence) || isOfScreens(sentence))
    return { named, page: undefined };
  const isPlain = ({ 0: whole, index }: RegExpMatchArray): boolean =>
    !exception.test(sentence.slice(index! + whole.length));
  const add = (match: RegExpMatchArray, bounds: Bounds): void => {
    const [, subject] = match;
    if (noName.test(subject!) || isUnderCondition(subject!, sentence)) return;
    const known = named.get(subject!);
    const isKnown = named.has(subject!) && !(known !== undefined && isSame(known, bounds));
    named.set(subject!, isKnown || !isPlain(match) ? undefined : bounds);
  };
  for (const match of sentence.matchAll(namedRange)) add(match, rangeOf(match.slice(2)));
  for (const match of sentence.matchAll(namedMost))
    add(match, { least: undefined, most: numberOf(match[2] ?? match[3]) });
  for (const match of sentence.matchAll(mostOfNamed)) {
    const [, written, subject] = match;
    if (!noName.test(subject!)) named.set(subject!, { least: undefined, most: numberOf(written) });
  }
  for (const [subject, bounds] of statedBounds(sentence))
    if (!named.has(subject) && !noName.test(subject)) named.set(subject, bounds);
  // `Writes take at most 50 records in one call`: those aren't read.
  const found =
    ofWrites.test(sentence) || isOfOneList(sentence)
      ? []
      : pages.flatMap((form) => [...sentence.matchAll(form)]);
  const range = pageRange.exec(sentence);
  const greatest = new Set(found.filter(isPlain).map(([, written]) => numberOf(written)));
  const page =
    range !== null && isPlain(range)
      ? rangeOf(range.slice(1))
      : greatest.size === 1 && found.every(isPlain)
        ? { least: undefined, most: [...greatest][0] }
        : undefined;
  return { named, page };
}, 500);

function statedBounds(sentence: string): readonly (readonly [string, Bounds])[] {
  if (
    isLimited(sentence) ||
    /\b(?:for|if|when|depending|or(?! (?:less|fewer|below|lower|more|above|greater|higher)\b)|default)\b/.test(
      sentence.replace(/\bm(?:ost|ax\w*) for\b|\bmaximum(?: \w+)? for\b/i, ""),
    )
  )
    return [];
  const stated = statementsIn(sentence).flatMap(({ subjects, said, isAside }) => {
    const [, least, both] = (isAside ? null : statedLeast.exec(said)) ?? [];
    const [, greatest] = (isAside ? null : statedMost.exec(said)) ?? [];
    const [, either, isMost] = (isAside ? null : statedOr.exec(said)) ?? [];
    if (either !== undefined) {
      const end = numberOf(either);
      const bounds = isMost === undefined ? { least: end, most: undefined } : { least: undefined, most: end };
      return subjects.map((subject) => [subject, bounds] as const);
    }
    if (least === undefined && greatest === undefined) return [];
    const written = greatest ?? both;
    const bounds = {
      least: least === undefined ? undefined : numberOf(least),
      most: written === undefined ? undefined : numberOf(written),
    };
    return subjects.map((subject) => [subject, bounds] as const);
  });
  const named = [...sentence.matchAll(mostFor)].map(
    ([, subject = "", written]) => [subject, { least: undefined, most: numberOf(written) }] as const,
  );
  return [...stated, ...named];
}

function rangeOf(numbers: readonly (string | undefined)[]): Bounds {
  const [least, greatest] = numbers.filter((each) => each !== undefined).map(numberOf);
  return { least, most: greatest };
}

const numberOf = (written: string | undefined): number => Number((written ?? "").replaceAll(",", ""));
