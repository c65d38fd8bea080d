import { countWords } from "./durations.ts";

const span = new RegExp(
  String.raw`\b(?:(\d+)[ -]?(second|sec|s|minute|min|m|hour|hr|h|day|d|week)s?|(${Object.keys(countWords).join("|")})[ -](second|minute|hour|day|week)s?)\b`,
  "gi",
);
/** By the first letter of its name: `2 min late`, `30 s`. */
const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** `a quarter of an hour` is no hour, and `half a minute` no minute. */
const partOfUnit = /\b(?:quarters?|half)\b/i;

/** The lengths of time in seconds that a clause says, `five minutes`, `300 seconds`; none where one is part of another. */
export const durationsIn = (clause: string): readonly number[] =>
  partOfUnit.test(clause)
    ? []
    : [...clause.matchAll(span)].map(
        ([, digits, short, word, long]) =>
          (digits === undefined ? countWords[word!.toLowerCase()]! : Number(digits)) *
          secondsIn[(short ?? long!).charAt(0).toLowerCase()]!,
      );
