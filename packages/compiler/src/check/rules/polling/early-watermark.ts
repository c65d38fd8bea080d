import type { Expression, Node } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { evaluateAlone, NOW } from "../../../flow/machine/evaluate.ts";
import { leavesOf } from "../../../flow/machine/leaves.ts";
import { secondsBehindService } from "../../../flow/machine/service-clock.ts";
import { areEqual } from "../../../flow/machine/value.ts";
import { bare, nodesIn, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { type DocumentedLag, documentedLag } from "../../../flow/protocol/documented-lag.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { listReadingOf } from "../../../flow/protocol/list-reading.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Asked, askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { stateWritesOf, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Watermark } from "../../../flow/protocol/watermarks.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { isComing } from "./coming.ts";
import { cyclesOf, inEach, isBound } from "./cycles.ts";
import { nameOf } from "./found.ts";
import { begunAhead, movingWithPages, startsSent, type Written } from "./moving-starts.ts";

const earlyWatermark = defineRule<{
  key: string;
  page: string | undefined;
  from: string | undefined;
  /** Where it moves, other than with each page of the list that it is sent for. */
  course?: "ordered" | "begun";
}>({
  id: "polling/early-watermark",
  severity: "warning",
  summary: "A watermark moves before all its pages are read",
  why: "A page number or offset counts within one list. If the filter of that list changes with each page, the next request counts from the start of a shorter list and skips records, which never arrive.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, page, from, course }) =>
    course === "begun"
      ? `\`${key}\` is set to the next start before anything was read, and what sets it to \`${from}\` behind the last page changes nothing.`
      : course === "ordered"
        ? `\`${key}\` becomes \`${from}\` after the first page. If a limit ends the cycle there, what is ordered next leaves out the other pages.`
        : page === undefined
          ? `\`${key}\` becomes \`${from}\` after the first page, so the next request asks for a different window.`
          : `\`${key}\` and \`${page}\` both move with each page, so the next request skips the first pages of a list that begins later.`,
  because: ({ key, page, from, course }) =>
    course !== undefined
      ? [
          `records from \`${key}\` on are asked for`,
          `\`${key}\` moves on before all of them are read`,
          "the rest, or all of it if the job fails, is never asked for again",
        ]
      : page === undefined
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
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: «(.items[-1].updated_at // ${polling_state.since})»}}"',
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

const clockWatermark = defineRule<{ key: string; command: string; lag?: number; isOfService?: boolean }>({
  id: "polling/clock-watermark",
  severity: "warning",
  summary: "A watermark is set to the current time instead of what was read",
  why: "A record that changes after the service answers and before the watermark is set isn't in the answer, but is older than the watermark, so it never arrives. The same holds for changes that the service's search index shows late.",
  guards: ["polling.request", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, command, lag }) =>
    lag !== undefined
      ? `The next window begins where \`${command}\` ends this one, but a comment says that records come up to ${lag} seconds late.`
      : `\`${command}\` sets \`${key}\` to the current time. A record that changes while pages are read is older than that and is never requested.`,
  because: ({ key, lag }) => [
    lag === undefined
      ? "a record changes while page 1 is read"
      : "the list doesn't show a record yet when its window is read",
    `\`${key}\` is set to a later time`,
    "the next cycle starts from there and misses the record",
  ],
  help: ({ key, lag, isOfService }) =>
    lag !== undefined
      ? isOfService
        ? `End the window ${lag} seconds before the service's time.`
        : `End the window ${lag} seconds ago: \`now - ${lag}\`.`
      : `Use the latest time that was read. Or choose the end of the window in \`pre_poll\`, send it with the request, and set \`${key}\` to it afterwards.`,
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
      const clocks = (["pre_poll", "request", "post_poll"] as const).flatMap((command) =>
        fromClock(intake, command, asked, model).flatMap(({ key, value, program }) =>
          (
            command === "pre_poll"
              ? boundName(key)?.end === "lower" && isNow(value, program) && !isOfComing(key, asked)
              : (backOf(timeOf(value, program)) ?? 0) < LONG_CYCLE
          )
            ? [{ key, command, at: partAt(program, value) }]
            : [],
        ),
      );
      for (const { at, ...args } of clocks) report(clockWatermark, at, args);
      if (clocks.length === 0) tellLag(intake, report, model);
      for (const { value, program, ...args } of [
        ...movingWithPages(intake, asked, model),
        ...begunAhead(intake, model),
      ])
        report(earlyWatermark, { node: program.node, from: value.start, to: value.end }, args);
    },
  },
};
export default module;

/** Whether a key is sent as a bound of what lies ahead, or the list is sorted by that: each cycle may read all of it. */
function isOfComing(key: string, { reads, requests }: Asked): boolean {
  const params = reads.flatMap((read) => (read.key === key ? (paramOf(read) ?? []) : []));
  if (params.some(isComing)) return true;
  return requests.some(({ argument }) => {
    const sent = argument?.kind === "object" ? argument.get("params") : undefined;
    return ["sort", "order", "order_by", "sort_by"].some((name) => {
      const by = textOf(sent, name);
      return by !== undefined && isComing(by);
    });
  });
}

/** A window that ends later than a comment says records are complete, where the next one begins at its end. */
function tellLag(intake: IntakeSymbol, report: Report, model: Model): void {
  const lag = hasComments(model) ? documentedLag(intake) : undefined;
  if (lag === undefined) return;
  const since = listReadingOf(intake, model)?.since;
  const [watermark, ...others] = since?.watermarks ?? [];
  if (watermark?.command !== "pre_poll" || others.length > 0) return tellEnd(lag, intake, report, model);
  const { node, program, from } = watermark;
  const key = since!.key;
  const back =
    from === "clock"
      ? backOf(timeOf(node, program))
      : from === "other"
        ? backInAnswer(watermark, intake)
        : undefined;
  if (back === undefined) return tellEnd(lag, intake, report, model);
  if (back >= lag.seconds) return;
  report(
    clockWatermark,
    partAt(program, node),
    { key, command: watermark.command, lag: lag.seconds, isOfService: from === "other" },
    [{ message: "the comment", at: lag.comment }],
  );
}

/** The same of the end of a window as cycles show it. */
function tellEnd(lag: DocumentedLag, intake: IntakeSymbol, report: Report, model: Model): void {
  const end = endOfWindow(intake, model);
  if (end === undefined || end.back >= lag.seconds) return;
  const args = { key: end.key, command: "pre_poll", lag: lag.seconds };
  report(clockWatermark, end.at, args, [{ message: "the comment", at: lag.comment }]);
}

/**
 * The end of a window that `pre_poll` sets by the clock, and how many seconds back it lies, where in all cycles that may be meant the next window
 * begins there.
 */
function endOfWindow(
  intake: IntakeSymbol,
  model: Model,
): { readonly key: string; readonly at: Location; readonly back: number } | undefined {
  const cycles = cyclesOf(intake, model);
  if (cycles === undefined) return undefined;
  const end = leavesOf(cycles.first.pages[0]).find(
    (leaf) => boundName(nameOf(leaf))?.end === "upper" || /^as_?of$/i.test(nameOf(leaf)),
  );
  const key = end?.expansion.root === "polling_state" ? end.expansion.syntax.path[1]?.text : undefined;
  const ended = end === undefined ? undefined : secondsOf(end.value);
  if (end === undefined || key === undefined || ended === undefined) return undefined;
  const isCarriedOn = inEach(cycles, ({ next }) =>
    leavesOf(next).some((leaf) => isBound(leaf) && areEqual(leaf.value, end.value)),
  );
  const [write, ...others] = (writesIn(intake, "pre_poll", model) ?? []).filter((each) => each.keys.has(key));
  const value = write?.keys.get(key);
  if (!isCarriedOn || write === undefined || value === undefined || others.length > 0) return undefined;
  if (!stateDependence(write.program, [value]).clock) return undefined;
  return { key, at: partAt(write.program, value), back: NOW - ended };
}

/** In seconds. What lies back farther than a cycle takes reads again what changed meanwhile. */
const LONG_CYCLE = 3_600;

const backOf = (ended: number | undefined): number | undefined =>
  ended === undefined ? undefined : NOW - ended;

/** How many seconds before the time that the service says a window ends, at most, whatever the form in which it says it. */
function backInAnswer({ key, command }: Watermark, intake: IntakeSymbol): number | undefined {
  const all = secondsBehindService(intake, command, key);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** The time in seconds that the clock gives, whatever its form. */
function timeOf(value: Expression, program: JqProgram): number | undefined {
  return secondsOf(evaluateAlone(program, value));
}

function secondsOf(time: unknown): number | undefined {
  const seconds = typeof time === "string" ? Date.parse(time) / 1_000 : time;
  if (typeof seconds !== "number" || Number.isNaN(seconds)) return undefined;
  return seconds > 1e11 ? seconds / 1_000 : seconds;
}

/** Keys that the request reads and a command sets to the present time, without any part of the response in it. */
function fromClock(intake: IntakeSymbol, name: string, asked: Asked, model: Model): readonly Written[] {
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
  const others = timed.some(({ key }) => !keys.has(key)) ? startsSent(intake, model) : keys;
  return timed.filter(
    ({ key, value, program }) =>
      keys.has(key) ||
      ((others.has(key) || (name === "request" && becomesStart(key, intake, asked, model))) &&
        isOver(value, program)),
  );
}

/** Whether a key becomes the only bound that is sent, before or after a cycle: `since: ${polling_state.newest}`. */
function becomesStart(key: string, intake: IntakeSymbol, { reads }: Asked, model: Model): boolean {
  const bounds = reads.flatMap((read) => {
    const bound = boundName(paramOf(read) ?? "");
    return bound === undefined ? [] : [{ key: read.key, end: bound.end }];
  });
  const [start] = bounds;
  if (start?.end !== "lower" || bounds.length > 1) return false;
  const between = ["pre_poll", "post_poll"].flatMap((command) => writesIn(intake, command, model) ?? []);
  return between.some(({ keys, program }) => {
    const value = keys.get(start.key);
    return value !== undefined && keptKey(value, program) === key;
  });
}

/** What `if .more then ${polling_state.since} else … end` gives behind the last page: on the other way the key stays as it was. */
function setAtEnd(value: Expression, key: string, program: JqProgram): Expression {
  const ways = waysOf(value, program).filter((way) => !isKept(way, key, program));
  return bare(value).kind === "If" && ways.length === 1 ? ways[0]! : value;
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
  return timeOf(value, program) === NOW;
}

/** `now | todate`, `(now - 60) * 1000 | floor`: the clock and constants. */
function isTimeOnly(value: Expression, program: JqProgram): boolean {
  if (!startsWithNow(value, program)) return false;
  // Whatever stands before it in a program that goes through the state: `.polling_state | {…, since: (now | todate)}`.
  if (!nodesIn(value).some(({ kind }) => reads.has(kind))) return true;
  const { clock, keys, all } = stateDependence(program, [value]);
  return clock && !all && keys.size === 0;
}

const reads: ReadonlySet<Node["kind"]> = new Set<Node["kind"]>(["Hole", "Variable", "Postfix", "Identity"]);

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
