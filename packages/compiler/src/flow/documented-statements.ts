import { memoize } from "@configc/jq/internal";

/** One thing that a comment says of members, whatever else its sentence says: `amount is in cents, may be null, and counts all lines`. */
export interface Statement {
  /** Names of members, or nouns: `amount`, `order.amount`, `Times`. */
  readonly subjects: readonly string[];
  /** What is said, from its verb on. A colon, a bracket and what stands behind a comma without a verb are read as `is`. */
  readonly said: string;
  /** Whether it stands behind a comma, without a verb: `in cents` of `price: integer, in cents`. */
  readonly isAside: boolean;
  /** Whether `every` or `all` stands before the first subject. */
  readonly isOfAll: boolean;
  /** The sentence in which it is said. */
  readonly sentence: string;
}

/** What comments say of members. An edit leaves most comments as they are. */
export const statementsIn: (text: string) => readonly Statement[] = memoize(
  (text) =>
    unquoted(text)
      .replace(/((?:^|[.;,]\s)[A-Za-z_]\w*) [-–—] (?=[a-z])/g, "$1: ")
      .split(/(?<=[.;!])(?<!\b[ei]\.[ge]\.)\s+|\s[-–—]\s/)
      .filter((sentence) => sentence.length <= LONGEST)
      .flatMap(statementsOf),
  500,
);

/** A sentence that is longer says too much. */
const LONGEST = 600;

/** A comment without the quotes around names: `'amount' is in cents` says the same. */
export const unquoted = (text: string): string =>
  text.replace(/(?<!\w)(["'`])([A-Za-z_][\w.[\]-]*)\1(?!\w)/g, "$2");

const name = String.raw`(?:[A-Za-z_][\w-]*\.){0,4}[A-Za-z_][\w-]*`;
const verb = String.raw`(?:is|are|isn't|aren't|can't|cannot|mustn't|may|can|might|could|will|must|comes?|goes|arrives?|stays?|remains?|counts?|covers?|spans?|says|means|holds|gives|tells|refers?|reflects|describes|uses?|includes?|excludes?|doesn't|don't|needs?|should|follows?|reads?|has|have|returns?|starts?)\b`;
/** What may stand between a noun and its verb without saying of what it is. */
const between = `(?: (?:field|member|property|parameter|attribute)s?)?(?: (?:everywhere|throughout|here|always|(?:in|of|across) (?:the |this |our |all )?(?:whole )?(?:API|service|responses|answers|requests)|(?:that )?(?:the API|the service|it|they|[A-Z][a-z]+) (?:returns?|sends?|takes?|gives?|expects?|reports?|delivers?)(?: (?:and|or) (?:returns|sends|takes|expects))?))?`;
const opener = new RegExp(
  String.raw`(?<![\w.$/-])(${name}(?:(?:, and |, | and | or | & )(?!(?:which|that|who|it|they)\b)${name}){0,4})(?:\s?[:=]\s+(?:(?:it|this|that|they)(?:'s| is| are) )?|, (?:e\.g\.|eg|for example|such as),? |${between}(?: \(([^()]{1,80})\),?|,(?= which ))? (?=(?:which |that )?(?:only |also |always |just |sometimes |often )?${verb})| \((?=[^()]{1,120}\)))`,
  "g",
);
/** What speaks of something new: behind it, what was said before has ended. */
const boundary = /(?:^|[,;:(]|\b(?:and|but|while|whereas|that)) (?:(?:the|its|their|an?|all|every|both) )*$/;
const noSubject =
  /^(?:it|its|they|them|this|that|these|those|which|who|what|there|here|and|or|but|nor|not|is|are|be|if|when|while|one|none|some|most|many|few|any|others?|note|notes|so|as|by|you|we|i|also|only|e|g)$/i;

function statementsOf(sentence: string): Statement[] {
  const found: Statement[] = [];
  const openers = [...sentence.matchAll(opener)].map((match) => ({
    match,
    behind: match.index + match[0].length,
    isNew:
      !/^(?:which|that)$/.test(match[1]!) &&
      boundary.test(` ${sentence.slice(Math.max(0, match.index - 40), match.index)}`),
  }));
  for (const [index, { match, behind, isNew }] of openers.entries()) {
    const [whole, written = "", bracket] = match;
    const all = written.split(/, and | and | or | & |, /);
    // `Note, amount is in cents`: words before the name are none.
    const before = sentence.slice(Math.max(0, match.index - 60), match.index);
    // `{company, segment, seen_at: null or …}` shows what the last one is.
    const isInRecord = /[:=]\s/.test(whole) && isOpen(sentence.slice(0, match.index));
    const spoken = isInRecord ? all.slice(-1) : isTopic.test(before) ? all.slice(1) : all;
    const named = spoken.slice(spoken.findLastIndex((each) => noSubject.test(each)) + 1);
    const [start = "", head] = !isInRecord && named.length === all.length ? (ofOther.exec(before) ?? []) : [];
    const isHead = head !== undefined && !meansWhole.test(head);
    const subjects = isHead ? (noSubject.test(head) ? [] : [head]) : named;
    // `the smallest coin of the currency: cents` says nothing of a currency, `the price (in cents)` of a sentence isn't its subject.
    if (subjects.length === 0 || (!isNew && !isVerbal(whole))) continue;
    const isOfAll = /\b(?:every|each|all)(?: of)?(?: (?:the|its|their|our|other))? $/i.test(
      isHead ? before.slice(0, before.length - start.length) : before,
    );
    const add = (said: string, isAside: boolean): void => {
      found.push({ subjects, said, isAside, isOfAll, sentence });
    };
    if (bracket !== undefined) addParts(`is ${bracket}`, add);
    const next = openers.slice(index + 1).find(({ isNew }) => isNew)?.match.index;
    const rest = sentence.slice(behind, next);
    if (whole.endsWith(" (")) addParts(`is ${rest.replace(/\).*$/s, "")}`, add);
    else if (!isVerbal(whole)) addParts(`is ${rest}`, add);
    else
      addParts(
        rest.replace(/^(?:which |that )?(?:only |also |always |just )?/, "").replace(sometimes, "$2 $1"),
        add,
      );
  }
  return found;
}

/** Whether a record begins that doesn't end: `Entry: {seq, at, `. */
const isOpen = (before: string): boolean => before.split("{").length > before.split("}").length;

/** Whether a verb follows: no colon, bracket or example. */
const isVerbal = (opened: string): boolean =>
  !/[:=]\s+(?:\w+(?:'s| is| are) )?$|\($|(?:e\.g\.|eg|example|as),? $/.test(opened);
/** `For a student, phone and fax may be null` speaks of phone and fax. */
const isTopic =
  /(?:^|[.;:]\s)(?:for|in|on|with|without|at|from|by|behind|during) (?:an? |the |each |every |any |some )?$/i;
/** `The phone of a guest may be null` speaks of the phone. */
const ofOther =
  /([A-Za-z_][\w.]*) (?:of|in|for|from|on|with|at|by|to) (?:the |an? |its |their |each |every |this |that |all )?$/;
/** `The value of total is in pence` speaks of the total. */
const meansWhole = /^(?:values?|units?|forms?|formats?|contents?|all|each|every|both)$/i;

/** `phone sometimes is null` */
const sometimes = /^(?:which |that )?(sometimes|often) (is|are|comes?)\b/;

const startsWithVerb = new RegExp(`^${verb}`);

/** What is said of the same: `is in cents, may be null, and counts all lines`. */
function addParts(rest: string, add: (said: string, isAside: boolean) => void): void {
  const parts = rest.split(
    /, (?:and |but |or )?| (?:and|but) (?=(?:in|is|are|may|can|might|could|counts?|comes?) )/,
  );
  for (const [index, part] of parts.entries()) {
    const said = part.trim().replace(/[.;:!]+$/, "");
    if (said === "") continue;
    if (index > 0 && !startsWithVerb.test(said)) add(`is ${said}`, true);
    else add(said, false);
  }
}

/** What holds only for some, or held once: nothing is said of all. */
export const isLimited = (sentence: string): boolean =>
  /\b(?:except|excepting|unless|other than|apart from|but (?:for|not)|used to|formerly|only (?:if|when|for)|depending|no longer|(?:until|before|since|in) v\d)\b/i.test(
    sentence,
  ) || isOfOwn(sentence);

/** What is said of one's own records, or of what people see, isn't said of the service. */
export const isOfOwn = (sentence: string): boolean =>
  /\b(?:our own|(?:old|previous|former|earlier|first) (?:API|version|service)|we (?:store|keep|save|write|show|have)|(?:PDFs?|app|screen|UI|website|letters?|e-?mails?) (?:shows?|displays?|prints?))\b/i.test(
    sentence,
  );
