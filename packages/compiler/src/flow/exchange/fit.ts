import { memoize } from "@configc/jq/internal";
import { mayBeSame, nounOf, nounOfId } from "../nouns.ts";
import { boundName, wordsOf } from "../protocol/bound-names.ts";
import type { Given } from "./given.ts";
import { formOfName, type Kind, kindOfName, subjectWords } from "./name-kind.ts";

/*
 * How well what a member is given goes with its name. Names weigh more than kinds: two points where all words of one are in the other, one
 * where they share a word, one where the kind is right. What can't be that is two points less, and what is unlikely one.
 */

/** How well a value goes with a name: above 0 it does, below it can't, 0 is unknown. */
export function fit(member: string, given: Given): number {
  const [byName, byKind] = [fitOfNames(member, given), fitOfKinds(member, given)];
  // What is called a little like it can't be that all the same.
  return byKind === -2 && byName === 1 ? byKind : byName + byKind;
}

/** Whether a value goes with the name of its member for certain. A number or an id is one of many that do. */
export function isSettled(member: string, given: Given): boolean {
  const byKind = fitOfKinds(member, given);
  // Names are looked at where the kind isn't enough.
  if (byKind > 0 && given.kind !== "number" && given.kind !== "id") return true;
  return fitOfNames(member, given) > (byKind === -2 ? 1 : 0);
}

/** How well the names go together that a value is read from. */
function fitOfNames(member: string, { names, owners }: Given): number {
  let best = 0;
  for (const name of names) best = Math.max(best, likeness(member, name));
  if (best > 0) return best;
  // `bike` of `.bike.model`, and `attendant_email` of `.attendant.email`
  if (owners.some((owner, index) => isOfOwner(member, owner, names[index]!))) return 2;
  const [name] = names;
  if (name === undefined || names.length > 1) return 0;
  const wanted = nounOfId(member);
  const given = wanted === undefined ? undefined : (nounOfId(name) ?? nounOf(name));
  // The id of another record.
  return wanted !== undefined && given !== undefined && !mayBeSame(wanted, given) ? -1 : 0;
}

function isOfOwner(member: string, owner: string, name: string): boolean {
  const words = wordsOf(member);
  return (
    words.join("_") === wordsOf(owner).join("_") || words.join("_") === wordsOf(`${owner}_${name}`).join("_")
  );
}

/** The same names come again and again. */
const boundOf = memoize(boundName, 5_000);

function likeness(member: string, name: string): number {
  if (member === name) return 2;
  const form = formOfName(member);
  const other = form === undefined ? undefined : formOfName(name);
  if (form !== undefined && other !== undefined && form !== other) return 0;
  const a = subjectWords(member);
  const b = subjectWords(name);
  if (a.length === 0 || b.length === 0) return wordsOf(member).join() === wordsOf(name).join() ? 2 : 0;
  const shared = a.filter((word) => b.includes(word)).length;
  if (shared === Math.min(a.length, b.length)) return 2;
  if (shared > 0) return 1;
  const [one, two] = [boundOf(member), boundOf(name)];
  if (one !== undefined && one.end === two?.end) return 1;
  const [noun, owner] = [a.at(-1)!, b.at(-1)!];
  return noun.length > 3 && owner.length > 3 && mayBeSame(noun, owner) ? 1 : 0;
}

/** Whether a text has the word that a code is called by, or one is short for the other: `SERV` and `Planned service`. */
export const isNamedAfter = (code: string, text: string): boolean =>
  likeness(code, text) === 2 || isShortFor(code, text) || isShortFor(text, code);

/** `WB`, `AD` and `SERV` of `whole-bean`, `Adult` and `Planned service` */
function isShortFor(short: string, long: string): boolean {
  const [letters, words] = [short.toLowerCase(), wordsOf(long)];
  if (!/^[a-z]{1,4}$/.test(letters) || long.length <= short.length) return false;
  if (words.join("").startsWith(letters) || words.map((word) => word[0]).join("") === letters) return true;
  return letters.length > 2 && words.some((word) => word.startsWith(letters) || word.endsWith(letters));
}

/** What says itself what it is, wherever it stands. */
const evident: ReadonlySet<Kind> = new Set(["order", "direction", "filter", "url", "query"]);

function fitOfKinds(member: string, { kind }: Given): number {
  const wanted = kindOfName(member);
  if (wanted === undefined || kind === undefined) return 0;
  if (wanted === kind) return evident.has(kind) ? 2 : 1;
  if (fits[wanted]?.includes(kind) === true) return 1;
  if (against[wanted]?.includes(kind) === true) return -2;
  return unlikely[wanted]?.includes(kind) === true ? -1 : 0;
}

type Table = Readonly<Partial<Record<Kind, readonly Kind[]>>>;

/** What a member also takes. */
const fits: Table = {
  size: ["number"],
  page: ["number"],
  number: ["size"],
  fields: ["code", "member"],
  order: ["code", "member"],
  code: ["event"],
  event: ["code"],
  text: ["name"],
  name: ["text"],
};

const values: readonly Kind[] = ["list", "object", "flag", "query"];

/** What a member can't be. */
const against: Table = {
  id: ["url", "time", "text", "page", "size", "cursor", ...values],
  email: ["name", "phone", "url", "time", "number", "code", "event", "fields", "text", ...values],
  phone: ["name", "email", "url", "time", "code", "text", ...values],
  url: ["code", "number", "time", "id", "email", "phone", ...values],
  time: ["url", "email", "phone", "name", "text", "list", "object", "flag", "query", "order"],
  text: ["url", "list", "object", "query", "cursor", "page"],
  name: ["url", "email", "phone", "time", "number", ...values],
  code: ["member", "url", "time", "email", "phone", "text", "list", "object", "query", "page", "cursor"],
  event: ["url", "time", "email", "phone", "number", "object", "query"],
  page: ["code", "time", "url", "email", "phone", "name", "text", "order", "direction", "fields", ...values],
  size: [
    "code",
    "time",
    "url",
    "email",
    "phone",
    "name",
    "text",
    "order",
    "direction",
    "fields",
    "page",
    "cursor",
    "id",
    ...values,
  ],
  cursor: ["url", "email", "phone", "name", "text", "order", "direction", "fields", ...values],
  number: ["time", "url", "email", "phone", "name", "text", "list", "object", "code", "query"],
  flag: ["time", "text", "url", "email", "phone", "list", "object", "name"],
  list: ["time", "number", "name", "phone", "url", "flag"],
  object: ["query", "time", "number", "url", "email", "phone", "name"],
  query: ["object", "time", "number", "url", "list", "flag"],
  fields: [
    "order",
    "direction",
    "number",
    "time",
    "url",
    "email",
    "phone",
    "page",
    "size",
    "cursor",
    "filter",
  ],
  order: ["flag", "number", "time", "url", "email", "phone", "page", "size", "cursor", "filter"],
  direction: ["code", "number", "time", "url", "email", "phone", "page", "size", "cursor", "fields"],
  filter: ["code", "order", "direction", "page", "size", "cursor"],
};

const unlikely: Table = {
  id: ["code", "event", "name"],
  time: ["code", "event", "number", "id"],
  code: ["id", "number"],
  text: ["time"],
  page: ["size"],
  // Where a list was read up to, some say as a time.
  cursor: ["time"],
};
