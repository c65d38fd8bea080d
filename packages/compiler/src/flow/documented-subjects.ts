/** What a list of words or codes is of, as the words in front of it say. */
export interface Subject {
  readonly name: string;
  /** The record that has it: “the state of a deal”. */
  readonly of: string | undefined;
  /** Whether all values that it may have are said to follow: `state takes the values …`, `is one of …`. */
  readonly isOfAll: boolean;
}

const quote = "[\"'`]?";
const name = String.raw`(?<![\w.$'-])${quote}([A-Za-z]\w*)${quote}`;
/** `The state of a deal`, `a deal's state`, `deal_state` */
const whole = String.raw`(?:\b([A-Za-z]\w*)['’]s )?${name}(?: of (?:an?|the|each|every) ([a-z]+))?`;
const kind =
  "(?:an? |the |always )?(?:number|numeric|integer|code|numeric code|word|text|string|enum|lower-case word|upper-case word)";
const amount =
  "(?:the |one of the |any of the |these )?(?:(?:two|three|four|five|six|\\d) )?(?:values?|words|codes|numbers)";
const verb =
  "(?:is|are|can be|may be|will be|is always|comes as|arrives as|reads|can only be|holds|has|takes|accepts|knows|carries|can have|can take)";

/** How a subject goes on to its list. */
const links = [
  // `state is either open or …`, `'state' takes the values 'open' …`, `status is a number: 1 …`, `status is numeric, where 1 …`
  String.raw`,? (?:which |that )?${verb}(?: (?:always|only|either|one of|any of|${amount}|${kind}))?(?:\s?[:(=–-]|, (?:where|with|either)|, one of|,? one of| where| with)?\s*`,
  // `state: one of …`, `state (either …`
  String.raw`\s*[:=(–]\s*(?:either |one of |any of |${kind}[:,]? )?(?:\s*)`,
  // `status, a number (1 …`
  String.raw`, ${kind}\s?[:(]\s*`,
  " - ",
];
const before = links.map((link) => new RegExp(`${whole}${link}${quote}$`));

/** What isn't a member: articles, and what a member's value is called by. */
const noName =
  /^(?:an?|the|it|its|they|that|this|which|what|who|and|or|not|no|of|in|to|value|values|word|words|code|codes|number|numbers|one|is|are|be|there|we|you|text|string|body|answer|list|api|each|all|if|when|where|with|others?|example)$/i;

/** So far in front of a list its subject is looked for. */
const NEAR = 90;

/** What a list that begins at a place is of; undefined where the words in front of it don't say. */
export function subjectBefore(text: string, at: number): Subject | undefined {
  const near = text.slice(Math.max(0, at - NEAR), at);
  // A word that is cut is no name.
  const clause = (at > NEAR ? near.replace(/^\S*\s/, "") : near).replace(/^.*[.;]\s/s, "");
  for (const form of before) {
    const match = form.exec(clause);
    const [, owner, found, of] = match ?? [];
    if (found === undefined || noName.test(found)) continue;
    const isOfAll = /\b(?:one|any) of\b|\b(?:values|words|codes|either)\b/.test(clause.slice(match!.index));
    return { name: found, of: of ?? owner?.toLowerCase(), isOfAll };
  }
  return undefined;
}
