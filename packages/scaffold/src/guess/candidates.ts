import { type ApiDescription, type Operation, pathParameters } from "../description.ts";
import { membersOf, type ObjectShape } from "../shape.ts";
import { emailOf, identityOf, listsOf, peopleIn, type RecordList } from "./lists.ts";
import { phrase, singular } from "./name-words.ts";
import { pagingOf } from "./paging.ts";
import { type Placement, placementIn } from "./placement.ts";
import { watermarkOf } from "./watermark.ts";

/** A list that an app could poll, with the lists that its path's parameters are chosen from. */
export interface ReadCandidate {
  readonly list: RecordList;
  readonly choices: readonly Choice[];
}

/** A parameter of a path, and the list whose records it names. */
export interface Choice {
  readonly parameter: string;
  readonly from: RecordList;
}

/** A request that an app could send for each contact. */
export interface WriteCandidate {
  readonly operation: Operation;
  /** Where the contact stands in its body. */
  readonly placement: Placement;
  readonly choices: readonly Choice[];
}

/** A workspace, and a list in it; who has to choose more won't. */
const MOST_CHOICES = 2;

/** Lists worth polling, the likeliest first: people, changes that can be asked for, pages that go on. */
export function readCandidates(description: ApiDescription): ReadCandidate[] {
  const lists = listsOf(description);
  return lists
    .flatMap((list) => {
      const choices = choicesOf(list.operation, lists);
      if (choices === undefined || hasOtherRequirements(list.operation)) return [];
      return [{ list, choices, weight: readWeight(list, choices.length) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ list, choices }) => ({ list, choices }));
}

function readWeight(list: RecordList, choices: number): number {
  const { operation, record } = list;
  const watermark = watermarkOf(operation);
  return (
    emailWeight(record) +
    4 * peopleIn(list.name) +
    (watermark === undefined ? 0 : watermark.value.counts === "changes" ? 6 : 3) +
    (pagingOf(list).value.kind === "none" ? 0 : 2) +
    (identityOf(record).id === undefined ? -4 : 0) -
    3 * choices -
    (/\b(?:search|export|audit|log|event|report|statistics|stats|history|admin|bot)s?\b/.test(
      phrase(operation.path),
    )
      ? 6
      : 0) -
    0.1 * operation.path.length
  );
}

/** Requests that create somebody or something from a contact, the likeliest first. */
export function writeCandidates(description: ApiDescription): WriteCandidate[] {
  const lists = listsOf(description);
  return description.operations
    .flatMap((operation) => {
      const placement = operation.request && placementIn(operation.request.shape);
      if (placement === undefined || !takesNew(operation)) return [];
      const choices = choicesOf(operation, lists);
      if (choices === undefined || hasOtherRequirements(operation)) return [];
      const weight = writeWeight(operation, placement.record, choices.length);
      return [{ operation, placement, choices, weight }];
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ operation, placement, choices }) => ({ operation, placement, choices }));
}

/** PUT to a list itself creates what isn't there; behind an id it replaces what is. */
function takesNew({ method, path }: Operation): boolean {
  return method === "POST" || (method === "PUT" && !path.endsWith("}"));
}

function writeWeight({ method, path }: Operation, body: ObjectShape, choices: number): number {
  const last = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "";
  return (
    emailWeight(body) +
    4 * peopleIn(last) -
    (isPerson(body) ? 0 : 4) -
    (method === "PUT" ? 1 : 0) -
    2 * choices -
    (/\b(?:login|password|invite|invitation|session|token|search|batch|bulk|merge|import|export|verify|webhook|hook|role|permission)s?\b/.test(
      phrase(path),
    )
      ? 8
      : 0) -
    0.1 * path.length
  );
}

/** Whether a body has what a person has: an address, a name, a number to call. */
function isPerson(body: ObjectShape): boolean {
  if (emailOf(body)?.isTheirs === true) return true;
  return [...membersOf(body, 2)].some(
    ({ path, shape }) =>
      (shape.kind === "string" || shape.kind === "unknown") &&
      /^(?:(?:first|last|full|given|family|display|customer|contact|user) ?name|name|surname|e ?mail|phone(?: number)?|mobile)$/.test(
        phrase(path.at(-1)!),
      ),
  );
}

function emailWeight(record: ObjectShape): number {
  const email = emailOf(record);
  return email === undefined ? 0 : email.isTheirs ? 6 : 1;
}

/** @returns a list for each parameter of the path; undefined if one has none, so that nobody could choose */
function choicesOf(operation: Operation, lists: readonly RecordList[]): readonly Choice[] | undefined {
  const choices: Choice[] = [];
  for (const parameter of pathParameters(operation.path)) {
    const before = operation.path.slice(0, operation.path.indexOf(`{${parameter}}`)).replace(/\/$/, "");
    const from = lists.find(
      (list) =>
        list.operation.path === before &&
        !hasOtherRequirements(list.operation) &&
        identityOf(list.record).id !== undefined,
    );
    // The parameters before it are chosen already: the options of a field may depend on the one above.
    if (from === undefined) return undefined;
    choices.push({ parameter, from });
  }
  return choices.length > MOST_CHOICES ? undefined : choices;
}

/** Whether it demands a parameter besides its path that nobody can know. */
function hasOtherRequirements({ parameters }: Operation): boolean {
  return parameters.some(({ in: place, isRequired, name, shape }) => {
    if (place === "path" || !isRequired || isIdempotencyKey(name)) return false;
    if (/^(?:accept|content-type|authorization)$/i.test(name)) return false;
    return (
      !(place === "query" && /^(?:limit|page|per_page|page_size|offset)$/i.test(name)) &&
      shape.kind !== "boolean"
    );
  });
}

/** The header or member by which a service recognises a request that comes again. */
export function isIdempotencyKey(name: string): boolean {
  return /^(?:x )?idempotency (?:key|token)$/.test(phrase(name));
}

/** What a choice is called in the form: “list” for `{list_id}` of `/lists`. */
export function choiceName({ parameter, from }: Choice): string {
  const own = phrase(parameter).replace(/ (?:id|gid|uuid|key|hash|slug|name)$/, "");
  return own === "" || own === "id" ? singular(phrase(from.name)) : own;
}
