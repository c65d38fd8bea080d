import type { ApiDescription, Operation } from "../description.ts";
import { membersOf, type ObjectShape } from "../shape.ts";
import { type BodyNeeds, bodyNeedsOf } from "./body-needs.ts";
import { emailOf, identityOf, listsOf, peopleIn, type RecordList } from "./lists.ts";
import { isLookUp, isRecordOf, type LookUp, lookUpFor } from "./look-up.ts";
import { phrase } from "./name-words.ts";
import { type Choice, choicesIn, isTooMuch, isTyped, type Need, needsOf } from "./needs.ts";
import { pagingOf } from "./paging.ts";
import { type Placement, placementIn } from "./placement.ts";
import { watermarkOf } from "./watermark.ts";
import { doubtsOf, type WriteDoubt } from "./write-doubts.ts";

/** A list that an app could poll, with what it has to be asked with. */
export interface ReadCandidate {
  readonly list: RecordList;
  readonly needs: readonly Need[];
  readonly choices: readonly Choice[];
}

/** A request that an app could send for each contact. */
export interface WriteCandidate {
  readonly operation: Operation;
  /** Where the contact stands in its body. */
  readonly placement: Placement;
  /** Of the request and its body. */
  readonly needs: readonly Need[];
  readonly choices: readonly Choice[];
  /** Members that the body has to have, and that nothing gives. */
  readonly unfilled: readonly string[];
  readonly doubts: readonly WriteDoubt[];
  /** How people who exist already could be found. */
  readonly lookUp: LookUp | undefined;
}

/** A request that would be likely if it didn't ask for so much. */
export interface LeftOut {
  readonly operation: Operation;
  /** Parameters that a customer would have to fill in. */
  readonly wants: readonly string[];
}

interface Weighted<Candidate> {
  readonly candidate: Candidate;
  readonly weight: number;
}

/** Lists worth polling, the likeliest first: people, changes that can be asked for, pages that go on. */
export function readCandidates(description: ApiDescription): ReadCandidate[] {
  return weighedReads(description)
    .filter(({ candidate }) => !isTooMuch(candidate.choices))
    .map(({ candidate }) => candidate);
}

/** Likelier lists than those that are worth polling, if a customer weren't asked for so much. */
export function readsLeftOut(description: ApiDescription): LeftOut[] {
  return leftOut(
    weighedReads(description).filter(({ candidate: { list } }) => emailOf(list.record) !== undefined),
    ({ list, choices }) => ({ operation: list.operation, choices }),
  );
}

/** Requests that create somebody or something from a contact, the likeliest first. */
export function writeCandidates(description: ApiDescription): WriteCandidate[] {
  return weighedWrites(description)
    .filter(({ candidate, weight }) => weight > 0 && !isTooMuch(candidate.choices))
    .map(({ candidate }) => candidate);
}

/** Likelier requests than those that an app could send, if a customer weren't asked for so much. */
export function writesLeftOut(description: ApiDescription): LeftOut[] {
  return leftOut(
    weighedWrites(description).filter(({ weight }) => weight > 0),
    (candidate) => candidate,
  );
}

function leftOut<Candidate>(
  weighed: readonly Weighted<Candidate>[],
  told: (candidate: Candidate) => Pick<WriteCandidate, "operation" | "choices">,
): LeftOut[] {
  const all = weighed.map(({ candidate }) => told(candidate));
  const best = all.findIndex(({ choices }) => !isTooMuch(choices));
  return all
    .slice(0, best < 0 ? all.length : best)
    .map(({ operation, choices }) => ({ operation, wants: choices.map(({ parameter }) => parameter) }));
}

function weighedReads(description: ApiDescription): Weighted<ReadCandidate>[] {
  const lists = listsOf(description);
  return lists
    .flatMap((list) => {
      const needs = needsOf(list.operation, lists, coveredIn(list));
      const choices = choicesIn(needs);
      return isLookUp(list, choices)
        ? []
        : { candidate: { list, needs, choices }, weight: readWeight(list, choices) };
    })
    .sort((a, b) => b.weight - a.weight);
}

/** Parameters that pages and watermarks send. */
function coveredIn(list: RecordList): ReadonlySet<string> {
  const { value: paging } = pagingOf(list);
  const watermark = watermarkOf(list.operation)?.value;
  return new Set(
    [
      ...(paging.kind === "none" ? [] : [paging.param, paging.size?.param]),
      watermark?.param,
      watermark?.window?.to,
    ].filter((each) => each !== undefined),
  );
}

function readWeight(list: RecordList, choices: readonly Choice[]): number {
  const { operation, record } = list;
  const watermark = watermarkOf(operation);
  return (
    emailWeight(record) +
    4 * peopleIn(list.name) +
    (watermark === undefined ? 0 : watermark.value.counts === "changes" ? 6 : 3) +
    (pagingOf(list).value.kind === "none" ? 0 : 2) +
    (identityOf(record).id === undefined ? -4 : 0) -
    3 * costOf(choices) -
    (/\b(?:search|export|audit|log|event|report|statistics|stats|history|admin|bot)s?\b/.test(
      phrase(operation.path),
    )
      ? 6
      : 0) -
    0.05 * withoutParameters(operation.path).length
  );
}

/** What is chosen from a list is easy; what is typed has to be looked up elsewhere. */
function costOf(choices: readonly Choice[]): number {
  return choices.reduce(
    (sum, choice) => sum + (isTyped(choice) ? 2 : choice.from === undefined ? 0.5 : 1),
    0,
  );
}

function weighedWrites(description: ApiDescription): Weighted<WriteCandidate>[] {
  const lists = listsOf(description);
  return description.operations
    .flatMap((operation): Weighted<WriteCandidate>[] => {
      const placement = operation.request && placementIn(operation.request.shape);
      if (placement === undefined || !takesNew(operation)) return [];
      const own = needsOf(operation, lists);
      const body: BodyNeeds = bodyNeedsOf(operation, placement, lists, own);
      const needs = [...own, ...body.needs];
      const choices = choicesIn(needs);
      const doubts = doubtsOf(operation, placement, description);
      const candidate = {
        operation,
        placement,
        needs,
        choices,
        unfilled: body.unfilled,
        doubts,
        lookUp: lookUpFor(operation, description),
      };
      return [{ candidate, weight: writeWeight(candidate, description) }];
    })
    .sort((a, b) => b.weight - a.weight);
}

/**
 * PUT to a list itself creates what isn't there; behind an id it replaces what is. `/users.profile.set` says that it changes something, and
 * `/removed-subscribers` that it takes somebody away.
 */
function takesNew({ method, path, summary }: Operation): boolean {
  const last = phrase(path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "");
  if (/\.(?:set|update|edit|change|remove|delete)$/i.test(path)) return false;
  if (/^(?:remov|delet|unsubscrib|unjoin|block|suppress|bann|archiv|cancel|bounc)/.test(last)) return false;
  if (
    /^(?:removes?|deletes?|unsubscribes?|blocks?|suppress(?:es)?|bans?|archives?|cancels?|updates?)\b/i.test(
      summary,
    )
  )
    return false;
  return method === "POST" || (method === "PUT" && !path.endsWith("}"));
}

function writeWeight(
  { operation, placement, choices, unfilled, doubts, lookUp }: WriteCandidate,
  description: ApiDescription,
): number {
  const { method, path } = operation;
  const body = placement.record;
  const last = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "";
  return (
    emailWeight(body) +
    4 * peopleIn(last) -
    (isPerson(body) ? 0 : 4) +
    (isKept(operation, description) ? 1 : 0) +
    (lookUp === undefined ? 0 : 3) -
    (method === "PUT" ? 1 : 0) -
    2 * costOf(choices) -
    4 * unfilled.length -
    doubts.reduce((sum, { weight }) => sum + weight, 0) -
    (/\b(?:login|password|invite|invitation|session|token|search|batch|bulk|merge|import|export|verify|webhook|hook|role|permission)s?\b/.test(
      phrase(path),
    )
      ? 8
      : 0) -
    0.05 * withoutParameters(path).length
  );
}

/** Whether what a request creates can be changed or looked up later: then it is a record that is kept. */
function isKept({ path }: Operation, { operations }: ApiDescription): boolean {
  return operations.some((each) => /^(?:PATCH|PUT|GET)$/.test(each.method) && isRecordOf(path, each.path));
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

/** What parameters are called says nothing of a path. */
function withoutParameters(path: string): string {
  return path.replace(/\{[^}]*\}/g, "");
}
