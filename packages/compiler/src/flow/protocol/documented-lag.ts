import { memoize } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { StringNode } from "../../parse/syntax-tree.ts";
import { commentsBelow } from "../documented-words.ts";
import { durationsIn } from "../said-durations.ts";

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
  /\b(?:late|lags?|lagging|delay(?:ed)?|behind|not (?:listed|shown|visible) (?:until|for)|(?:shows?|turns?) up|appears?|takes? (?:up to |at most |about |as much as )?(?:an? |\w+ )?(?:seconds?|minutes?) to (?:show|appear|arrive|be (?:listed|shown|visible|found|indexed))|hand(?:s|ed)? (?:over|on)|becomes? (?:visible|available|listed)|published|indexed|replicated)\b/i;
/** People and trains that are late, deliveries that are tried again, and what comes so long before something. */
const ofOther =
  /\b(?:who|guests?|visitors?|patients?|drivers?|students?|passengers?|trains?|buses|flights?|no[- _]?shows?|webhooks?|retr(?:y|ies|ied)|re-?tried|mails?|emails?)\b|\b(?:seconds?|minutes?|hours?|min) (?:before|early|earlier|ahead|in advance)\b/i;
/** `A reading shows up at most five minutes after it was taken`; 0 where nothing is said. */
const lagIn: (text: string) => number = memoize(
  (text) =>
    Math.max(
      0,
      ...text
        .split(/[.,;:](?=\s)/)
        .filter((clause) => late.test(clause) && !ofOther.test(clause))
        .flatMap(durationsIn)
        // What takes days is no delay.
        .filter((seconds) => seconds < 86_400),
    ),
  200,
);
