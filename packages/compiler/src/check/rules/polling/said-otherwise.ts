import { escapedPattern } from "@configc/jq/internal";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";

/*
 * What makes a sentence of a comment say nothing of the request at hand: it speaks of an old version or of another request, or another sentence
 * says that the value is meant so.
 */

const old =
  /\b(?:version \d|v\d|old(?:er)?|former(?:ly)?|previous(?:ly)?|legacy|deprecated|used to|was|were|until \d{4}|before \d{4}|no longer)\b/i;

/** Whether a sentence is of how it was once, or of one version of several. */
export const isOfOldVersion = (text: string): boolean => old.test(text);

/** Whether a sentence names requests, and not the one with this path: `GET /audit has entries with seq > after`. */
export function isOfOtherRequest(text: string, path: string | undefined): boolean {
  const named = [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) (\/[\w/{}:.-]{1,80})/g)].map(([, each]) =>
    lastName(each!),
  );
  return path !== undefined && named.length > 0 && !named.includes(lastName(path));
}

/** `people` of `/groups/{id}/people?sort=id` */
const lastName = (path: string): string =>
  path
    .replace(/\?.*$/, "")
    .split("/")
    .findLast((part) => /^[\w.-]*\w$/.test(part)) ?? "";

/** Whether a sentence says that the list goes by a member: `GET /items goes by rank`, `it goes on behind the id in meta`. */
export const goesByMember = (member: string, clauses: readonly DocumentedClause[]): boolean => {
  const said = new RegExp(
    `\\b(?:(?:goes|go|moves?|works?|counts?|sorted|ordered|comes?) by|by its|goes on (?:with|behind|after|from))\\b[^.;,]{0,30}(?<![\\w.])${escapedPattern(member)}(?!\\w)`,
    "i",
  );
  return clauses.some(({ text }) => said.test(text));
};

/** Whether a sentence says that a parameter is read in more than one form: `since takes Unix seconds or an ISO time`. */
export const takesBoth = (name: string, place: SyntaxNode): boolean => {
  const said = new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`);
  return documentedClauses(place).some(
    ({ text }) =>
      said.test(text) &&
      /\b(?:takes?|reads?|is read|understands?|accepts?|may be|can be)\b/.test(text) &&
      /\b(?:both|either|any form|(?:seconds|time|date|stamp|ISO|Unix) or)\b/i.test(text) &&
      !/\b(?:not|never)\b/.test(text),
  );
};

/** Whether a sentence says that a parameter takes in what it is given: `GET /days lists the days from after on, the day itself too`. */
export const isSaidInclusive = (name: string, place: SyntaxNode): boolean => {
  const said = new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`);
  return documentedClauses(place).some(
    ({ text }) =>
      said.test(text) &&
      /\binclusive\b|\bincluding\b|\bincluded\b|\bitself (?:too|as well)\b|\bincludes\b|\bon or after\b|>=/.test(
        text,
      ) &&
      !/\bnot inclusive\b|\bexclusive\b|\bnot (?:itself|included)\b/.test(text),
  );
};
