import { memoize } from "@configc/jq/internal";
import type { StringNode } from "../parse/syntax-tree.ts";
import { isLimited, isOfOwn, statementsIn, unquoted } from "./documented-statements.ts";
import { wordsOf } from "./protocol/bound-names.ts";

/** The form in which a comment says that a day is written (E266). */
export interface DocumentedDate {
  /** As the comment shows it: `DD/MM/YYYY`, `31.12.2026`. */
  readonly shown: string;
  /** A day in that form. */
  readonly sample: string;
  readonly comment: StringNode;
}

/** A name of which only what is said of all days speaks. */
export const anyDay = "days";

/** The form of the days in what people read: “Born on (DD/MM/YYYY)”; undefined where it shows none, or two. */
export function dateOfTitle(title: string): Pick<DocumentedDate, "shown" | "sample"> | undefined {
  const [shown, ...others] = title.match(day) ?? [];
  const sample = shown === undefined || others.length > 0 ? undefined : sampleOf(shown);
  return shown === undefined || sample === undefined ? undefined : { shown, sample };
}

/** The form of the days that a member has, as comments show it: `born is DD/MM/YYYY`, `Days are written 31.12.2026`. */
export function documentedDate(name: string, comments: readonly StringNode[]): DocumentedDate | undefined {
  const key = keyOf(name);
  for (const comment of comments) {
    const shown = datesIn(comment.value).get(key);
    if (shown !== undefined) return { ...shown, comment };
  }
  return undefined;
}

/** `DD.MM.YYYY`, `yyyy-mm-dd`, or a day of which is seen what is the month. No time follows it. */
const day =
  /(?<![\w./-])(?:(?:DD|dd)([./-])(?:MM|mm)\1(?:YYYY|yyyy)|(?:MM|mm)([./-])(?:DD|dd)\2(?:YYYY|yyyy)|(?:YYYY|yyyy)([./-]?)(?:MM|mm)\3(?:DD|dd)|(?:DDMMYYYY|ddmmyyyy)|\d\d([./-])\d\d\4(?:19|20)\d\d|(?:19|20)\d\d([./-])\d\d\5\d\d|(?:19|20)\d\d[01]\d[0-3]\d)(?![\w/-]|\.\w|["`]?[T ](?:\d|[Hh][Hh]))/g;

/** What stands between a name and the form of its days. */
const said =
  /(?<![\w$.-])((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)[`"]?(?:,? and [`"]?((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)[`"]?)?(?: in (?:queries|requests|parameters|the query))?(?:\s*[:=(]|,|(?:\s+(?:is|are|as|in|like|written|given|comes?|goes|sent|read|reads|shown|the|a|text|texts|form|format|of)){1,6})\s*["`(]?$/;

const prose =
  /^(?:it|that|this|which|they|one|is|are|as|in|like|and|or|not|no|to|from|until|since|after|before|by|on|at|of|the|an?|version|e|g|example)$/i;
const none: ReadonlyMap<string, { readonly shown: string; readonly sample: string }> = new Map();

/** So far before a day its name is looked for. */
const NEAR = 90;

/** The forms of days in a comment, by the names of what has them; nothing of what has two. */
const datesIn: (text: string) => ReadonlyMap<string, { readonly shown: string; readonly sample: string }> =
  memoize((text) => {
    const found = new Map<string, { readonly shown: string; readonly sample: string } | undefined>();
    const add = (name: string, shown: string, sample: string): void => {
      const key = keyOf(name);
      const known = found.get(key);
      const isSame = known === undefined ? !found.has(key) : formOf(known.sample) === formOf(sample);
      found.set(key, isSame ? (known ?? { shown, sample }) : undefined);
    };
    const days = [...text.matchAll(day)];
    if (days.length === 0) return none;
    for (const match of days) {
      const [shown] = match;
      const sample = sampleOf(shown);
      const before = text.slice(Math.max(0, match.index - NEAR), match.index);
      const [, first, second] = said.exec(before) ?? [];
      if (sample === undefined || isOfOwn(before.replace(/^.*[.;] /s, ""))) continue;
      for (const name of [first, second]) {
        if (name === undefined || prose.test(name)) continue;
        add(name, shown, sample);
      }
    }
    for (const { names, shown } of statedDays(text)) {
      const sample = sampleOf(shown);
      for (const name of sample === undefined ? [] : names) if (!prose.test(name)) add(name, shown, sample!);
    }
    return new Map(
      [...found].flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    );
  }, 200);

/** What stands between a verb and the form of days: `comes as a text like`. */
const toForm =
  /^(?:is|are|must be|comes?|uses?|has|have|follows?|reads?|goes|arrives?|returns?)(?:,? (?:always|an?|the|as|in|like|written|given|sent|formatted|returned|stored|shown|expected|form|format|pattern|dates?|days?|text|texts|string|style|German|US|American|European|UK|British|first|such|of|with|dots|slashes|e\.g\.|for example|back)){0,8}:? ?[("]?$/;
/** `DD.MM.YYYY is the form of birthday.` */
const formOfNamed =
  /^[)"`']? is (?:the|how|its) (?:form|format|pattern|way)(?: of| for| in which)?(?: the)? ([A-Za-z_][\w.]*?)(?: is written| comes| is sent)?(?=[.,;]|$)/;

/** The days in whole statements: `birthday comes as DD.MM.YYYY`, `All dates are formatted as DD/MM/YYYY`. */
function statedDays(text: string): readonly { readonly names: readonly string[]; readonly shown: string }[] {
  const found: { readonly names: readonly string[]; readonly shown: string }[] = [];
  for (const { subjects, said, isOfAll, sentence } of statementsIn(text)) {
    const [form, ...others] = [...said.matchAll(day)];
    if (form === undefined || others.length > 1 || isLimited(sentence)) continue;
    if (/\b(?:not?|never|or)\b|n't\b/.test(said) || !toForm.test(said.slice(0, form.index))) continue;
    const names = subjects.map((each) => (isOfAll && /^(?:date|day)$/i.test(each) ? anyDay : each));
    found.push({ names, shown: form[0] });
  }
  for (const form of unquoted(text).matchAll(day)) {
    const [, name] =
      formOfNamed.exec(unquoted(text).slice(form.index + form[0].length, form.index + 90)) ?? [];
    if (name !== undefined && !isOfOwn(text)) found.push({ names: [name], shown: form[0] });
  }
  return found;
}

/** `Days`, `dates` and `all dates` say it of every day. */
function keyOf(path: string): string {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return /^(?:days|dates)$/i.test(name) ? anyDay : wordsOf(name).join(" ");
}

/** A day in a form that is shown by letters, or the one that is shown; undefined where day and month can't be told apart. */
function sampleOf(shown: string): string | undefined {
  if (/[DM]/i.test(shown)) return shown.replace(/Y{4}/i, "2026").replace(/DD/i, "31").replace(/MM/i, "12");
  if (/^\d{4}/.test(shown)) return shown;
  const [, first, second] = /^(\d\d).(\d\d)/.exec(shown) ?? [];
  return Number(first) > 12 || Number(second) > 12 ? shown : undefined;
}

const formOf = (sample: string): string => {
  const [, first] = /^(\d\d)\D/.exec(sample) ?? [];
  return `${sample.replace(/\d/g, "0")} ${Number(first) > 12}`;
};
