import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, keysSent } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { outcomesOf, type StateWrite, stateWritesOf, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const standingWindow = defineRule<{ key: string }>({
  id: "polling/standing-window",
  severity: "warning",
  summary: "The start of a time window never moves",
  why: "Each cycle starts from the same time as the first one, so it gets everything again, and more each time. A cycle ends at 1,000 results, so once the window has that many, new records are never reached.",
  guards: ["polling.request", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key }) => `Only \`initial_setup\` sets \`${key}\`, so each cycle starts from the same time.`,
  because: ({ key }) => [
    `cycle 1 starts from \`${key}\``,
    "cycle 2 starts from the same time and gets the same records again",
  ],
  help: ({ key }) => `After the last page, set \`${key}\` to the end of the window.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), until: null}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: (now | todate)}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, until: ${polling_state.until}}}"',
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «${polling_state.since}», until: null}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
    },
  ],
});

const standingCursor = defineRule<{ key: string }>({
  id: "polling/standing-cursor",
  severity: "warning",
  summary: "The cursor never moves",
  why: "The key starts empty, is sent with each request, and no command ever changes it, so the parameter never changes either. Records are read twice, or never.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key }) => `The request sends \`${key}\`, but no command changes it after \`initial_setup\`.`,
  because: ({ key }) => [
    `page 1 is requested with the first \`${key}\``,
    `the last page of the last cycle is requested with the same \`${key}\``,
  ],
  help: ({ key }) => `Set \`${key}\` to where the page ended, or remove it.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {from: 0, after_id: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"version": "${polling_state.from}", "after_id": "${polling_state.after_id}"}}}, {"!jq": "(.items | last) as $last | {results: .items, iterate: .has_more, polling_state: {from: ($last.version // ${polling_state.from}), after_id: «${polling_state.after_id}»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"version": "${polling_state.from}", "after_id": "${polling_state.after_id}"}}}, {"!jq": "(.items | last) as $last | {results: .items, iterate: .has_more, polling_state: {from: ($last.version // ${polling_state.from}), after_id: ($last.id // ${polling_state.after_id})}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [standingWindow, standingCursor],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const sent = keysSent(intake, model);
      const writes = sent.size === 0 ? undefined : writesOfCycle(intake, model);
      // Where nothing moves at all, that is what is to be told.
      if (writes === undefined || [...sent].every((key) => stands(key, writes))) return;
      const asked = askedBy(intake, model)?.reads ?? [];
      const request = writesIn(intake, "request", model) ?? [];
      if (!asked.every(({ key }) => stands(key, request)))
        for (const { key, at } of standingCursors(intake, sent, writes, model))
          report(standingCursor, at, { key });
      const timed = kindsWritten(intake, model).filter(
        ({ key, command, kind, value, program }) =>
          command === "initial_setup" &&
          sent.has(key) &&
          (isTime(kind) || (kind === "text" && isDay(textAt(value, program)))),
      );
      if (timed.length === 0 || [...sent].some((key) => carriesOn(key, writes, intake, model))) return;
      for (const { key, value, program } of timed) {
        if (boundName(key)?.end !== "lower" || !stands(key, writes)) continue;
        const last = writes.findLast(({ keys }) => keys.has(key));
        const set = { node: program.node, from: value.start, to: value.end };
        const kept = last?.keys.get(key);
        const at =
          last === undefined || kept === undefined
            ? set
            : { node: last.program.node, from: kept.start, to: kept.end };
        report(standingWindow, at, { key }, [{ message: "set here, once", at: set }]);
      }
    },
  },
};
export default module;

/** Whether the form of the programs already says that a lower bound stands still. */
export function standsByForm(intake: IntakeSymbol, model: Model): boolean {
  const writes = writesOfCycle(intake, model);
  return (
    writes !== undefined &&
    [...keysSent(intake, model)].some((key) => boundName(key)?.end === "lower" && stands(key, writes))
  );
}

const isTime = (kind: string): boolean => kind === "seconds" || kind === "milliseconds" || kind === "date";

/** `now - 30 * 86400 | strftime("%Y-%m-%d")` */
const isDay = (text: string): boolean => /\bnow\b/.test(text) && /\bstrftime\(/.test(text);

/** How the commands of each cycle write the state; undefined where that can't be told. */
function writesOfCycle(intake: IntakeSymbol, model: Model): readonly StateWrite[] | undefined {
  const found: StateWrite[] = [];
  for (const name of ["pre_poll", "request", "post_poll"]) {
    const command = intake.commands.get(name);
    const writes = command === undefined ? [] : stateWritesOf(command, model);
    if (writes === undefined) return undefined;
    found.push(...writes);
  }
  return found;
}

/** Whether a key, and whatever keys it is copied from, are never given anything but one another. */
function stands(key: string, writes: readonly StateWrite[]): boolean {
  const standing = new Set([key]);
  for (const each of standing)
    for (const write of writes) {
      const value = write.keys.get(each);
      if (value === undefined && !write.keepsOthers) return false;
      if (value === undefined || isKept(value, each, write.program)) continue;
      const from = keptKey(value, write.program);
      if (from === undefined) return false;
      standing.add(from);
    }
  return true;
}

/** Keys that begin as nothing, are named as a place in a list, and stay what they were. */
function standingCursors(
  intake: IntakeSymbol,
  sent: ReadonlySet<string>,
  writes: readonly StateWrite[],
  model: Model,
): readonly { readonly key: string; readonly at: Location }[] {
  const [first, ...others] = writesIn(intake, "initial_setup", model) ?? [];
  if (first === undefined) return [];
  return [...first.keys].flatMap(([key, value]) => {
    const begins = constantOf(value);
    const isNothing = begins === null || begins === 0 || begins === "" || begins === "0";
    // What a customer chose may decide where else it begins, but not here.
    const isSame = others.every(({ keys }) => keys.has(key) && constantOf(keys.get(key)!) === begins);
    if (!isNothing || !isSame || !sent.has(key) || !cursorName.test(key) || !stands(key, writes)) return [];
    const last = writes.findLast(({ keys }) => keys.has(key));
    const kept = last?.keys.get(key);
    const at =
      last === undefined || kept === undefined
        ? { node: first.program.node, from: value.start, to: value.end }
        : { node: last.program.node, from: kept.start, to: kept.end };
    return [{ key, at }];
  });
}

/** `utc_offset`, `skip_deleted` and the token of a room are no places in a list. */
const cursorName =
  /(?:^|_)(?:after|cursor|marker|last_id|since_id)(?:_|$)|(?:^|_)page(?:$|_?(?:token|no|number|cursor|index|id|key)$)|(?<!(?:utc|time|tz|zone|gmt)_)(?<![^_])offset$|(?:^|_)skip$|(?:^|_)next(?:$|_?(?:page|token|cursor|id|seq|offset|url|link|key|start|from)$)|(?:^|(?:page|next|sync|cursor|continuation|delta|change|changes|list|feed|read|resume|position|start|paging|skip)_)token$|Cursor$|(?:^|page|next|sync|continuation|delta|change)Token$/i;

/** Whether a key may tell the next cycle where this one came to: it moves, and no command begins it anew. */
function carriesOn(key: string, writes: readonly StateWrite[], intake: IntakeSymbol, model: Model): boolean {
  if (boundName(key)?.end === "upper" || stands(key, writes)) return false;
  const isReset = writes.some(({ keys }) => {
    const value = keys.get(key);
    return value !== undefined && isConstant(value);
  });
  return !isReset && !endsWithout(key, writes, intake, model);
}

function isConstant(value: Expression): boolean {
  return value.kind === "Group" ? isConstant(value.body) : constantOf(value) !== undefined;
}

/** `iterate: (.next != null)` beside `cursor: .next`: after the last page the cursor is null. */
function endsWithout(
  key: string,
  writes: readonly StateWrite[],
  intake: IntakeSymbol,
  model: Model,
): boolean {
  const request = intake.commands.get("request");
  const [outcome, ...others] = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  let iterate = outcome?.members.get("iterate");
  while (iterate?.kind === "Group") iterate = iterate.body;
  if (outcome === undefined || others.length > 0 || iterate?.kind !== "Comparison") return false;
  if (iterate.operator !== "!=" || constantOf(iterate.right) !== null) return false;
  const { program } = outcome;
  const asked = program.node.value.slice(iterate.left.start, iterate.left.end).trim();
  return writes
    .filter((write) => write.program === program)
    .every(({ keys }) => {
      const value = keys.get(key);
      return value !== undefined && textAt(value, program) === asked;
    });
}
