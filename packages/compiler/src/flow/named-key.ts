import { memoize } from "@configc/jq/internal";
import { countWords, lengthOf } from "./durations.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/**
 * How far a text that people read names a key: by all of its words or by its number, by all words but those that go with many, or by a
 * length of time that the number counts in some unit.
 */
export type Naming = "whole" | "main" | "length";

/**
 * Whether a text names a key: “Date of birth” names `birth_date`, “Mobile” `phone`, “1 day” `1440` and `24`. Undefined where it doesn't, or
 * where only some of its words are there.
 */
export function namingOf(text: string, key: string): Naming | undefined {
  if (isNumber(key)) return namingOfNumber(text, Number(key));
  const { words, main } = wordsOfKey(key);
  const shown = shownWords(text);
  // A key with such a word is named in neither way without it.
  if (words.length === 0 || !main.every((word) => isIn(word, shown))) return undefined;
  if (words.length === main.length || words.every((word) => isIn(word, shown))) return "whole";
  return main.length > 0 ? "main" : undefined;
}

const isNumber = (key: string): boolean => /^\d+(?:\.\d+)?$/.test(key);

/** Tells of a key whether one of the texts may name it: that is known sooner than which of them does. */
export function mayNameIn(texts: readonly string[]): (key: string) => boolean {
  const shown = texts.flatMap(shownWords).join(" ");
  return (key) =>
    isNumber(key) || wordsOfKey(key).main.every((word) => likes.has(word) || shown.includes(plain(word)));
}

/** Whether a text says a key's words and no others: “Email” `email`, “Last name” `lastName`. Words that go with many don't count. */
export function isCalled(text: string, key: string): boolean {
  const shown = shownWords(text).filter((word) => !small.has(word));
  const { words } = wordsOfKey(key);
  return shown.join(" ") === words.join(" ") && words.some((word) => word.length > 3 && !common.has(word));
}

/** The words of a key, and those of them that don't go with many. */
function wordsOfKey(key: string): { readonly words: readonly string[]; readonly main: readonly string[] } {
  const words = wordsOf(key).filter((word) => !small.has(word));
  return { words, main: words.filter((word) => !common.has(word)) };
}

/** Words that say nothing of what a member has. */
const small: ReadonlySet<string> = new Set("at on is of the a an in to for and".split(" "));
/** Words that many members have beside their own: “Site” for `site_name`. */
const common: ReadonlySet<string> = new Set(
  "name id date day time number no value text title type kind status state group".split(" "),
);

/** Words that people and programs use for the same. */
const same: readonly (readonly string[])[] = [
  ["phone", "telephone", "mobile", "cell", "tel"],
  ["email", "mail"],
  ["sms", "text"],
  ["percent", "pct", "%"],
  ["kwh", "kilowatt"],
  ["km", "kilometres", "kilometers"],
  ["kg", "kilograms", "kilos"],
  ["birthday", "birth", "born"],
  ["last", "family", "surname"],
  ["first", "given"],
  ["eur", "euro", "euros"],
];
const likes: ReadonlyMap<string, readonly string[]> = new Map(
  same.flatMap((words) => words.map((word) => [word, words] as const)),
);

const shownWords: (text: string) => readonly string[] = memoize(
  (text) =>
    wordsOf(
      text
        .replaceAll("%", " percent ")
        .replace(/e-mail/gi, "email")
        .replace(/['’]s\b/g, ""),
    ),
  2_000,
);

function isIn(word: string, shown: readonly string[]): boolean {
  const others = likes.get(word);
  const stem = plain(word);
  return shown.some(
    (each) =>
      others?.includes(each) === true ||
      plain(each) === stem ||
      // `STAY` of “Stay-over clean”, `card` of “Postcard”.
      (word.length > 3 && (each.startsWith(word) || each.endsWith(word))),
  );
}

const plain = (word: string): string => (word.endsWith("s") ? word.replace(/(?<=..)(?:es|s)$/, "") : word);

function namingOfNumber(text: string, number: number): Naming | undefined {
  const said = text
    .replace(/(?<=\d)[,' ](?=\d{3}(?!\d))/g, "")
    .toLowerCase()
    .match(/\d+(?:\.\d+)?|[a-z]+/g);
  if ((said ?? []).some((word) => (numbers.get(word) ?? Number(word)) === number)) return "whole";
  const length = lengthOf(text);
  const isCounted = units.some(
    (unit) => length !== undefined && length[0] <= number * unit * 1.02 && length[1] >= number * unit * 0.98,
  );
  return isCounted ? "length" : undefined;
}

// “A member” is no number.
const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries(countWords).filter(([word]) => word.length > 2),
);
const units: readonly number[] = [1, 60, 3_600, 86_400, 604_800, 30 * 86_400, 30.5 * 86_400, 365 * 86_400];
