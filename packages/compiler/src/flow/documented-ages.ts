import { memoize } from "@configc/jq/internal";
import type { StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentedBelow, commentsAround } from "./documented-words.ts";
import { durationsIn } from "./said-durations.ts";

/** How old a delivery may be by a comment (E261): `older than five minutes is a replay`. */
export interface DocumentedAge {
  readonly seconds: number;
  /** As a person would say it. */
  readonly text: string;
  readonly comment: StringNode;
}

/** What the comments around a place and below it say of that; undefined where they say nothing, or two things. */
export function documentedAge(place: SyntaxNode): DocumentedAge | undefined {
  const found = commentsAround(place, [...commentedBelow(place)]).flatMap((comment) => {
    const seconds = ageIn(comment.value);
    return seconds === undefined ? [] : [{ seconds, text: shown(seconds), comment }];
  });
  const [first] = found;
  return first !== undefined && found.every(({ seconds }) => seconds === first.seconds) ? first : undefined;
}

const shown = (seconds: number): string =>
  seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;

const old =
  /\b(?:old|older|off|replay(?:s|ed)?|stale|played again|may differ|tolerance|allowed|turned away|good for)\b/i;
const ofDelivery =
  /\b(?:replay(?:s|ed)?|refuse[sd]?|turned away|rejected|signature|signed|timestamp|deliver(?:y|ies)|notices?|calls?|requests?|events?|time|sent|old|older)\b/i;
/** What lives for some time beside: a cursor, a token, a list. */
const ofOther =
  /\b(?:cursor|token|page|list|link|tickets?|vouchers?|quotes?|GET|dropped by|by the service|(?:takes?|took) longer|every (?:\w+ )?(?:seconds?|minutes?|hours?)|snapshot|export|session|late|after its|window|again|kept|keeps|stored|retained|released|lapses?|fetched|history|tried|retr\w+|repeat\w*)\b/i;

/** The age in seconds up to which a comment says that deliveries are taken: `older than five minutes is a replay`. */
const ageIn: (text: string) => number | undefined = memoize((text) => {
  const ages = text
    .split(/(?<=[.;])\s+/)
    .filter((clause) => old.test(clause) && ofDelivery.test(clause) && !ofOther.test(clause))
    .flatMap(durationsIn);
  const [age, ...others] = new Set(ages);
  return others.length === 0 && age !== undefined && age > 0 ? age : undefined;
}, 200);
