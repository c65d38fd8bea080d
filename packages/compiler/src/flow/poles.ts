import { memoize } from "@configc/jq/internal";
import { wordsOf } from "./protocol/bound-names.ts";

/** Which of two opposite things a name means: the first of two names, the end of a window. */
export interface Pole {
  readonly kind: PoleKind;
  readonly end: 0 | 1;
  /** What it is of, without the words that say so: `billing` of `billing_first_name`. */
  readonly subject: string;
}

export type PoleKind = keyof typeof poles;

/** The words of both ends. */
const poles = {
  person: [
    "first given fore firstname givenname forename fname",
    "last family sur lastname familyname surname lname",
  ],
  window: [
    "start starts started starting begin begins began beginning from since opens opening checkin commences",
    "end ends ended ending until till to finish finishes finished closes closing checkout expires expiry",
  ],
  // A flight starts with the departure, and a stay with the arrival.
  journey: ["departure departs departing", "arrival arrives arriving"],
  range: ["min minimum lowest least", "max maximum highest most"],
  tax: ["net netto", "gross brutto"],
  place: ["lat latitude", "lng lon long longitude"],
  size: ["width", "height"],
  address: ["billing invoice", "shipping delivery"],
  use: ["home private", "work business office"],
  change: ["created", "updated modified"],
  way: ["inward inwards inbound incoming ingoing", "outward outwards outbound outgoing"],
} as const;

const ends: ReadonlyMap<string, readonly [PoleKind, 0 | 1]> = new Map(
  (Object.keys(poles) as PoleKind[]).flatMap((kind) =>
    poles[kind].flatMap((words, end) =>
      words.split(" ").map((word) => [word, [kind, end as 0 | 1]] as const),
    ),
  ),
);

/** Words that say nothing of what a name is of. */
const fillers: ReadonlySet<string> = new Set([
  "name",
  "at",
  "on",
  "date",
  "time",
  "day",
  "value",
  "dt",
  "ts",
  "timestamp",
]);

/** The pole that a name means; undefined where it means none, or two. */
export const poleOf: (name: string) => Pole | undefined = memoize((name) => {
  const words = wordsOf(name).map(plainWord);
  // Beside other words they say mostly something else: `checked_in`, `total_in_euros`.
  if (words.length === 1 && (words[0] === "in" || words[0] === "out"))
    return { kind: "way", end: words[0] === "in" ? 0 : 1, subject: "" };
  const [one, ...others] = words.filter((word) => ends.has(word));
  if (one === undefined || others.length > 0) return undefined;
  const subject = words.filter((word) => word !== one && !fillers.has(word)).join(" ");
  const [kind, end] = ends.get(one)!;
  // The last order is no family's.
  if (kind === "person" && subject !== "" && !words.includes("name") && !one.endsWith("name"))
    return undefined;
  return { kind, end, subject };
  // The names of a large document.
}, 5_000);

/** `starts` of `startsat`, which many write so. */
const plainWord = (word: string): string =>
  /^(?:starts|ends)(?:on|at)$/.test(word) ? word.slice(0, -2) : word;

/** Words between those that say of what something starts or ends. */
const links: ReadonlySet<string> = new Set(["of", "the", "a", "an", "for", "in", "by", "is", "your", "our"]);

/**
 * Whether two names are of different things, as far as both say of what: what is quiet until a day can be met again from that day, and where one
 * period ends the next one starts.
 */
export function areOfOthers(a: Pole, b: Pole): boolean {
  const [one, other] = [a, b].map(({ subject }) => subject.split(" ").filter((word) => !links.has(word)));
  const isOf = (word: string): boolean =>
    other!.some((each) => each.startsWith(word.slice(0, 4)) || word.startsWith(each.slice(0, 4)));
  return one!.join("") !== "" && other!.join("") !== "" && !one!.some(isOf);
}

export const areOpposite = (a: Pole | undefined, b: Pole | undefined): boolean =>
  a !== undefined && b !== undefined && a.kind === b.kind && a.end !== b.end;
