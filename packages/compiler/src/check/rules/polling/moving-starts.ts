import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { keepsKey, mayBeKept, mayGoOn, whileGoingOn } from "../../../flow/protocol/kept-state.ts";
import { type Asked, askedBy, keysSent } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { outcomesOf, type StateWrite, stateWritesOf, writesIn } from "../../../flow/protocol/state-writes.ts";

/** A value that a command writes under a key of the state. */
export interface Written {
  readonly key: string;
  readonly value: Expression;
  readonly program: JqProgram;
}

/**
 * Keys at which windows begin, and which requests get in another way than by their own name: from a step before, in a URL that the state holds, or
 * where a job is ordered.
 */
export const startsSent = passingOf(findStarts);

function findStarts(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const asked = askedBy(intake, model);
  if (asked === undefined) return new Set();
  const sent = new Set([...asked.reads.map(({ key }) => key), ...asked.through, ...keysSent(intake, model)]);
  const writes = stateCommands.flatMap((command) => writesIn(intake, command, model) ?? []);
  for (const key of sent)
    for (const { keys, program } of writes) {
      const value = keys.get(key);
      if (value === undefined || keptKey(value, program) === key) continue;
      for (const from of stateDependence(program, [value]).keys) sent.add(from);
    }
  return new Set([...sent].filter((key) => boundName(key)?.end === "lower"));
}

/** Whether a bound moves with each page, as far as the programs say by their form. */
export function movesEarly(intake: IntakeSymbol, model: Model): boolean {
  const asked = askedBy(intake, model);
  return asked !== undefined && movingWithPages(intake, asked, model).length > 0;
}

interface Early extends Written {
  readonly page: string | undefined;
  readonly from: string | undefined;
  readonly course?: "ordered" | "begun";
}

/** Keys that the request reads, and that are never left as they were while pages are read. */
export function movingWithPages(intake: IntakeSymbol, asked: Asked, model: Model): readonly Early[] {
  const request = intake.commands.get("request");
  const writes = request === undefined ? undefined : stateWritesOf(request, model);
  // What is written behind the last page may move whatever it likes.
  const [write, ...others] = (writes?.length ?? 0) > 1 ? writes!.filter(mayGoOn) : (writes ?? []);
  if (write === undefined || others.length > 0) return [];
  const { program } = write;
  const read = [...new Set(asked.reads.map(({ key }) => key))];
  const ordered = [...startsSent(intake, model)].filter((key) => !read.includes(key));
  const replaced = [...read, ...ordered].flatMap((key): readonly Early[] => {
    const value = write.keys.get(key);
    const from = value === undefined ? undefined : keptKey(value, program);
    if (value === undefined || from === undefined || from === key || !keepsKey(write, from)) return [];
    const isWindow = boundName(key)?.end === "lower" && boundName(from)?.end === "upper";
    if (!(isWindow || isTime(intake, key, model)) || !mayAskAgain(intake, model)) return [];
    const course = read.includes(key) ? {} : ({ course: "ordered" } as const);
    return [{ key, page: undefined, from, value, program, ...course }];
  });
  const token = read.find((key) => followsToken(write, key));
  const page = read.find((key) => countsUp(write, key)) ?? token;
  if (page === undefined) return replaced;
  const moving = read.flatMap((key) => {
    const value = write.keys.get(key);
    if (key === page || value === undefined || !movesOn(value, key, write)) return [];
    const isTimed = isTime(intake, key, model);
    if (page === token && !isTimed) return [];
    const isBound = boundName(key)?.end === "lower";
    if (page !== token && !isCounted(write, page) && !isTimed && !isBound) return [];
    if (!isTimed && !isBound && isHandle(value)) return [];
    return [{ key, page, from: undefined, value, program }];
  });
  return [...replaced, ...moving];
}

/** `.view_id`, `$meta.snapshot`: what all pages of one list are asked for with, as the answer itself names it, and no id of a last or next record. */
function isHandle(given: Expression): boolean {
  const value = bare(given);
  if (value.kind !== "Postfix" || (value.head.kind !== "Identity" && value.head.kind !== "Variable"))
    return false;
  const words = wordsOf(lastName(value) ?? "");
  if (!value.suffixes.every(({ kind }) => kind === "Field")) return false;
  if (words.length === 1) return /^(?:view|snapshot|scroll|search|session|export|job|pit)$/.test(words[0]!);
  return (
    /^(?:id|token|key|handle|ref)$/.test(words.at(-1) ?? "") &&
    words.slice(0, -1).some((word) => handles.has(word))
  );
}

const handles: ReadonlySet<string> = new Set(
  "view,snapshot,scroll,search,session,query,result,results,export,job,request,report,list,set,pit,context".split(
    ",",
  ),
);

/** Whether a key holds a time, as far as `initial_setup` or another command says. */
function isTime(intake: IntakeSymbol, key: string, model: Model): boolean {
  return kindsWritten(intake, model).some(
    (written) => written.key === key && ["seconds", "milliseconds", "date"].includes(written.kind),
  );
}

/** Whether a request may be followed by another one. */
function mayAskAgain(intake: IntakeSymbol, model: Model): boolean {
  const request = intake.commands.get("request");
  const outcomes = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  return outcomes.some(({ members }) => {
    const iterate = members.get("iterate");
    return iterate !== undefined && constantOf(iterate) !== false;
  });
}

/**
 * Starts that `pre_poll` sets as it orders what is read later, to what another key gets, too: behind the last page the one should become the
 * other.
 */
export function begunAhead(intake: IntakeSymbol, model: Model): readonly Early[] {
  const request = writesIn(intake, "request", model) ?? [];
  const after = [...request, ...(writesIn(intake, "post_poll", model) ?? [])];
  const ways = writesIn(intake, "pre_poll", model) ?? [];
  if (request.length === 0 || ways.length === 0) return [];
  const asked = keysSent(intake, model);
  const sent = new Set([...asked, ...startsSent(intake, model)]);
  return ways.flatMap(({ keys, program }) =>
    [...keys].flatMap(([key, value]): readonly Early[] => {
      if (!sent.has(key) || constantOf(value) !== undefined || keptKey(value, program) !== undefined)
        return [];
      if (!isTime(intake, key, model)) return [];
      const text = textAt(bare(value), program);
      const from = after
        .flatMap((write) => {
          const next = write.keys.get(key);
          return next === undefined
            ? []
            : waysOf(next, write.program).map((way) => keptKey(way, write.program));
        })
        .find((other) => {
          // Of the two ends of a window that get one expansion, that is told as an empty one.
          const isWindow = boundName(key)?.end === "lower" && boundName(other ?? "")?.end === "upper";
          const isEmpty = isWindow && /^\$[{<]/.test(text);
          const isBeside = other !== undefined && other !== key && !asked.has(other) && !isEmpty;
          const beside = isBeside ? keys.get(other) : undefined;
          return beside !== undefined && textAt(bare(beside), program) === text;
        });
      return from === undefined ? [] : [{ key, page: undefined, from, value, program, course: "begun" }];
    }),
  );
}

/** `page: (${polling_state.page} + 1)` itself, and no variable that was bound to it. */
const isCounted = ({ keys }: StateWrite, key: string): boolean => {
  const value = keys.get(key);
  return value !== undefined && bare(value).kind === "Arithmetic";
};

/**
 * `page: (${polling_state.page} + 1)`, also where it was bound to a variable before, and `page: (if .page.index + 1 < .page.count then .page.index + 1
 * else 0 end)`: behind the last page it begins again.
 */
function countsUp({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  const ways = value === undefined ? [] : waysOf(value, program).map(bare);
  const counting = ways.filter((way) => constantOf(way) === undefined);
  return counting.length > 0 && counting.every((way) => isOneMore(way, key, program));
}

/** One more than a key was, or than the number that the answer gives its own page. */
function isOneMore(given: Expression, key: string, program: JqProgram): boolean {
  const source = given.kind === "Variable" ? boundTo(program, given) : given;
  const value = source === undefined ? undefined : bare(source);
  if (value?.kind !== "Arithmetic" || value.rest.some(({ operator }) => operator !== "+")) return false;
  const { keys: from, clock } = stateDependence(program, [value]);
  if (from.has(key) && !clock) return true;
  const [one, ...others] = value.rest;
  return (
    others.length === 0 &&
    constantOf(one!.operand) === 1 &&
    ownPage.test(textAt(bare(value.first), program).replace(/\s/g, ""))
  );
}

/** `.page.index`, `.meta.current_page`, `$answer.paging.page`. */
const ownPage =
  /^(?:\$\w+)?(?:\.\w+)*\.(?:(?:current_?)?page(?:_?(?:no|number|index))?|(?:page|paging|pagination)\.(?:index|number|no|current))$/i;

/** `after: .pageInfo.endCursor`: a place in the list that was asked for, as the API names it; an id of its last record is none. */
function followsToken({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  if (value === undefined) return false;
  return waysOf(value, program).some((way) => tokenName.test(lastName(way) ?? ""));
}

const tokenName = /^(?:end_?cursor|(?:next_?)?(?:page_?token|cursor)|next|continuation(?:_?token)?)$/i;

/** Whether a value is another one after each page: it is read from the response, and on no way left as it was. */
function movesOn(given: Expression, key: string, write: StateWrite): boolean {
  const { program } = write;
  const value = whileGoingOn(given, write);
  if (hasCondition(value)) return false;
  // `since: ${polling_state.newest}` moves as `newest` does, one page later.
  const from = keptKey(value, program);
  const other = from === undefined || from === key ? undefined : write.keys.get(from);
  if (other !== undefined && keptKey(other, program) === undefined) return movesOn(other, from!, write);
  const { input, clock } = stateDependence(program, [value]);
  return (input || clock) && !onlyKept(value, key, program);
}

function hasCondition(node: Expression): boolean {
  return node.kind === "Group" ? hasCondition(node.body) : node.kind === "If";
}

/** `.next // ${polling_state.key}` moves where there is a next one. */
function onlyKept(value: Expression, key: string, program: JqProgram): boolean {
  return value.kind !== "Alternative" && value.kind !== "Group" && mayBeKept(value, key, program);
}
