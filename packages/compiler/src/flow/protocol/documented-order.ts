import { memoize } from "@configc/jq/internal";
import type { SyntaxNode } from "../../parse/syntax-tree.ts";
import { commentsAround } from "../documented-words.ts";
import { isTimeName } from "./time-names.ts";

const said = [
  // `in the order (modified_ms, id)`, `sorted by changed_at`, `ascending by updated_at`
  /\b(?:sorted|ordered|(?:ascending |descending )?order|ascending|descending)(?: strictly)?(?: ascending| upwards)?(?: by| of)?(?: the| their)? ?[`"(]{0,2}([A-Za-z]\w*)/g,
  // `whose (changed_at, id) is greater than (since, after_id)`
  /\(([A-Za-z]\w*), ?\w+\)[^.;()]{0,40}\b(?:greater|later|after|behind|higher|above)\b/g,
];

/** An edit leaves most comments as they are. */
const timesIn: (text: string) => readonly string[] = memoize(
  (text) =>
    said
      .flatMap((form) => [...text.matchAll(form)].map(([, name]) => name!))
      // A word alone says nothing: “order changed”.
      .filter((name) => /_|[a-z][A-Z]/.test(name) && isTimeName(name)),
  500,
);

/** The time by which a list comes, `changed_at`, by the comments around a request; undefined where they say none, or several. */
export function documentedOrder(place: SyntaxNode): string | undefined {
  const [name, ...others] = new Set(commentsAround(place, []).flatMap(({ value }) => timesIn(value)));
  return others.length === 0 ? name : undefined;
}

const ascending =
  /\b(?:oldest|earliest|lowest|smallest)(?: \w+){0,2} first\b|\bascending\b|\b(?:in|by) (?:rising|increasing)\b|\bnewest(?: \w+){0,2} last\b/i;
const descending =
  /\b(?:newest|latest|highest|most recent)(?: \w+){0,2} first\b|\bdescending\b|\b(?:in|by) (?:falling|decreasing)\b|\boldest(?: \w+){0,2} last\b/i;
const unsure = /\b(?:not|never|no|isn't|aren't|unless|either|both|or|default|can)\b/i;

const directionsIn: (text: string) => readonly ("ascending" | "descending" | undefined)[] = memoize(
  (text) =>
    // Members of an answer that is shown, `{no, kind}`, are no words of the sentence.
    text
      .replace(/\{[^{}]*\}/g, "")
      .split(/[.;]\s+/)
      .flatMap((sentence) => {
        const [up, down] = [ascending.test(sentence), descending.test(sentence)];
        if (!up && !down) return [];
        return [up === down || unsure.test(sentence) ? undefined : up ? "ascending" : "descending"] as const;
      }),
  500,
);

/** In which order a list comes by the comments around a request: `sorted by updatedAt, oldest first`; undefined where they say none, or both. */
export function documentedDirection(place: SyntaxNode): "ascending" | "descending" | undefined {
  const [direction, ...others] = new Set(
    commentsAround(place, []).flatMap(({ value }) => directionsIn(value)),
  );
  return others.length === 0 ? direction : undefined;
}
