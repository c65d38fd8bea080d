import type { ReadPath } from "./emptiness.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { roleOf } from "./value-role.ts";

/** Whether a message says that a value isn't there, which it calls by the last word of its name: `The contact has no email address.` */
export function saysMissing(message: string, path: ReadPath): boolean {
  if (message.length > 300 || otherwise.test(message)) return false;
  const words =
    message
      .toLowerCase()
      .replace(/e-mail/g, "email")
      .match(/[a-z]+/g) ?? [];
  const names = path.filter((name) => !/^-?\d+$|^[.$]$/.test(name));
  const own = wordsOf(names.at(-1) ?? "").at(-1);
  if (own === undefined || own.length < 3) return false;
  const isOwn = (word: string): boolean =>
    word === own || `${word}s` === own || word === `${own}s` || (isMail(own, names) && /^e?mail$/.test(word));
  const at = words.findIndex(isOwn);
  if (at < 0) return false;
  return (
    words.slice(Math.max(0, at - 6), at).some((word) => before.has(word)) ||
    words.slice(at).some((word) => after.has(word))
  );
}

const isMail = (own: string, names: readonly string[]): boolean =>
  own === "mail" || own === "email" || roleOf(names.at(-1) ?? "") === "email";

const before = new Set(["no", "need", "needs", "without", "lacks", "lack", "neither", "requires", "missing"]);
const after = new Set(["missing", "needed", "required", "none"]);

/** What is there, but too often, or not as it should be. */
const otherwise =
  /\b(?:already|twice|duplicate|exists?|more than|several|too|not allowed|has an?|have an?|anonymous|may|valid|invalid|wrong|longer|only)\b/i;

/** What a message says that is needed, each by its words: `A request needs an email address and a postcode.` */
export interface Needs {
  readonly all: readonly (readonly string[])[];
  /** Whether one of them is enough: `neither an email address nor a mobile number`. */
  readonly isEither: boolean;
}

/** The two or more things that a message calls needed. */
export function needsIn(message: string): Needs | undefined {
  if (message.length > 200) return undefined;
  const text = message.toLowerCase().replace(/e-mail/g, "email");
  const [, neither] = /\bneither ([^.;,]+ nor [^.;,]+)/.exec(text) ?? [];
  const [, both] =
    /\bneeds? ([^.;]+)/.exec(text) ?? /^([^.;]+?) (?:is|are) (?:needed|missing|required)\b/.exec(text) ?? [];
  const said = neither ?? both;
  // Of `an email address or a name` one is enough, however it is asked for.
  if (said === undefined || (neither === undefined && /\bor\b/.test(said))) return undefined;
  const all = said
    .split(neither === undefined ? /\band\b|\bor\b|,/ : /\bnor\b/)
    .map((part) => part.replace(/\b(?:to|for|with|of|so that|in order)\b.*/, ""))
    .map((part) => (part.match(/[a-z]+/g) ?? []).filter((word) => !/^(?:an?|the|its|their|no)$/.test(word)))
    .filter((words) => words.length > 0);
  return all.length < 2 ? undefined : { all, isEither: neither !== undefined };
}

/** Whether words name a member: `postcode` names `pickup_postcode`, `email address` names `mail`. */
export function areOf(words: readonly string[], name: string): boolean {
  if (words.includes("email") || words.includes("mail")) return isMail(wordsOf(name).at(-1) ?? "", [name]);
  const own = wordsOf(name).at(-1) ?? "";
  return own.length > 2 && words.some((word) => word === own || word === `${own}s`);
}
