import { types } from "@configc/jq";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import type { Iteration } from "../../../flow/machine/polling-program.ts";
import { pageText } from "../../../flow/machine/roles.ts";
import { areEqual, isTrue, resolved, UNKNOWN } from "../../../flow/machine/value.ts";
import { partAt } from "../../../flow/nodes.ts";
import { requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy } from "../../../flow/protocol/request-reads.ts";
import {
  keepsKey,
  keepsWhileGoingOn,
  mayGoOn,
  outcomesOf,
  type StateWrite,
  stateWritesOf,
} from "../../../flow/protocol/state-writes.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { goesOnForever } from "./page-end.ts";
import { hasWrongStep } from "./position-step.ts";

const sameRequest = defineRule<{ keys: readonly string[] }>({
  id: "polling/same-request",
  severity: "warning",
  summary: "`iterate` asks for more, but the next request is the same",
  why: "Only `polling_state` makes one iteration of `request` differ from the next. If every key that the request reads stays the same, the second request gets the first page again. The cycle ends there, and later pages never arrive.",
  guards: ["polling.request", "polling.polling_state", "expansion.polling_state", "D33"],
  message: ({ keys }) =>
    keys.length === 0
      ? "`iterate` may ask for another page, but the request doesn't read `polling_state`, so it gets the first page again."
      : `\`iterate\` may ask for another page, but ${allNames(keys)} ${keys.length === 1 ? "stays" : "stay"} the same, and so does the next request.`,
  because: ({ keys }) =>
    keys.length === 0
      ? ["request 1 asks for the first page", "request 2 is the same"]
      : [`page 1 is requested with ${allNames(keys)}`, "page 2 is requested with the same and gets page 1"],
  help: ({ keys }) =>
    keys.length === 0
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
      bad: '".has_more as $more | .changes_since as $next | {results: .items, iterate: $more, polling_state: («${polling_state}» | if $more then . else .page = 1 | .since = $next end)}"',
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
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      if (asked === undefined || asked.varies || asked.requests.length === 0 || !mayIterate(intake, model))
        return;
      if (asked.reads.length === 0 && asked.through.size === 0) {
        const at = isPlainList(asked) ? iterateAt(intake, model) : undefined;
        if (at !== undefined) report(sameRequest, at, { keys: [] });
        return;
      }
      const keys = [...new Set([...asked.reads.map(({ key }) => key), ...asked.through])];
      const request = intake.commands.get("request");
      const writes = request === undefined ? undefined : stateWritesOf(request, model);
      if (writes === undefined || writes.length === 0) return;
      // What is written where the cycle ends is for the next one.
      const going = writes.filter(mayGoOn);
      const isKeptOnEach = writes.every((write) => keys.every((key) => keepsKey(write, key)));
      // Where the end is told by the same condition that keeps the state, one finding is enough.
      if (!isKeptOnEach && goesOnForever(intake, model)) return;
      const isKeptOnAllWays =
        going.length > 0 && going.every((each) => keys.every((key) => keepsWhileGoingOn(each, key)));
      if (!isKeptOnAllWays && !asksAgain(intake, writes, model)) return;
      const [write] = (isKeptOnAllWays ? going : writes) as [StateWrite];
      const [first] = keys as [string];
      const made = write.keys.get(first) ?? write.node;
      const related = asked.reads.map(({ at }) => ({ message: "read here", at }));
      report(sameRequest, partAt(write.program, made), { keys }, related);
    },
  },
};
export default module;

/** Whether the second or third request is certainly the one before it, once more. */
function asksAgain(intake: IntakeSymbol, writes: readonly StateWrite[], model: Model): boolean {
  /** What is sent of a key that stays is the same each time, whatever it is. */
  const changes = ({ expansion: { root, syntax } }: Iteration["sent"][number]): boolean => {
    const key = root === "polling_state" ? syntax.path[1]?.text : undefined;
    return key === undefined || !writes.every((write) => keepsKey(write, key));
  };
  const paging = pagingOf(intake, model);
  const size = requestedPageSize(intake, model);
  return (
    paging !== undefined &&
    !hasWrongStep(intake, model) &&
    pagesToTry(paging, size).every((page) => {
      const pages = paging.read(page).map((each) => ({ ...each, sent: each.sent.filter(changes) }));
      // A key that isn't there at first is told as that.
      if (pages[0]!.sent.some(({ value }) => value === UNKNOWN)) return false;
      return [1, 2].some((index) => {
        const [before, sent] = [pages[index - 1]!.sent, pages[index]!.sent];
        const isSame = sent.every(
          ({ value }, at) => before[at] !== undefined && areEqual(value, before[at].value),
        );
        // A flag that is sent as a place is told as that, and so is the place of another page.
        const isPlace = sent.every(({ value }) => {
          const known = resolved(value);
          return typeof known !== "boolean" && known !== pageText(0) && known !== pageText(2);
        });
        return sent.length > 0 && isPlace && isSame && isTrue(pages[index - 1]!.iterate) !== false;
      });
    })
  );
}

function mayIterate(intake: IntakeSymbol, model: Model): boolean {
  const given = types
    .partsOf(flowOf(model).output(intake.commands.get("request")))
    .map((part) => (part.kind === "object" ? part.members.get("iterate") : undefined));
  // One that gives no `iterate` ends after its first request.
  return given.every((member) => member !== undefined && !isNever(member.type));
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
