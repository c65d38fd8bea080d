import { escapedPattern } from "@configc/jq/internal";
import { isLimited, statementsIn, unquoted } from "./documented-statements.ts";

/**
 * Whether a clause of a comment says of a bound that it takes in what lies on it: `since is inclusive`, `from and to are both inclusive`,
 * `after: strictly after`; undefined where it says neither.
 */
export function boundSaid(clause: string, name: string): "inclusive" | "exclusive" | undefined {
  const text = unquoted(clause);
  if (!new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`).test(text)) return undefined;
  const found = new Set(
    statementsIn(text).flatMap(({ subjects, said, isAside, sentence }) =>
      isAside || !subjects.includes(name) || isLimited(sentence)
        ? []
        : inclusive.test(said)
          ? ["inclusive" as const]
          : exclusive.test(said)
            ? ["exclusive" as const]
            : [],
    ),
  );
  if (found.size > 0) return found.size === 1 ? [...found][0] : undefined;
  // A name with signs, such as `filter[from`, is no word.
  const [, end] =
    new RegExp(
      `(?<![\\w.])${escapedPattern(name)}\\W{0,2} (?:(?:is|are|counts as)(?: an?)? |\\(?)(inclusive(?! of\\b)|exclusive(?! to\\b))`,
      "i",
    ).exec(text) ?? [];
  if (end !== undefined) return end.toLowerCase() === "inclusive" ? "inclusive" : "exclusive";
  return new RegExp(
    `\\b(?:above|(?:greater|higher|larger|later|newer) than|strictly (?:after|behind)) (?:the )?\\W?${escapedPattern(name)}(?!\\w)`,
    "i",
  ).test(text)
    ? "exclusive"
    : undefined;
}

const start = `^(?:is|are|counts? as)(?: both| always| an?| itself)?`;
const records = `(?:records|items|entries|rows|changes|what|everything|those)`;
const inclusive = new RegExp(
  `${start} (?:inclusive|included)\\b(?! of\\b)|^(?:returns|gives|is|means|includes) (?:only )?(?:${records} )?(?:(?:changed|created|updated|modified|that changed) )?(?:at or (?:after|later)|on or after|from this time on)\\b|^includes (?:the (?:given|record|time|id|day|value)|what (?:lies|is) )`,
  "i",
);
const exclusive = new RegExp(
  `${start} (?:exclusive|excluded|not included)\\b(?! to\\b)|^(?:isn't|is not|aren't|are not) (?:inclusive|included)\\b|^(?:returns|gives|is|means) (?:only )?(?:${records} )?(?:(?:changed|created|updated|modified|that changed) )?strictly (?:after|later|newer|greater|above)\\b|^excludes (?:the (?:given|record|time|id|day|value)|what (?:lies|is) )`,
  "i",
);
