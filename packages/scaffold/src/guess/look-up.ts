import { type ApiDescription, type Operation, pathParameters } from "../description.ts";
import { identityOf, type RecordList } from "./lists.ts";
import { phrase } from "./name-words.ts";
import { type Choice, isTyped } from "./needs.ts";

/** How people who exist already are found and changed. */
export interface LookUp {
  readonly find: Operation;
  /** What they are found by: their address, or an id that the app gave them. */
  readonly by: string;
  readonly change: Operation;
}

const naturalKeys =
  /^(?:e ?mail(?: address)?|external (?:id|key|reference)|reference|foreign (?:id|key)|query|q|search|filter|phone(?: number)?)$/;
const upserts = /\b(?:upserts?|creates? or updates?|adds? or updates?|updates? (?:it|them) if)\b/i;

/** @returns undefined where nothing looks people up, or the request itself says that it changes who exists */
export function lookUpFor(
  { path, summary, about = "", method }: Operation,
  { operations }: ApiDescription,
): LookUp | undefined {
  if (method === "PUT" || upserts.test(`${summary} ${about}`)) return undefined;
  const change = operations.find(
    (each) => /^(?:PATCH|PUT)$/.test(each.method) && isRecordOf(path, each.path),
  );
  const find = operations.find(
    (each) => each.method === "GET" && (each.path === path || each.path === `${path}/search`) && keyIn(each),
  );
  const by = find && keyIn(find);
  return change === undefined || find === undefined || by === undefined ? undefined : { find, by, change };
}

/** Whether a list is asked with what its records are known by: it finds somebody, and shows nobody new. */
export function isLookUp({ operation, record }: RecordList, choices: readonly Choice[]): boolean {
  const own = identityOf(record).id;
  return choices.some(
    (choice) =>
      isTyped(choice) &&
      !operation.path.includes(`{${choice.parameter}}`) &&
      (choice.parameter === own || isKeyName(choice.parameter)),
  );
}

function isKeyName(name: string): boolean {
  const words = phrase(name);
  return naturalKeys.test(words) || /^(?:e ?mails|(?:user ?)?name|username|ids?|uuids?)$/.test(words);
}

function keyIn({ parameters }: Operation): string | undefined {
  return parameters.find(({ in: place, name }) => place === "query" && naturalKeys.test(phrase(name)))?.name;
}

/** Whether a path is that of one record of a list: `/contacts/{id}` of `/contacts`. */
export function isRecordOf(list: string, path: string): boolean {
  return (
    path.startsWith(`${list}/{`) &&
    path.endsWith("}") &&
    pathParameters(path).length === pathParameters(list).length + 1
  );
}
