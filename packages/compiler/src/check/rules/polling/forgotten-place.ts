import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { partAt } from "../../../flow/nodes.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { isKept, keepsKey, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { areAnswers } from "./answer-writes.ts";
import { followsAnswer } from "./cut-places.ts";
import { cyclesOf, follows, inEach, valueIn } from "./cycles.ts";

const forgottenPlace = defineRule<{ key: string; command: string; to: string; wasSetUp: string }>({
  id: "polling/forgotten-place",
  severity: "warning",
  summary: "Each cycle sets the place that was reached back to a constant",
  why: "`initial_setup` works out where reading begins, and `request` moves that to what was read. If `pre_poll` or `post_poll` sets it to a constant, both are lost: each cycle reads the same records again, and at 1,000 results it ends before what is new.",
  guards: ["polling.pre_poll", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, command, to }) =>
    `\`${command}\` sets \`${key}\` to \`${to}\` in each cycle, whatever was read and whatever \`initial_setup\` gave it.`,
  because: ({ key, to, wasSetUp }) => [
    `\`initial_setup\` sets \`${key}\` ${wasSetUp}`,
    `\`request\` moves \`${key}\` to what was read`,
    `the next cycle asks with \`${to}\` again`,
  ],
  help: ({ key }) => `Keep it: \`\${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now - 86400 | floor)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {since: (.items[-1].updated // ${polling_state.since})}}"}]',
      },
      bad: '{"!jq": "{polling_state: {since: «0»}}"}',
      good: '{"!jq": "{polling_state: ${polling_state}}"}',
    },
    {
      title: "A token that the last page gives for the next cycle",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {delta: null, page: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"delta": "${polling_state.delta}", "page": "${polling_state.page}"}}}, {"!jq": "{results: .items, iterate: (.next_page != null), polling_state: (if .next_page == null then {delta: .delta, page: null} else {delta: ${polling_state.delta}, page: .next_page} end)}"}]',
      },
      bad: '{"!jq": "{polling_state: {delta: «null», page: null}}"}',
      good: '{"!jq": "{polling_state: ${polling_state}}"}',
    },
    {
      title: "Behind the last page",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/changes/head"}}, {"!jq": "{polling_state: {cursor: .cursor}}"}]}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/changes", "params": {"cursor": "${polling_state.cursor}"}}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {cursor: (if .has_more then .next_cursor else «null» end)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {cursor: .next_cursor}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [forgottenPlace],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const sent = new Set(keysSent(intake, model));
      if (sent.size === 0) return;
      for (const command of ["pre_poll", "post_poll"])
        for (const { key, to, at } of resets(intake, command, model)) {
          const wasSetUp =
            sent.has(key) && followsAnswer(key, intake, model)
              ? (setUp(key, intake, model) ?? forNextCycle(key, to, intake, model))
              : undefined;
          if (wasSetUp !== undefined) return report(forgottenPlace, at, { key, command, to, wasSetUp });
        }
      const left = leftAtEnd(sent, intake, model);
      if (left !== undefined)
        report(forgottenPlace, left.at, {
          key: left.key,
          command: "request",
          to: "null",
          wasSetUp: "to what the service gave",
        });
    },
  },
};
export default module;

/** The keys that a command sets to a constant, whatever happened. */
function resets(
  intake: IntakeSymbol,
  command: string,
  model: Model,
): readonly { readonly key: string; readonly to: string; readonly at: Location }[] {
  const [write, ...others] = writesIn(intake, command, model) ?? [];
  if (write === undefined || others.length > 0 || write.conditions.length > 0) return [];
  return [...write.keys].flatMap(([key, value]) => {
    const to = constantOf(value);
    return to === undefined ? [] : [{ key, to: JSON.stringify(to), at: partAt(write.program, value) }];
  });
}

/** A place that `initial_setup` asks for, and that is null behind the last page, so that the next cycle asks without one. */
function leftAtEnd(sent: ReadonlySet<string>, intake: IntakeSymbol, model: Model) {
  const writes = (name: string): readonly StateWrite[] => writesIn(intake, name, model) ?? [];
  for (const key of sent) {
    const isSetUp = areAnswers(writes("initial_setup"), key);
    if (!isSetUp && !isOfFeed(key, intake, writes("request"))) continue;
    const ways = writes("request").flatMap(({ keys, program }) => {
      const value = keys.get(key);
      return value === undefined ? [] : waysOf(value, program).map((way) => ({ way, program }));
    });
    const none = ways.find(({ way }) => constantOf(way) === null);
    const cycles = none === undefined ? undefined : cyclesOf(intake, model);
    const leaf = cycles && leavesOf(cycles.first.pages[1]).find((each) => isOf(each, key));
    if (cycles === undefined || leaf === undefined) continue;
    const isLeft = inEach(
      cycles,
      (each) =>
        follows(leaf, each) &&
        (!isSetUp || valueIn(each.pages[0], leaf) !== null) &&
        valueIn(each.next, leaf) === null,
    );
    if (isLeft) return { key, at: partAt(none!.program, none!.way) };
  }
  return undefined;
}

const isOf = ({ expansion: { root, syntax } }: Leaf, key: string): boolean =>
  root === "polling_state" && syntax.path[1]?.text === key;

/** How `initial_setup` works out a key, where it does by the clock or by what a customer chose. */
function setUp(key: string, intake: IntakeSymbol, model: Model): string | undefined {
  const [write, ...others] = writesIn(intake, "initial_setup", model) ?? [];
  const value = write?.keys.get(key);
  if (write === undefined || value === undefined || others.length > 0 || constantOf(value) !== undefined)
    return undefined;
  return isChosen(write, value)
    ? "to what the customer chose"
    : isTimed(write, value)
      ? "by the clock"
      : undefined;
}

/** How `initial_setup` begins a token that only the end of a list gives: it is there for the next cycle alone. */
function forNextCycle(key: string, to: string, intake: IntakeSymbol, model: Model): string | undefined {
  const writes = writesIn(intake, "request", model) ?? [];
  const isOfEnd = writes.some((write) => {
    const value = write.keys.get(key);
    return (
      value !== undefined &&
      constantOf(value) === undefined &&
      !isKept(value, key, write.program) &&
      !mayGoOn(write)
    );
  });
  return (isOfEnd && writes.some((write) => mayGoOn(write) && keepsKey(write, key))) ||
    (/^(?:null|"")$/.test(to) && (isSyncToken.test(key) || isOfFeed(key, intake, writes)))
    ? `to \`${to}\``
    : undefined;
}

/** What is called so says what changed since the last cycle; a list may be read by `since_id` from its beginning each time. */
const isSyncToken = /(?:^|_)(?:sync|delta|changes?)_?(?:token|cursor|link)$|(?:sync|delta)(?:Token|Link)$/i;

/**
 * Whether a token leads on behind the last page too: a comment says that the member that each answer gives for it is always there, and the list
 * is one of changes, or begins anew without it.
 */
function isOfFeed(key: string, { node, commands }: IntakeSymbol, writes: readonly StateWrite[]): boolean {
  if (!/(?:token|cursor|position|offset|sequence|seq|marker|bookmark)$/i.test(key)) return false;
  const names = writes.flatMap(({ keys, program }) => {
    const value = keys.get(key);
    const ways = value === undefined ? [] : waysOf(value, program);
    return ways.filter((way) => !isKept(way, key, program) && constantOf(way) === undefined).map(lastName);
  });
  const [name] = names;
  if (name === undefined || names.some((each) => each !== name)) return false;
  const comments = [...commentsBelow(node)].map(({ value }) => value);
  const own = new RegExp(String.raw`(?<![\w.])${escapedPattern(name)}(?!\w)`);
  const isAlwaysThere = comments.some((text) =>
    text
      .split(/[.;]\s+/)
      .some((sentence) => own.test(sentence) && always.test(sentence) && !ended.test(sentence)),
  );
  if (!isAlwaysThere) return false;
  const begins = comments.some((text) => beginsWithout.test(text));
  const request = allIn(commands.get("request")!) ?? [];
  return begins || request.some(({ argument }) => ofChanges.test(textOf(argument, "path") ?? ""));
}

const always =
  /\b(?:always (?:there|given|present|set|has|gives|brings|comes)|(?:also|even) (?:after|behind|on|with|in|at) the (?:last|end)|never (?:null|empty|missing|absent)|(?:in|with|on) (?:each|every) (?:answer|page|response))\b/i;
/** `always there, and null on the last page` */
const ended = /\bis null\b|\bor null\b|\band null\b|\bexcept\b|\bbut (?:on|with|in|for) the last\b/i;
const beginsWithout =
  /\bwithout (?:it|(?:an?|the|any) \w+),? (?:\w+ ){0,4}?(?:starts?|begins?|sends?|answers?|gives?|lists?|returns?)\b/i;
const ofChanges =
  /(?:^|\/)(?:\w+[-_])?(?:changes?|feed|deltas?|updates|sync|stream|change[-_]?log)(?:$|[/?])/i;

const isTimed = ({ program }: StateWrite, value: Parameters<typeof constantOf>[0]): boolean =>
  stateDependence(program, [value]).clock;

const isChosen = ({ program }: StateWrite, value: Parameters<typeof constantOf>[0]): boolean =>
  [...stateDependence(program, [value]).holes].some((index) => program.holes[index]?.root === "custom_data");
