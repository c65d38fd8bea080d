import { types } from "@configc/jq";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { Pages } from "../../../flow/machine/cycle.ts";
import { type Paging, pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import type { Asking, Iteration, Sent } from "../../../flow/machine/polling-program.ts";
import type { List } from "../../../flow/machine/readings.ts";
import { pageText } from "../../../flow/machine/roles.ts";
import {
  areEqual,
  isKind,
  isTrue,
  memberOf,
  resolved,
  UNKNOWN,
  type Value,
} from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { keepsKey, keepsWhileGoingOn, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy } from "../../../flow/protocol/request-reads.ts";
import { keysOfResults } from "../../../flow/protocol/result-keys.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { outcomesOf, type StateWrite, stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { goesOnForever } from "./page-end.ts";
import { hasWrongStep } from "./position-step.ts";
import { tokenRunsOut } from "./token-runs-out.ts";

const sameRequest = defineRule<{ keys: readonly string[]; isOver: boolean }>({
  id: "polling/same-request",
  severity: "warning",
  summary: "`iterate` asks for more, but the next request is the same",
  why: "Only `polling_state` makes one iteration of `request` differ from the next. If every key that the request reads stays the same, the second request gets the first page again. The cycle ends there, and later pages never arrive.",
  guards: ["polling.request", "polling.polling_state", "expansion.polling_state", "D33"],
  message: ({ keys, isOver }) =>
    isOver
      ? `Behind the last page \`iterate\` may be true, and ${allNames(keys)} ${keys.length === 1 ? "is the one" : "are those"} of the first page again.`
      : keys.length === 0
        ? "`iterate` may ask for another page, but the request doesn't read `polling_state`, so it gets the first page again."
        : `\`iterate\` may ask for another page, but ${allNames(keys)} ${keys.length === 1 ? "stays" : "stay"} the same, and so does the next request.`,
  because: ({ keys, isOver }) =>
    isOver
      ? ["all pages are read", `the next request sends the first ${allNames(keys)}, and reads the same pages`]
      : keys.length === 0
        ? ["request 1 asks for the first page", "request 2 is the same"]
        : [`page 1 is requested with ${allNames(keys)}`, "page 2 is requested with the same and gets page 1"],
  help: ({ keys, isOver }) =>
    isOver
      ? `Move on to what comes behind the last page, or end there.`
      : keys.length === 0
        ? "Send the page, offset or cursor from `polling_state` as a parameter."
        : `Take ${allNames(keys)} from the response, or increase ${keys.length === 1 ? "it" : "them"}.`,
  examples: [
    {
      title: "The cursor isn't moved on",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: {since: ${polling_state.since}, page: «${polling_state.page}»}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {since: ${polling_state.since}, page: (${polling_state.page} + 1)}}"',
    },
    {
      title: "The whole state is given back",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: «${polling_state}»}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
    {
      title: "A key is set on the other way only",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '".has_more as $more | .changes_since as $next | {results: .items, iterate: $more, polling_state: (${polling_state} | if $more then «.» else .page = 1 | .since = $next end)}"',
      good: '".has_more as $more | .changes_since as $next | {results: .items, iterate: $more, polling_state: (${polling_state} | if $more then .page += 1 else .page = 1 | .since = $next end)}"',
    },
    {
      title: "The page isn't sent",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers"}}, {"!jq": "{results: .items, iterate: «.has_more», polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [sameRequest],
  checks: {
    // Whether a saved value is another one each time.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      if (asked === undefined || asked.requests.length === 0 || !mayIterate(intake, model)) return;
      if (asked.varies) {
        const standing = asked.variesByState ? standingWrite(intake, model) : undefined;
        if (standing !== undefined) report(sameRequest, standing.at, { keys: standing.keys, isOver: false });
        return;
      }
      if (asked.reads.length + asked.through.size + asked.deciding.size === 0) {
        const at = isPlainList(asked) && !asked.readsMade ? iterateAt(intake, model) : undefined;
        if (at !== undefined) report(sameRequest, at, { keys: [], isOver: false });
        return;
      }
      const ended = tokenRunsOut(intake, model);
      if (ended !== undefined) return report(sameRequest, ended.at, { keys: [ended.key], isOver: true });
      const keys = [...new Set([...asked.reads.map(({ key }) => key), ...asked.through])];
      const request = intake.commands.get("request");
      const writes = request === undefined ? undefined : stateWritesOf(request, model);
      const places = placesInAnswers(intake, model);
      if (writes === undefined || writes.length === 0 || places === undefined) return;
      // What is written where the cycle ends is for the next one.
      const going = writes.filter(mayGoOn);
      const all = new Set([...keys, ...asked.deciding, ...places]);
      const isKeptOnEach = writes.every((write) => [...all].every((key) => keepsKey(write, key)));
      // Where the end is told by the same condition that keeps the state, one finding is enough.
      if (!isKeptOnEach && goesOnForever(intake, model)) return;
      const isKeptOnAllWays =
        going.length > 0 && going.every((each) => [...all].every((key) => keepsWhileGoingOn(each, key)));
      // Other results of the same answer.
      if (going.some((each) => [...places].some((key) => !keepsWhileGoingOn(each, key)))) return;
      if (isKeptOnAllWays && keys.every((key) => handsOut.test(key))) return;
      const again = isKeptOnAllWays ? "again" : asksAgain(intake, writes, model);
      if (again === undefined) return;
      const [write] = (going.length > 0 ? going : writes) as [StateWrite];
      const [first] = keys as [string];
      const made = write.keys.get(first) ?? write.node;
      const related = asked.reads.map(({ at }) => ({ message: "read here", at }));
      report(sameRequest, partAt(write.program, made), { keys, isOver: again === "over" }, related);
    },
  },
};
export default module;

/** Where each way that goes on gives back the whole state as it was: whatever a request reads of it, the next one is the same. */
function standingWrite(
  intake: IntakeSymbol,
  model: Model,
): { readonly at: StringPart; readonly keys: readonly string[] } | undefined {
  const request = intake.commands.get("request");
  const writes = (request === undefined ? undefined : stateWritesOf(request, model)) ?? [];
  const going = writes.filter(mayGoOn);
  const keys = [...new Set(kindsWritten(intake, model).map(({ key }) => key))];
  const stands = going.every(
    (write) =>
      write.iterate !== undefined &&
      [...keys, ...write.keys.keys()].every((key) => keepsWhileGoingOn(write, key)),
  );
  const [write] = going;
  if (write === undefined || keys.length === 0 || !stands || goesOnForever(intake, model)) return undefined;
  // What counts the pages is what should have moved.
  const counting = keys.filter((key) => pagesBy.test(key));
  const named = counting.length > 0 ? counting : keys;
  const made = write.keys.get(named[0]!) ?? write.node;
  return { at: partAt(write.program, made), keys: named };
}

const pagesBy = /page|seite|pagina|part|offset|cursor|token|next|after|position|place|skip/i;

/** Keys by which an iteration takes another part of the same answer; a list of what was seen only leaves that out. */
function placesInAnswers(intake: IntakeSymbol, model: Model): ReadonlySet<string> | undefined {
  const keys = keysOfResults(intake, model);
  if (keys === undefined || keys.size === 0) return keys;
  const lists = new Set(
    kindsWritten(intake, model).flatMap(({ key, kind }) => (kind === "list" ? [key] : [])),
  );
  return new Set([...keys].filter((key) => !lists.has(key)));
}

/**
 * Whether the second or third request is certainly the one before it, once more, or the one behind the last page the first one; undefined
 * where neither is certain.
 */
function asksAgain(
  intake: IntakeSymbol,
  writes: readonly StateWrite[],
  model: Model,
): "again" | "over" | undefined {
  const going = writes.filter(mayGoOn);
  const stays = (key: string): boolean => writes.every((write) => keepsKey(write, key));
  /** The same, as long as no cycle ends. */
  const staysMeanwhile = (key: string): boolean =>
    going.length > 0 && going.every((write) => keepsWhileGoingOn(write, key));
  const changes = (sent: Sent): boolean => !isSameEachTime(sent, stays);
  const changesMeanwhile = (sent: Sent): boolean => !isSameEachTime(sent, staysMeanwhile);
  const paging = pagingOf(intake, model);
  if (paging === undefined || hasWrongStep(intake, model)) return undefined;
  const asked = (page: List): "again" | "over" | undefined => {
    const { pages, behind } = readable(paging, page, intake, model);
    const isSame = (
      iteration: Asking,
      before: Iteration,
      other: Iteration,
      may = changesMeanwhile,
    ): boolean =>
      areSame(iteration.sent.filter(may), other.sent.filter(may)) && isTrue(before.iterate) !== false;
    const [first, second, third] = pages;
    // A key that isn't there at first is told as that.
    if (first.sent.filter(changesMeanwhile).some(({ value }) => value === UNKNOWN)) return undefined;
    if (isSame(second, first, first) || isSame(third, second, second)) return "again";
    if (first.sent.filter(changes).some(({ value }) => value === UNKNOWN)) return undefined;
    return behind !== undefined && isSame(behind, third, first, changes) && goesOnAsBefore(pages, writes)
      ? "over"
      : undefined;
  };
  const [list, ...others] = pagesToTry(paging, requestedPageSize(intake, model));
  const found = asked(list!);
  return found !== undefined && others.every((each) => asked(each) === found) ? found : undefined;
}

/**
 * Whether what is sent is the same in each request, whatever it is: a choice of the customer, what is saved nowhere in the cycle, a key of the state
 * that stays, or what a step before makes of nothing else.
 */
function isSameEachTime({ expansion }: Sent, stays: (key: string) => boolean): boolean {
  const { root, rootExact, syntax } = expansion;
  const key = syntax.path[1]?.text;
  if (!rootExact || syntax.problem !== undefined) return false;
  if (root === "custom_data" || root === "data") return true;
  if (root === "polling_state") return key !== undefined && stays(key);
  const made = definitionInStep(expansion);
  if (made === undefined) return false;
  const { keys, all, clock, input, holes } = stateDependence(made.program, [made.node]);
  // Into the first step comes what the customer chose, and the state: a program that names that isn't followed here at all.
  if (all || clock || (input && stepBefore(made.program.command) !== undefined)) return false;
  if (![...keys].every(stays)) return false;
  return [...holes].every((hole) =>
    /^(?:custom_data|data|polling_state)$/.test(made.program.holes[hole]?.root ?? ""),
  );
}

/** The pages and what is asked behind them, with names for what the state begins with where that isn't known. */
function readable(
  paging: Paging,
  page: List,
  intake: IntakeSymbol,
  model: Model,
): { readonly pages: Pages; readonly behind?: Asking } {
  const pages = paging.read(page);
  // Most requests are known, and end with the last page.
  if (!pages[0].sent.some(({ value }) => value === UNKNOWN) && isTrue(pages[2].iterate) === false)
    return { pages };
  const lists = kindsWritten(intake, model).filter(
    ({ command, kind }) => command === "initial_setup" && kind === "list",
  );
  return paging.follow(page, new Set(lists.map(({ key }) => key)));
}

function areSame(sent: readonly Sent[], before: readonly Sent[]): boolean {
  return (
    sent.length > 0 &&
    sent.every(({ expansion, value }, at) => {
      // A flag that is sent as a place is told as that, and so is the place of another page.
      const known = resolved(value);
      const isPlace = typeof known !== "boolean" && known !== pageText(0) && known !== pageText(2);
      const was = before[at]?.expansion === expansion ? before[at].value : undefined;
      return isPlace && was !== undefined && (areEqual(value, was) || areOfOneSnapshot(value, was));
    })
  );
}

/** The name of a snapshot, which all of its pages have. */
function areOfOneSnapshot(value: Value, before: Value): boolean {
  return [value, before].every(
    (each) =>
      isKind(each, "part") && each.source.isAnswer === true && isSnapshot.test(each.path.at(-1) ?? ""),
  );
}

const isSnapshot = /^(?:snapshot|export|job)(?:_?(?:id|name))?$/i;

/** Whether reading goes on behind the last page, or nothing by which that is decided differs from the beginning. */
function goesOnAsBefore(pages: Pages, writes: readonly StateWrite[]): boolean {
  const [begun, ended] = [pages[0].before, pages[2].state];
  if (isTrue(pages[2].iterate) === true) return true;
  const deciding = writes.filter(mayGoOn).flatMap(({ iterate, program }) => {
    return iterate === undefined ? [] : [stateDependence(program, [iterate])];
  });
  const keys = [...new Set(deciding.flatMap((each) => [...each.keys]))];
  return (
    keys.length > 0 &&
    deciding.every(({ all, clock }) => !all && !clock) &&
    keys.every((key) => areEqual(memberOf(begun, key), memberOf(ended, key)))
  );
}

/** What the service itself moves on with each request that names it. */
const handsOut =
  /^(?:lease|queue|consumer|subscription|iterator|scroll|reader)(?:_?(?:id|key|token|name))?$/i;

function mayIterate(intake: IntakeSymbol, model: Model): boolean {
  const given = types
    .partsOf(flowOf(model).output(intake.commands.get("request")))
    .map((part) => (part.kind === "object" ? part.members.get("iterate") : undefined));
  // A way that gives no `iterate` ends there.
  return given.some((member) => member !== undefined && !isNever(member.type));
}

function isNever(iterate: ReturnType<typeof types.union>): boolean {
  return types
    .partsOf(iterate)
    .every((type) => type.kind === "null" || (type.kind === "boolean" && type.value === false));
}

/** A list that is read without a trace: a queue hands out something else each time, or once something is confirmed. */
function isPlainList({ requests }: Asked): boolean {
  return requests.every(({ argument }) => {
    const method = argument?.kind === "object" ? argument.get("method") : undefined;
    const path = argument?.kind === "object" ? (argument.get("path") ?? argument.get("url")) : undefined;
    if (method?.kind === "string" && method.value.toUpperCase() !== "GET") return false;
    return path?.kind === "string" && !/queue|next|pop|pull|pending|unread|poll|stream/i.test(path.value);
  });
}

function iterateAt(intake: IntakeSymbol, model: Model): StringPart | undefined {
  const request = intake.commands.get("request");
  const [outcome] = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  const value = outcome?.members.get("iterate");
  return value === undefined || outcome === undefined
    ? undefined
    : { node: outcome.program.node, from: value.start, to: value.end };
}
