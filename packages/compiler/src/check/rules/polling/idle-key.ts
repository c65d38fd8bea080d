import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { evidentType } from "../../../flow/evident-type.ts";
import { bare, nodesIn, partAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { changes, keysSent, type Machine, machineOf, usedKeys, type Written } from "./key-dependence.ts";
import { isSaidForPeople } from "./said-of-parameter.ts";
import { unreadWatermark } from "./unread-watermark.ts";
import { chosenInstead, isChosen, onlyAcknowledged } from "./unsent-places.ts";

const idleKey = defineRule<{ key: string; command: string; isAcknowledged?: true; isChosen?: true }>({
  id: "polling/idle-key",
  severity: "warning",
  summary: "Nothing depends on this key of `polling_state`",
  why: "A watermark or a cursor is only useful if a request reads it. If it never reaches a request, a result or `iterate`, each cycle asks for the same again, or for less than it should.",
  guards: ["polling.polling_state", "expansion.polling_state", "D33"],
  message: ({ key, command, isAcknowledged, isChosen }) =>
    isChosen
      ? `\`${command}\` moves \`${key}\`, but the request sends what the customer chose as \`${key}\`, the same in each cycle.`
      : isAcknowledged
        ? `\`${command}\` updates \`${key}\`, but only \`post_poll\` reads it: no list is asked for with it.`
        : `\`${command}\` ${command === "initial_setup" ? "sets" : "updates"} \`${key}\`, but no request, result or \`iterate\` depends on it.`,
  because: ({ key, command }) => [
    `\`${command}\` ${command === "initial_setup" ? "sets" : "updates"} \`${key}\``,
    `the next request is the same, whatever \`${key}\` is`,
  ],
  help: ({ key }) => `Send it with the request, as \`\${polling_state.${key}}\`, or remove it.`,
  examples: [
    {
      title: "A watermark that no request reads",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: «(.items[-1].updated_at // ${polling_state.since})»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"}]',
    },
    {
      title: "Where an import is meant to begin",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}"}}}, {"!jq": "(${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: ($next < .total), polling_state: (${polling_state} + {offset: $next})}"}]',
      },
      bad: '{"!jq": "{polling_state: {offset: 0, changed_from: «(now - 365 * 86400 | todate)»}}"}',
      good: '{"!jq": "{polling_state: {offset: 0}}"}',
    },
    {
      title: "A snapshot that always begins at the same time",
      in: "inbound-polling",
      at: "/data_intake/0/request",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {changed_from: (now | todate), as_of: null, snapshot: \\"\\", page: 1, pages: 0}}"}',
        "/data_intake/0/pre_poll":
          '{"!pipe": [{"!jq": "${polling_state}"}, {"!switch": {"jq": "if .snapshot == \\"\\" or .page > .pages then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/snapshots", "body": {"from": "2020-01-01T00:00:00Z"}}}, {"!jq": "${piped_content.0} as $s | {polling_state: {changed_from: $s.changed_from, as_of: .as_of, snapshot: .id, page: 1, pages: .pages}}"}]}, {"!jq": "{polling_state: .}"}]}}]}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!pipe": [{"!http": {"path": "/snapshots/${polling_state.snapshot}/pages/${polling_state.page}"}}, {"!jq": "${polling_state} as $s | {results: .items, iterate: ($s.page < $s.pages), polling_state: ($s + {page: ($s.page + 1), changed_from: «(if $s.page >= $s.pages then $s.as_of else $s.changed_from end)»})}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/snapshots/${polling_state.snapshot}/pages/${polling_state.page}"}}, {"!jq": "${polling_state} as $s | {results: .items, iterate: ($s.page < $s.pages), polling_state: ($s + {page: ($s.page + 1)})}"}]}',
    },
    {
      title: "Where a list is meant to end",
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}"}}}, {"!jq": "(${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: ($next < .total), polling_state: (${polling_state} + {offset: $next})}"}]',
      },
      bad: '{"!jq": "{polling_state: {offset: 0, created_before: «(now | todate)»}}"}',
      good: '{"!jq": "{polling_state: {offset: 0}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [idleKey],
  checks: {
    // Whether a saved value is another one each time.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const only = onlyAcknowledged(intake, model);
      if (only !== undefined) return report(idleKey, only.at, only.args);
      const chosen = chosenInstead(intake, model);
      if (chosen !== undefined) return report(idleKey, chosen.at, chosen.args);
      if (areAllSent(intake, model)) return;
      const machine = machineOf(intake, model);
      if (machine === undefined) {
        const unread = unreadWatermark(intake, model);
        if (unread === undefined || isSaidForPeople(unread.key, intake.node)) return;
        const { key, command, program, value } = unread;
        return report(idleKey, partAt(program, value), { key, command });
      }
      const used = usedKeys(machine);
      const told = new Set<string>();
      const tell = ({ command, key, value, write }: Written): void => {
        told.add(key);
        if (hasComments(model) && isSaidForPeople(key, intake.node)) return;
        report(idleKey, { node: write.program.node, from: value.start, to: value.end }, { key, command });
      };
      // What is only set once, or passed on, was kept for people to see, or is on its way out.
      const idle = machine.written.filter(
        ({ command, key, value, write }) =>
          !used.has(key) && command !== "initial_setup" && !isKept(value, key, write.program),
      );
      // Another key's value may be kept for people to see, but not as the bound of what is asked for.
      for (const entry of idle) {
        if (told.has(entry.key) || !isWatermark(entry.key, intake, model)) continue;
        const other = takenOver(entry, machine, intake, model);
        if (other === undefined) continue;
        tell(entry);
        // Of what only that one takes it is told once.
        told.add(other);
      }
      for (const entry of idle) {
        const { key, value, write } = entry;
        // A flag is no place to go on from; one that is lowered between two cycles was meant to be asked for.
        if (told.has(key)) continue;
        if (evidentType(bare(value)).kind === "boolean" && !isLowered(entry, machine)) continue;
        if (changes(value, write)) tell(entry);
      }
      // What a customer chose isn't kept for people to see.
      for (const entry of machine.written)
        if (
          entry.command === "initial_setup" &&
          !used.has(entry.key) &&
          !told.has(entry.key) &&
          (isOfChoice(entry) || isStart(entry, machine) || isEnd(entry, machine, intake, model))
        )
          tell(entry);
    },
  },
};
export default module;

/** Whether requests send each key that something writes: then none is idle. */
function areAllSent(intake: IntakeSymbol, model: Model): boolean {
  const sent = keysSent(intake, model);
  return stateCommands.every((command) =>
    (writesIn(intake, command, model) ?? []).every(({ keys }) =>
      [...keys.keys()].every((key) => sent.includes(key)),
    ),
  );
}

/** `done: (.next == null)` of `request`, which `post_poll` sets to false again. */
const isLowered = ({ key, command }: Written, { written }: Machine): boolean =>
  command === "request" &&
  written.some(
    (other) =>
      other.key === key &&
      /^(?:pre|post)_poll$/.test(other.command) &&
      constantOf(bare(other.value)) === false,
  );

/** Whether a value is made of what a customer enters or chooses. */
const isOfChoice = ({ value, write: { program } }: Written): boolean => isChosen(value, program);

/** `released_from`, some time ago: where an import is meant to begin, which nothing moves, and nobody keeps to see. */
const isStart = ({ key, value, write: { program } }: Written, { written }: Machine): boolean =>
  written.every(
    (other) =>
      other.key !== key || other.command === "initial_setup" || isKept(other.value, key, other.write.program),
  ) &&
  boundName(key)?.end === "lower" &&
  stateDependence(program, [value]).clock &&
  nodesIn(value).some(
    (node) => node.kind === "Arithmetic" && node.rest.some(({ operator }) => operator === "-"),
  );

/** `created_before`, the time of the setup: where a list that is read page by page is meant to end, so that new records don't shift it. */
const isEnd = (
  { key, value, write: { program } }: Written,
  { written }: Machine,
  intake: IntakeSymbol,
  model: Model,
): boolean =>
  boundName(key)?.end === "upper" &&
  written.every(
    (other) => other.key !== key || other.value === value || isKept(other.value, key, other.write.program),
  ) &&
  stateDependence(program, [value]).clock &&
  (askedBy(intake, model)?.reads ?? []).some(
    (read) => placeParam.test(paramOf(read) ?? "") && read.key !== key,
  );

/** What says where in a list a page begins. */
const placeParam = /page|offset|skip|cursor|token|bookmark|marker|^(?:start(?:ing)?_?)?after(?:_?id)?$/i;

/** Whether a key is a place from which to go on: by its name, or because the setup makes it a time that is over. */
function isWatermark(key: string, intake: IntakeSymbol, model: Model): boolean {
  const bound = boundName(key)?.end;
  if (bound !== undefined) return bound === "lower";
  return kindsWritten(intake, model).some(
    (written) =>
      written.key === key &&
      written.command === "initial_setup" &&
      ["seconds", "milliseconds", "date"].includes(written.kind),
  );
}

/**
 * Another key whose value is taken over, which `pre_poll` or `post_poll` moves on and which is sent in one place at most, instead of this one: a
 * URL that the state holds may have it. Where pages move it, or both ends of a window are the same, that is told.
 */
function takenOver(
  { key, value, write }: Written,
  { written }: Machine,
  intake: IntakeSymbol,
  model: Model,
): string | undefined {
  const others = written.filter(
    (other) =>
      other.key !== key &&
      constantOf(other.value) === undefined &&
      isKept(value, other.key, write.program) &&
      changes(other.value, other.write),
  );
  const [other] = others;
  const isTaken =
    other !== undefined &&
    others.every(({ command }) => command !== "request") &&
    others.some(({ command }) => command !== "initial_setup") &&
    keysSent(intake, model).filter((name) => name === other.key).length <= 1;
  return isTaken ? other.key : undefined;
}
