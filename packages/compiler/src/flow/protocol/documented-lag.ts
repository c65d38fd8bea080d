import { memoize } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { StringNode } from "../../parse/syntax-tree.ts";
import { commentsBelow } from "../documented-words.ts";

/** How late a service shows a record, as a comment says it. */
export interface DocumentedLag {
  readonly seconds: number;
  readonly comment: StringNode;
}

/** The longest time by which comments of an intake say that records come late. */
export function documentedLag(intake: IntakeSymbol): DocumentedLag | undefined {
  const found = [...commentsBelow(intake.node)].flatMap((comment): DocumentedLag[] => {
    const seconds = lagIn(comment.value);
    return seconds === 0 ? [] : [{ seconds, comment }];
  });
  return found.sort((a, b) => b.seconds - a.seconds)[0];
}

const late =
  /\b(?:late|lags?|lagging|delay(?:ed)?|behind|not (?:listed|shown|visible) (?:until|for)|(?:shows?|turns?) up|appears?)\b/i;
const span = /\b(\d+|an?|one|two|three|four|five|ten|fifteen|twenty|thirty)[ -](second|minute|hour)s?\b/gi;
/** `half an hour` isn't an hour. */
const partOfHour = /\b(?:half|quarters?)\b/i;
const words: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
};
const lengths: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 };

/** `A reading shows up at most five minutes after it was taken`; 0 where nothing is said. */
const lagIn: (text: string) => number = memoize(
  (text) =>
    Math.max(
      0,
      ...text
        .split(/[.,;:](?=\s)/)
        .filter((clause) => late.test(clause) && !partOfHour.test(clause))
        .flatMap((clause) =>
          [...clause.matchAll(span)].map(
            ([, count, unit]) =>
              (words[count!.toLowerCase()] ?? Number(count)) * lengths[unit!.toLowerCase()]!,
          ),
        ),
    ),
  200,
);
