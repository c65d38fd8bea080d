import { memoize } from "@configc/jq/internal";
import type { StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { commentedBelow, commentsAround } from "./documented-words.ts";
import { countWords } from "./durations.ts";

/** How old a delivery may be by a comment (E261): `older than five minutes is a replay`. */
export interface DocumentedAge {
  readonly seconds: number;
  /** As the comment says it. */
  readonly text: string;
  readonly comment: StringNode;
}

/** What the comments around a place and below it say of that; undefined where they say nothing, or two things. */
export function documentedAge(place: SyntaxNode): DocumentedAge | undefined {
  const found = commentsAround(place, [...commentedBelow(place)]).flatMap((comment) =>
    agesIn(comment.value).map((each) => ({ ...each, comment })),
  );
  const [first] = found;
  return first !== undefined && found.every(({ seconds }) => seconds === first.seconds) ? first : undefined;
}

const unitSeconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 };
const count = `\\d+|${Object.keys(countWords)
  .sort((a, b) => b.length - a.length)
  .join("|")}`;
const age = new RegExp(
  `\\b(?:(?:older|more|later|longer|further|earlier) than|over|beyond|within|at most|no more than|up to|not older than)(?: the last)? ((${count}) (second|minute|hour)s?)\\b`,
  "gi",
);
/** What says that it is about what is to be refused. */
const isOfReplays =
  /\b(?:replay\w*|old|older|off|stale|late|ago|refuse\w*|reject\w*|turned away|decline\w*|drop(?:ped)?)\b/i;

/** An edit leaves most comments as they are. */
const agesIn: (text: string) => readonly Omit<DocumentedAge, "comment">[] = memoize(
  (text) =>
    text.split(/(?<=[.;])\s+/).flatMap((sentence) =>
      isOfReplays.test(sentence)
        ? [...sentence.matchAll(age)].map(([, said, number, unit]) => ({
            seconds:
              (countWords[number!.toLowerCase()] ?? Number(number)) * unitSeconds[unit!.toLowerCase()]!,
            text: said!,
          }))
        : [],
    ),
  200,
);
