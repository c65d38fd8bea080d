import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isoDate } from "../../../flow/machine/builtins/times.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { stateAfter, worldOf } from "../../../flow/machine/intake-world.ts";
import { record, run } from "../../../flow/machine/run.ts";
import { isKind, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const gap = defineRule<{ key: string; text: string; seconds: number; isEnd: boolean }>({
  id: "polling/gap",
  severity: "warning",
  summary: "The next cycle begins some time after the latest record that was read",
  why: "Records that change between the latest one and the beginning of the next cycle are older than its lower bound. They are never asked for.",
  guards: ["polling.pre_poll", "polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, text, seconds, isEnd }) =>
    `\`${text}\` begins the next ${isEnd ? "window" : "cycle"} ${counted(seconds)} after \`${key}\`, the ${isEnd ? "end of this one" : "latest record"}: what changes in between is never asked for.`,
  because: ({ key, seconds, isEnd }) => [
    isEnd
      ? `this window ends at 12:00: \`${key}\``
      : `the latest record that was read is of 12:00: \`${key}\``,
    `the next cycle asks for what changed ${counted(seconds)} later, or after that`,
    "a record that changed in between is in neither",
  ],
  help: ({ isEnd }) =>
    isEnd
      ? "Begin the next window where this one ends."
      : "Subtract instead of adding: records that come twice are recognised, lost ones aren't.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), newest: (now - 86400 | todate)}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, newest: ([${polling_state.newest}, .items[].updated_at] | max)}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «(${polling_state.newest} | fromdate + 300 | todate)», newest: ${polling_state.newest}}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: (${polling_state.newest} | fromdate - 300 | todate), newest: ${polling_state.newest}}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [gap],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const reads = askedBy(intake, model)?.reads ?? [];
      const bounds = new Set(
        reads.flatMap((read) => (boundName(paramOf(read) ?? read.key)?.end === "lower" ? [read.key] : [])),
      );
      if (bounds.size === 0) return;
      const ends = reads.flatMap((read) => {
        const param = paramOf(read) ?? read.key;
        return boundName(param)?.end === "upper" ? [{ key: read.key, param }] : [];
      });
      for (const command of ["pre_poll", "post_poll"])
        for (const { keys, program } of writesIn(intake, command, model) ?? [])
          for (const [bound, value] of keys) {
            if (!bounds.has(bound) || value === undefined || !/\+/.test(program.node.value)) continue;
            const { keys: from, clock, all } = stateDependence(program, [value]);
            const [key, ...others] = from;
            if (key === undefined || others.length > 0 || clock || all) continue;
            const end = ends.find((read) => read.key === key);
            if (key === bound || (end === undefined && !isOfRecords(intake, key, model))) continue;
            const seconds = lead(intake, command, key, bound);
            // Of times in milliseconds it isn't known.
            if (seconds === undefined || seconds <= 0 || (end !== undefined && seconds >= 1_000)) continue;
            // Behind an end that is included, the next second may follow.
            if (seconds === 1 && (end === undefined || !isExcluded(end.param, intake, model))) continue;
            const text = excerpt(program.node.value.slice(value.start, value.end), 50);
            const args = { key, text, seconds, isEnd: end !== undefined };
            report(gap, { node: program.node, from: value.start, to: value.end }, args);
          }
    },
  },
};
export default module;

const counted = (seconds: number): string => `${seconds} ${seconds === 1 ? "second" : "seconds"}`;

/** Whether a comment says that the end of a window isn't in it: `changed_to is exclusive`, `[from, to)`. */
function isExcluded(param: string, intake: IntakeSymbol, model: Model): boolean {
  if (!hasComments(model)) return false;
  const said = new RegExp(
    String.raw`(?<!\w)${escapedPattern(param)}(?!\w)[^,;.]{0,20}\b(?:exclusive|excluded|not included|excludes)\b`,
  );
  return [...commentsBelow(intake.node)].some(
    ({ value }) => said.test(value) || /\[\s*\w+\s*,\s*\w+\s*\)/.test(value),
  );
}

/** Whether a key is the latest time of the records that were read, and nothing else. */
function isOfRecords(intake: IntakeSymbol, key: string, model: Model): boolean {
  const ways = watermarksOf(intake, key, model) ?? [];
  return (
    ways.length > 0 &&
    ways.every(({ from, member }) => from !== "clock" && from !== "other" && member !== undefined)
  );
}

/** How many seconds later than one key a command sets another. */
function lead(intake: IntakeSymbol, name: string, key: string, bound: string): number | undefined {
  const command = intake.commands.get(name);
  const setup = intake.commands.get("initial_setup");
  if (command === undefined || setup === undefined) return undefined;
  const nothing = (): Value => UNKNOWN;
  const first = stateAfter(run(setup, worldOf(record({}), NOW, nothing)), record({}));
  if (!isKind(first, "record")) return undefined;
  for (const form of [isoDate(NOW), NOW]) {
    const state: Value = { ...first, members: new Map([...first.members, [key, form]]) };
    const after = stateAfter(run(command, worldOf(state, NOW + 7_200, nothing)), state);
    const made = isKind(after, "record") ? after.members.get(bound) : undefined;
    if (typeof made !== typeof form) continue;
    const seconds = typeof made === "string" ? Date.parse(made) / 1_000 : made;
    if (typeof seconds === "number" && Math.abs(seconds - NOW) < 1e6) return Math.round(seconds - NOW);
  }
  return undefined;
}
