import type { ApiDescription, Operation } from "../description.ts";
import { membersOf, type ObjectShape, type Path, type Shape } from "../shape.ts";
import { phrase } from "./name-words.ts";

/** An operation that gives a list of records. */
export interface RecordList {
  readonly operation: Operation;
  /** Where the list stands in the answer as a config sees it: an answer that is a list itself is its `body` (D20). */
  readonly path: Path;
  readonly record: ObjectShape;
  /** What its records are called: the last word of its path. */
  readonly name: string;
}

export function listsOf({ operations }: ApiDescription): RecordList[] {
  return operations.flatMap((operation) => {
    if (operation.method !== "GET") return [];
    const found = listIn(operation.response);
    return found === undefined ? [] : [{ operation, ...found, name: nameOf(operation.path) }];
  });
}

function listIn(shape: Shape): { readonly path: Path; readonly record: ObjectShape } | undefined {
  if (shape.kind === "array")
    return shape.items.kind === "object" ? { path: ["body"], record: shape.items } : undefined;
  let best: { path: Path; record: ObjectShape; weight: number } | undefined;
  for (const { path, shape: member } of membersOf(shape, 2)) {
    if (member.kind !== "array" || member.items.kind !== "object" || member.items.members.size === 0)
      continue;
    // Links and mistakes are lists too, of small things.
    if (/^(?:links?|_links|errors?|warnings?|messages?)$/i.test(path.at(-1)!)) continue;
    const weight = (path.length === 1 ? 10 : 0) + Math.min(member.items.members.size, 8);
    if (best === undefined || weight > best.weight) best = { path, record: member.items, weight };
  }
  return best;
}

function nameOf(path: string): string {
  const words = path.split("/").filter((part) => part !== "" && !part.includes("{"));
  // `/users.json` and `/users.list` both give users.
  return (words.at(-1) ?? "records").replace(/\.json$/, "").replace(/(?<=.)\.(?:list|all|get|info)$/i, "");
}

const people =
  /\b(?:contact|customer|subscriber|person|people|lead|member|recipient|client|patient|student|guest|buyer|registrant|attendee|participant|visitor|respondent|applicant)s?\b/;
const accounts = /\b(?:user|account)s?\b/;

/** How much a name says that records are people: 2 for those whom a company knows, 1 for those who log in, 0 for others. */
export function peopleIn(name: string): 0 | 1 | 2 {
  const words = phrase(name);
  return people.test(words) ? 2 : accounts.test(words) ? 1 : 0;
}

/** Where a record has a person's address: itself, or in an object right below it. */
export function emailOf(
  record: ObjectShape,
): { readonly path: Path; readonly isTheirs: boolean } | undefined {
  const found = [...membersOf(record, 2)].filter(
    ({ shape }) => shape.kind === "string" || shape.kind === "unknown",
  );
  const theirs =
    found.find(({ path }) =>
      /^(?:primary |work |personal )?e ?mail(?: address)?$/.test(phrase(path.at(-1)!)),
    ) ?? found.find(({ shape }) => shape.kind === "string" && shape.format === "email");
  if (theirs !== undefined) return { path: theirs.path, isTheirs: true };
  const other = found.find(({ path }) => / e ?mail(?: address)?$/.test(phrase(path.at(-1)!)));
  return other === undefined ? undefined : { path: other.path, isTheirs: false };
}

const idNames = [/^id$/, /^(?:gid|uuid|guid|uid|key)$/, / id$/, /^token$/];
const labelNames = [
  /^(?:display |full |company |account |organi[sz]ation )?name$/,
  /^(?:title|label|display)$/,
  /^(?:login|username|user name|slug|nickname)$/,
  / name$/,
  /^(?:email|email address|subject|description|number)$/,
];

/** The member that identifies a record, and the one that people know it by. */
export function identityOf(record: ObjectShape): { readonly id?: string; readonly label?: string } {
  const id = firstOf(record, idNames);
  const label = firstOf(record, labelNames) ?? id;
  return { ...(id === undefined ? {} : { id }), ...(label === undefined ? {} : { label }) };
}

function firstOf({ members }: ObjectShape, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns)
    for (const [name, shape] of members)
      if (
        pattern.test(phrase(name)) &&
        (shape.kind === "string" || shape.kind === "number" || shape.kind === "unknown")
      )
        return name;
  return undefined;
}
