import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { evaluateAlone, NOW } from "../../../flow/machine/evaluate.ts";
import { bare } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy, keysSent } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import {
  isKept,
  keepsKey,
  keptKey,
  mayBeKept,
  mayGoOn,
  outcomesOf,
  type StateWrite,
  stateDependence,
  stateWritesOf,
  writesIn,
} from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const earlyWatermark = defineRule<{ key: string; page: string | undefined; from: string | undefined }>({
  id: "polling/early-watermark",
  severity: "warning",
  summary: "A watermark moves before all its pages are read",
  why: "A page number or offset counts within one list. If the filter of that list changes with each page, the next request counts from the start of a shorter list and skips records, which never arrive.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, page, from }) =>
    page === undefined
      ? `\`${key}\` becomes \`${from}\` after the first page, so the next request asks for a different window.`
      : `\`${key}\` and \`${page}\` both move with each page, so the next request skips the first pages of a list that begins later.`,
  because: ({ key, page, from }) =>
    page === undefined
      ? [`page 1 starts from \`${key}\``, `page 2 starts from the value of \`${from}\``]
      : [
          `page 1 is counted from \`${key}\``,
          `page 2 is counted from a later \`${key}\` and skips as many as page 1 had`,
        ],
  help: ({ key }) =>
    `Keep \`${key}\` unchanged until the last page is read. Save the next value under another key, such as \`next_${key}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: «(.items[-1].updated_at // \\"2000-01-01T00:00:00Z\\")»}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
    },
    {
      title: "The next start, before the pages are through",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), until: null}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: (now | todate)}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: «${polling_state.until}», until: ${polling_state.until}}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, until: ${polling_state.until}}}"',
    },
  ],
});

const clockWatermark = defineRule<{ key: string; command: string }>({
  id: "polling/clock-watermark",
  severity: "warning",
  summary: "A watermark is set to the current time instead of what was read",
  why: "A record that changes after the service answers and before the watermark is set isn't in the answer, but is older than the watermark, so it never arrives. The same holds for changes that the service's search index shows late.",
  guards: ["polling.request", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, command }) =>
    `\`${command}\` sets \`${key}\` to the current time. A record that changes while pages are read is older than that and is never requested.`,
  because: ({ key }) => [
    "a record changes while page 1 is read",
    `\`${key}\` is set to a later time`,
    "the next cycle starts from there and misses the record",
  ],
  help: ({ key }) =>
    `Use the latest time that was read. Or choose the end of the window in \`pre_poll\`, send it with the request, and set \`${key}\` to it afterwards.`,
  examples: [
    {
      title: "After the pages",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!jq": "{polling_state: {page: 1, since: «(now | todate)»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
    },
    {
      title: "With each page",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: 1, since: «(now | todate)»}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: 1, since: ([.items[].updated_at, ${polling_state.since}] | max)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [earlyWatermark, clockWatermark],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      if (asked === undefined) return;
      // The end of a window is chosen there, and a start that lies back by as much as a cycle takes.
      for (const command of ["pre_poll", "request", "post_poll"] as const)
        for (const { key, value, program } of fromClock(intake, command, asked, model))
          if (command !== "pre_poll" || (boundName(key)?.end === "lower" && isNow(value, program)))
            report(
              clockWatermark,
              { node: program.node, from: value.start, to: value.end },
              { key, command },
            );
      for (const { key, page, from, value, program } of movingWithPages(intake, asked, model))
        report(earlyWatermark, { node: program.node, from: value.start, to: value.end }, { key, page, from });
    },
  },
};
export default module;

interface Value {
  readonly key: string;
  readonly value: Expression;
  readonly program: JqProgram;
}

/** Keys that the request reads and a command sets to the present time, without any part of the response in it. */
function fromClock(intake: IntakeSymbol, name: string, asked: Asked, model: Model): readonly Value[] {
  const command = intake.commands.get(name);
  const writes = command === undefined ? undefined : stateWritesOf(command, model);
  // A request that is bounded by a key of its own reads a closed window: then the clock may choose the next one.
  const keys = new Set(asked.reads.map(({ key }) => key));
  const timed = (writes ?? []).flatMap(({ keys: set, program }) =>
    [...set].flatMap(([key, written]) => {
      const value = name === "pre_poll" ? written : setAtEnd(written, key, program);
      return isTimeOnly(value, program) ? [{ key, value, program }] : [];
    }),
  );
  const others = timed.some(({ key }) => !keys.has(key)) ? startsSent(intake, asked, model) : keys;
  return timed.filter(
    ({ key, value, program }) => keys.has(key) || (others.has(key) && isOver(value, program)),
  );
}

/** What `if .more then ${polling_state.since} else … end` gives behind the last page: on the other way the key stays as it was. */
function setAtEnd(value: Expression, key: string, program: JqProgram): Expression {
  const ways = waysOf(value, program).filter((way) => !isKept(way, key, program));
  return bare(value).kind === "If" && ways.length === 1 ? ways[0]! : value;
}

/**
 * Keys at which windows begin, and which requests get in another way than by their own name: from a step before, in a URL that the state holds, or
 * where a job is ordered.
 */
function startsSent(intake: IntakeSymbol, asked: Asked, model: Model): ReadonlySet<string> {
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

/** Whether a time that the clock gives is no time to come: the end of a lease or of a token would be. */
function isOver(value: Expression, program: JqProgram): boolean {
  const time = evaluateAlone(program, value);
  const seconds = typeof time === "string" ? Date.parse(time) / 1_000 : time;
  return typeof time === "string" && Number.isNaN(seconds)
    ? true
    : typeof seconds === "number" && (seconds <= NOW || (seconds > 1e12 && seconds <= NOW * 1_000));
}

/** Whether a value is this very moment, in whatever form. */
function isNow(value: Expression, program: JqProgram): boolean {
  const time = evaluateAlone(program, value);
  const seconds = typeof time === "string" ? Date.parse(time) / 1_000 : time;
  return typeof seconds === "number" && (seconds === NOW || seconds === NOW * 1_000);
}

/** `now | todate`, `(now - 60) * 1000 | floor`: the clock and constants. */
function isTimeOnly(value: Expression, program: JqProgram): boolean {
  const { clock, keys, all } = stateDependence(program, [value]);
  if (!clock || all || keys.size > 0) return false;
  return startsWithNow(value, program);
}

function startsWithNow(node: Expression, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return startsWithNow(node.body, program);
    case "Variable": {
      const source = boundTo(program, node);
      return source !== undefined && startsWithNow(source, program);
    }
    case "Pipeline": {
      const [first] = node.stages;
      return first !== undefined &&
        first.kind !== "Definition" &&
        first.kind !== "Label" &&
        first.kind !== "Binding"
        ? startsWithNow(first, program)
        : false;
    }
    case "Arithmetic":
      return startsWithNow(node.first, program);
    case "Call":
      return node.name.text === "now";
    default:
      return false;
  }
}

/** Whether a bound moves with each page, as far as the programs say by their form. */
export function movesEarly(intake: IntakeSymbol, model: Model): boolean {
  const asked = askedBy(intake, model);
  return asked !== undefined && movingWithPages(intake, asked, model).length > 0;
}

/** Keys that the request reads, and that are never left as they were while pages are read. */
function movingWithPages(
  intake: IntakeSymbol,
  asked: Asked,
  model: Model,
): readonly (Value & { readonly page: string | undefined; readonly from: string | undefined })[] {
  const request = intake.commands.get("request");
  const writes = request === undefined ? undefined : stateWritesOf(request, model);
  // What is written behind the last page may move whatever it likes.
  const [write, ...others] = (writes?.length ?? 0) > 1 ? writes!.filter(mayGoOn) : (writes ?? []);
  if (write === undefined || others.length > 0) return [];
  const { program } = write;
  const read = [...new Set(asked.reads.map(({ key }) => key))];
  const replaced = read.flatMap((key) => {
    const value = write.keys.get(key);
    const from = value === undefined ? undefined : keptKey(value, program);
    if (value === undefined || from === undefined || from === key || !keepsKey(write, from)) return [];
    return isTime(intake, key, model) && mayAskAgain(intake, model)
      ? [{ key, page: undefined, from, value, program }]
      : [];
  });
  const token = read.find((key) => followsToken(write, key));
  const page = read.find((key) => countsUp(write, key)) ?? token;
  if (page === undefined) return replaced;
  const moving = read.flatMap((key) => {
    const value = write.keys.get(key);
    if (key === page || value === undefined || !movesOn(value, key, write)) return [];
    if (page === token && !isTime(intake, key, model)) return [];
    return [{ key, page, from: undefined, value, program }];
  });
  return [...replaced, ...moving];
}

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

/** `page: (${polling_state.page} + 1)`, whatever the response says. */
function countsUp({ keys, program }: StateWrite, key: string): boolean {
  let value = keys.get(key);
  while (value?.kind === "Group") value = value.body;
  if (value?.kind !== "Arithmetic" || value.rest.some(({ operator }) => operator !== "+")) return false;
  const { keys: from, clock } = stateDependence(program, [value]);
  return from.has(key) && !clock;
}

/** `after: .pageInfo.endCursor`: a place in the list that was asked for, as the API names it; an id of its last record is none. */
function followsToken({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  if (value === undefined) return false;
  return waysOf(value, program).some((way) => tokenName.test(lastName(way) ?? ""));
}

const tokenName = /^(?:end_?cursor|(?:next_?)?(?:page_?token|cursor)|next|continuation(?:_?token)?)$/i;

/** Whether a value is another one after each page: it is read from the response, and on no way left as it was. */
function movesOn(value: Expression, key: string, { program }: StateWrite): boolean {
  if (hasCondition(value)) return false;
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
