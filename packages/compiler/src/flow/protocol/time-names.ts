import { wordsOf } from "./bound-names.ts";

/*
 * What names say of times (E67). They count only together with what a config does with the value: whether it is kept from cycle to cycle, and
 * sent.
 */

const change: ReadonlySet<string> = new Set([
  "updated",
  "update",
  "modified",
  "modification",
  "changed",
  "change",
  "edited",
  "lastmodified",
]);
const creation: ReadonlySet<string> = new Set([
  "created",
  "creation",
  "createdat",
  "submitted",
  "received",
  "sent",
  "occurred",
  "inserted",
  "registered",
  "placed",
]);
const time: ReadonlySet<string> = new Set([...change, ...creation, "at", "date", "time", "timestamp", "on"]);

const has = (name: string, words: ReadonlySet<string>): boolean =>
  wordsOf(name).some((word) => words.has(word));

/** A time that is another one after each change of a record: `updated_at`, `lastModified`. */
export const isChangeTime = (name: string): boolean => has(name, change);

/** A time that a record keeps. */
export const isCreationTime = (name: string): boolean => has(name, creation) && !isChangeTime(name);

/** Any time of a record. */
export const isTimeName = (name: string): boolean => has(name, time) || isCountedTime(name);

const counted: ReadonlySet<string> = new Set(["ms", "millis", "ts", "epoch", "unix", "utc"]);
const spans: ReadonlySet<string> = new Set(
  "elapsed used spent paused played worked billed tracked logged parked delayed allowed estimated listened watched recorded streamed connected".split(
    " ",
  ),
);

/** What happened and doesn't end in -ed, or is to happen. */
const happened: ReadonlySet<string> = new Set(
  "paid made begun won lost read seen done given taken held met sent left due deadline expiry".split(" "),
);

/** Whether words say when something happened that is over: `completed`, `paid at`. What is planned or scheduled may lie ahead. */
export const isPastTime = (name: string): boolean =>
  !has(name, ahead) &&
  wordsOf(name).some(
    (word) => (word.length > 4 && /[^e]ed$/.test(word)) || (happened.has(word) && !ahead.has(word)),
  );

const ahead: ReadonlySet<string> = new Set(
  "planned scheduled expected estimated booked reserved needed required requested promised left due deadline expiry expired fixed embed feed speed need".split(
    " ",
  ),
);

/** `released_ms`, `closedTs`: when something happened, as a number. What is measured is a length: `elapsed_ms`. */
function isCountedTime(name: string): boolean {
  const words = wordsOf(name);
  if (words.length < 2 || !counted.has(words.at(-1)!)) return false;
  return (
    words.some((word) => (word.length > 4 && word.endsWith("ed")) || happened.has(word)) &&
    !words.some((word) => spans.has(word))
  );
}
