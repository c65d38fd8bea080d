import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { type JsonNode, type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";

/*
 * What makes a sentence of a comment say nothing of the request at hand: it speaks of an old version or of another request, or another sentence
 * says that the value is meant so.
 */

/** What begins or is due lies ahead, and each cycle may read all of it: `starts_from`, or a list sorted by `starts_at`. */
const coming =
  /^(?:starts?|begins?|due|departs?|departures?|arrives?|arrivals?|scheduled|planned|upcoming|checkin|opens?)$/;
export const isComing = (name: string): boolean => {
  const words = wordsOf(name);
  // `start` alone is where a window begins.
  return words.length > 1 && words.some((word) => coming.test(word) && word !== "start");
};

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
    .replace(/\?.*$|[:.]+$/, "")
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

const clauseOf = (names: readonly string[], place: SyntaxNode, what: RegExp, unless?: RegExp): boolean => {
  const said = new RegExp(`(?<![\\w.])(?:${names.map(escapedPattern).join("|")})(?!\\w)`);
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
  const said = new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`);
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
  const said = new RegExp(`(?<![\\w.])${escapedPattern(name)}(?!\\w)`);
  return documentedClauses(place).some(
    ({ text }) =>
      said.test(text) &&
      /\b(?:takes?|reads?|is read|understands?|accepts?|may be|can be)\b/.test(text) &&
      /\b(?:both(?! (?:in|are|as|of)\b)|either|any form|(?:seconds|time|date|stamp|ISO|Unix) or)\b/i.test(
        text,
      ) &&
      !/\b(?:not|never)\b/.test(text),
  );
};

/** Whether a request asks for one value of a member alone: `kind=person`. A filter by the same lets all records through. */
export const asksForOnly = (
  name: string,
  value: unknown,
  requests: readonly { readonly argument: JsonNode | undefined }[],
): boolean =>
  typeof value === "string" &&
  requests.length > 0 &&
  requests.every(({ argument }) => {
    const params = argument?.kind === "object" ? argument.get("params") : undefined;
    return textOf(params, name) === value;
  });

/** What a filter keeps, where that is one value of one member: `select(.kind == "person")`. */
export function onlyValueOf(
  select: Expression,
): { readonly name: string; readonly value: unknown } | undefined {
  const [condition, ...others] = select.kind === "Call" ? select.arguments : [];
  const asked = condition === undefined || others.length > 0 ? undefined : bare(condition);
  if (asked?.kind !== "Comparison" || asked.operator !== "==") return undefined;
  const name = nameOfValue(bare(asked.left));
  return name === undefined ? undefined : { name, value: constantOf(asked.right) };
}

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
