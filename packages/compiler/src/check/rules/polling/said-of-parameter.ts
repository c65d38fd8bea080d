import { escapedPattern } from "@configc/jq/internal";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";

/* What comments say of a parameter, a member or a key of the state by its name: where the value is meant as it is, a rule stays silent. */

/** Whether a sentence says that the list goes by a member: `GET /items goes by rank`, `it goes on behind the id in meta`. */
export const goesByMember = (member: string, clauses: readonly DocumentedClause[]): boolean => {
  const said = new RegExp(
    `\\b(?:(?:goes|go|moves?|works?|counts?|sorted|ordered|comes?) by|by its|goes on (?:with|behind|after|from))\\b[^.;,]{0,30}(?<![\\w.])${escapedPattern(member)}(?!\\w)`,
    "i",
  );
  return clauses.some(({ text }) => said.test(text));
};

const named = (names: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w.])(?:${names.map(escapedPattern).join("|")})(?!\\w)`);

/** Whether a sentence that has one of the names says something, and not that it isn't so. */
const clauseOf = (names: readonly string[], place: SyntaxNode, what: RegExp, unless?: RegExp): boolean => {
  const said = named(names);
  return documentedClauses(place).some(
    ({ text }) => what.test(text) && said.test(text) && unless?.test(text) !== true,
  );
};

/** Whether a sentence says of a parameter that it counts rows or gives a position: no number of a record. */
export const isSaidPosition = (names: readonly string[], place: SyntaxNode): boolean =>
  clauseOf(
    names,
    place,
    /\bposition in the (?:list|table)\b|\bhow many\b|\bcounts? (?:rows|items|records|entries|lines)\b|\b(?:rows|items|records|entries|lines) (?:are|is) counted\b|\brow number\b/i,
    /\b(?:not|never|n't)\b/,
  );

/** Whether a sentence says that a list goes from high to low from what a parameter gives. */
export const isSaidDownwards = (names: readonly string[], place: SyntaxNode): boolean =>
  clauseOf(
    names,
    place,
    /\bdownwards?\b|\bbackwards?\b|\bfrom high to low\b|\b(?:gives?|lists?|shows?|has) (?:what|those|all|items|records|rows)(?: \w+){0,2} (?:lower|smaller|below|less|older|earlier)\b/i,
  );

/** Whether a sentence says that a member is a time, whatever it is called. */
export const isSaidTime = (member: string, place: SyntaxNode): boolean =>
  clauseOf([member], place, /\b(?:time|timestamp|clock|epoch|Unix)\b/, /\b(?:not|never|n't)\b/);

/** Whether a sentence says that a key or parameter is only for people to see. */
export const isSaidForPeople = (name: string, place: SyntaxNode): boolean =>
  clauseOf(
    [name],
    place,
    /\bfor (?:support|people|statistics|information|us|the log|debugging)\b|\blooked (?:up|at)\b|\bto (?:be seen|see|look at)\b/i,
  );

/** Whether a sentence says that a parameter is left out on purpose. */
export const isSaidLeftOut = (name: string, place: SyntaxNode): boolean => {
  const clauses = documentedClauses(place).map(({ text }) => text);
  const said = named([name]);
  return clauses.some(
    (text, at) =>
      /\b(?:leave|left|leaving) (?:it |this |that )?out\b|\b(?:don't|do not|isn't|is not|needn't be) (?:send|sent)\b/i.test(
        text,
      ) &&
      (said.test(text) || said.test(clauses[at - 1] ?? "")),
  );
};

/** Whether a sentence says that a parameter is read in more than one form: `since takes Unix seconds or an ISO time`. */
export const takesBoth = (name: string, place: SyntaxNode): boolean => {
  const said = named([name]);
  return documentedClauses(place).some(
    ({ text }) =>
      said.test(text) &&
      /\b(?:takes?|reads?|is read|understands?|accepts?|may be|can be)\b/.test(text) &&
      /\b(?:both(?= forms?\b| ways\b| kinds?\b|[^\w ]|$)|both (?!(?:in|are|as|of)\b)(?=[^.;]{1,60}\b(?:and|or)\b)|either|any form|(?:seconds|time|date|stamp|ISO|Unix) or)\b/i.test(
        text,
      ) &&
      !/\b(?:not|never)\b/.test(text),
  );
};

/** Whether a sentence says that a parameter takes in what it is given: `GET /days lists the days from after on, the day itself too`. */
export const isSaidInclusive = (name: string, place: SyntaxNode): boolean =>
  clauseOf(
    [name],
    place,
    /\binclusive\b|\bincluding\b|\bincluded\b|\bitself (?:too|as well)\b|\bincludes\b|\bon or after\b|>=/,
    /\bnot inclusive\b|\bexclusive\b|\bnot (?:itself|included)\b/,
  );
