import { memoize } from "@configc/jq/internal";
import type { ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { documentedDate } from "./documented-dates.ts";
import { type DocumentedUnit, orIn, unitsOfOthers } from "./documented-units.ts";
import { commentsAround } from "./documented-words.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { unitOfName } from "./unit.ts";

/** A value that a comment shows of a member (E261). */
export interface DocumentedSample {
  readonly value: string | number;
  /** What the comment says instead of showing a time. */
  readonly unit: TimeUnit | undefined;
  /** How the comment shows it, where that isn't the value itself: `DD/MM/YYYY`. */
  readonly shown?: string;
  readonly comment: StringNode;
}

/**
 * What the comments around a place show of a member: `changed_at: 1740851990123`, `born is like 31.12.1980`.
 *
 * @param also objects whose own comments count too, after those
 */
export function documentedSample(
  name: string,
  place: SyntaxNode,
  also: readonly ObjectNode[] = [],
): DocumentedSample | undefined {
  const words = wordsOf(name);
  // The header `x-acme-time` is also called the time.
  const names = name.includes("-") ? [words.join(" "), words.at(-1)!] : [words.join(" ")];
  const comments = commentsAround(place, also);
  for (const comment of comments) {
    const samples = samplesIn(comment.value);
    const value = names.map((each) => samples.get(each)).find((each) => each !== undefined);
    if (value !== undefined) return { value, unit: unitSaid(value), comment };
  }
  if (isMoment.test(name)) return sampleOfAll(comments);
  const day = documentedDate(name, comments);
  return day === undefined
    ? undefined
    : { value: day.sample, unit: undefined, shown: day.shown, comment: day.comment };
}

/** What the comments say of all times; undefined where they say two things. */
function sampleOfAll(comments: readonly StringNode[]): DocumentedSample | undefined {
  const found = comments.flatMap((comment) => {
    const match = allMeasured.exec(comment.value);
    return match === null ? [] : [sampleIn(match[1] === undefined ? "seconds" : "milliseconds", comment)];
  });
  return found.every(({ value }) => value === found[0]!.value) ? found[0] : undefined;
}

const time = String.raw`"?(\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d?\.\d\d?\.\d{4}|\d\d?[/-]\d\d?[/-]\d{4}|\d{10}|\d{13})"?(?![\d:T-])`;
/** How a value is shown: `changed_at: 1740851990123`, `joined_at (2024-05-03T08:00:00Z`, `born is like 31.12.1980`, `date 31.12.2026`. */
const shown = new RegExp(
  String.raw`(?<![\w-])([A-Za-z_][\w-]*)"?(?:\s*[:=]\s*|\s*\(|\s+(?:is\s+)?like\s+|\s+is\s+|\s+)${time}`,
  "g",
);

const anyTime = /\d{4}-\d\d-\d\d|\b\d{10}(?:\d{3})?\b|\b\d\d?\.\d\d?\.\d{4}\b/;

/** `sent at 1740851990` isn't of a member `at`. */
const isPreposition = (whole: string, name: string): boolean =>
  /^(?:at|on|by|from|to|until|till|since|in|of|is|was|and|or|after|before|between|about|like)$/i.test(name) &&
  /^\s+["\d]/.test(whole.slice(name.length));

/** `changed is in milliseconds`, `last_lesson (Unix seconds`, `Sent-At is the time of sending in seconds`. */
const measured =
  /(?<![\w-])([A-Za-z_][\w-]*)"?(?:\s+(?:is|are)\s+(?:(?:the|a) time [\w ]{0,60})?in\s+|,?\s+in\s+|\s*\()(?:Unix )?(milli)?seconds\b/g;
/** ` before 2020 and in milliseconds since` */
const orInSeconds = new RegExp(`${orIn} (?:Unix |epoch )?((?:milli)?)seconds\\b`);
/** `X-Acme-Time: the time of sending, Unix time in milliseconds`, `X-Acme-Time has the time of signing in Unix seconds`. */
const measuredHeader =
  /(?<![\w-])([A-Za-z]\w*-[\w-]+)["`]?(?::| has| holds| carries| is)(?: [^.;:\s]+){0,9}? (?:in |(?:[Uu]nix|epoch) )+(milli)?seconds\b/g;
/** What says a form, further on in a clause: `as_of is the clock of the service (milliseconds)`, `sent_at, an ISO time like 2026-05-04T09:30:00Z`. */
const said = new RegExp(
  String.raw`(?<![\w-])(?=\w{1,60}(?!\w))([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*)((?:[\s,(]+(?:[A-Z]?[a-z]+|ISO|UTC|8601|RFC|3339)){1,9}?)[\s,(:]+(?:(?:like|as|example)[\s:]+${time}|(?:(?:in|Unix|epoch)\s+|\()(milli)?seconds\b)`,
  "g",
);
/** What is said of something else, or of what it isn't. */
const isOfOther =
  /\b(?:not|never|no|nor|but|every|each|after|before|than|for|within|instead|by|and|or|with|without)\b/;

/** `All times are milliseconds`, but for none. */
const allMeasured =
  /\btimes (?:(?:in|of) (?:the|this) (?:API|service) )?are (?:in )?(?:Unix |epoch )?(milli)?seconds\b(?![^.]*\b(?:but|except|only)\b)/i;
/** What such a sentence speaks of: a day is none. */
const isMoment = /(?:^|[_-])(?:at|time|timestamp|ts)$|[a-z](?:At|Time|Timestamp|Ts)$/;
/** A time of this year in each unit. */
const present = {
  milliseconds: 1_767_225_600_000,
  seconds: 1_767_225_600,
  minutes: 29_453_760,
  hours: 490_896,
  days: 20_454,
} as const;
type TimeUnit = keyof typeof present;

/** A time that counts what a comment says, as one would be shown. */
export const sampleOfUnit = ({ unit, comment }: DocumentedUnit): DocumentedSample | undefined =>
  unit in present ? sampleIn(unit as TimeUnit, comment) : undefined;

const sampleIn = (unit: TimeUnit, comment: StringNode): DocumentedSample => ({
  value: present[unit],
  unit,
  comment,
});

/** Nobody shows just that time. */
const unitSaid = (value: string | number): TimeUnit | undefined =>
  (Object.keys(present) as TimeUnit[]).find((unit) => present[unit] === value);

/** The times that a comment shows, by the members that have them; nothing of what has two. */
const samplesIn: (text: string) => ReadonlyMap<string, string | number> = memoize(findSamples, 500);

function findSamples(text: string): ReadonlyMap<string, string | number> {
  const found = new Map<string, string | number | undefined>();
  const add = (name: string, value: string | number): void => {
    const key = wordsOf(name).join(" ");
    found.set(key, found.has(key) && found.get(key) !== value ? undefined : value);
  };
  const samples = [...text.matchAll(shown)].filter(([whole, name]) => !isPreposition(whole, name!));
  for (const [index, match] of samples.entries()) {
    const [whole, name, written] = match as unknown as [string, string, string];
    // Another time behind it may be another form of the same.
    const behind = text.slice(match.index + whole.length, samples[index + 1]?.index);
    if (!anyTime.test(behind)) add(name, /^\d+$/.test(written) ? Number(written) : written);
  }
  for (const { 0: whole, 1: name, 2: milli, index } of [
    ...text.matchAll(measured),
    ...text.matchAll(measuredHeader),
  ]) {
    add(name!, milli === undefined ? present.seconds : present.milliseconds);
    const [rest = "", next = ""] = text.slice(index + whole.length).split(/[.;](?:\s|$)/);
    const [, others] = orInSeconds.exec(rest) ?? [];
    if (others !== undefined) add(name!, others === "" ? present.seconds : present.milliseconds);
    for (const unit of unitsOfOthers(next))
      if (unit === "seconds" || unit === "milliseconds") add(name!, present[unit]);
  }
  for (const clause of text.split(/[.;](?:\s|$)/))
    for (const [whole, name, between, written, milli] of clause.matchAll(said)) {
      const isKnown = found.has(wordsOf(name!).join(" ")) || unitOfName(name!) !== undefined;
      if (isKnown || isOfOther.test(between!) || anyTime.test(clause.replace(whole, ""))) continue;
      if (written !== undefined) add(name!, /^\d+$/.test(written) ? Number(written) : written);
      else add(name!, milli === undefined ? present.seconds : present.milliseconds);
    }
  return new Map([...found].flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}
