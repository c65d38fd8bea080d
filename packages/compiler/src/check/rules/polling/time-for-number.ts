import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { bare, partAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type KindWritten, kindsWritten, type StateKind } from "../../../flow/protocol/state-kinds.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { isSaidTime } from "./said-of-parameter.ts";

const timeForNumber = defineRule<{ key: string; member: string; command: string }>({
  id: "polling/time-for-number",
  severity: "warning",
  summary: "Reading begins at the present time, but goes on from a number of the records",
  why: "A feed that numbers its changes compares what is asked for with those numbers. The clock counts 1.7 thousand million seconds, which is beyond every number: nothing is ever newer, and nothing arrives.",
  guards: ["polling.initial_setup", "polling.polling_state", "D33"],
  message: ({ key, member, command }) =>
    `\`${command}\` sets \`${key}\` to a time, but later it becomes the \`${member}\` of a record.`,
  because: ({ key, member }) => [
    `\`${key}\`: 1767225600`,
    `\`${member}\` of the newest record: 90112`,
    "the service has nothing beyond 1767225600",
  ],
  help: ({ member }) => `Begin with a \`${member}\`: 0, or the one that the service says it is at.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/changes", "params": {"after": "${polling_state.last_seq}", "limit": 50}}}, {"!jq": "{results: .changes, iterate: .has_more, polling_state: {last_seq: (.changes[-1].seq // ${polling_state.last_seq})}}"}]',
      },
      bad: '{"!jq": "{polling_state: {last_seq: «(now | floor)»}}"}',
      good: '{"!jq": "{polling_state: {last_seq: 0}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [timeForNumber],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !intake.commands.has("initial_setup") || !isReadable(intake, model))
        return;
      const readsClock = /\bnow\b/.test(textOf(intake, model));
      for (const key of new Set(askedBy(intake, model)?.reads.map((read) => read.key))) {
        tellNamed(key, intake, report, model);
        if (!readsClock) continue;
        const first = kindsWritten(intake, model).find(
          (written) => written.key === key && written.command === "initial_setup" && isPresent(written),
        );
        if (first === undefined) continue;
        const member = numberRead(key, intake, model);
        if (member === undefined || (hasComments(model) && isSaidTime(member, intake.node))) continue;
        const { program, value, command } = first;
        report(timeForNumber, partAt(program, value), { key, member, command });
      }
    },
  },
};
export default module;

/** A time that the service says, `.at` beside `.seq`, where the other way of the setup is a number: `if … then 0 else .at end`. */
function tellNamed(key: string, intake: IntakeSymbol, report: Report, model: Model): void {
  for (const { keys, program } of writesIn(intake, "initial_setup", model) ?? []) {
    const value = keys.get(key);
    const ways = value === undefined ? [] : waysOf(value, program);
    const time = ways.find((way) => way.kind === "Postfix" && isTimeName(lastName(way) ?? ""));
    if (time === undefined || !ways.some((way) => typeof constantOf(bare(way)) === "number")) continue;
    const member = numberRead(key, intake, model);
    if (member === undefined || isTimeName(member) || (hasComments(model) && isCalledTime(member, intake)))
      continue;
    report(timeForNumber, partAt(program, time), { key, member, command: "initial_setup" });
  }
}

/** Whether a sentence calls a member a time, but for one that shows it in a record beside what is one: `{seq, at}: number and time`. */
const isCalledTime = (member: string, { node }: IntakeSymbol): boolean => {
  const own = new RegExp(`(?<![\\w.])${escapedPattern(member)}(?!\\w)`);
  return documentedClauses(node).some(({ text }) => {
    const said = text.replace(/\{[^{}]*\}/g, "");
    return own.test(said) && /\b(?:time|timestamp|clock|epoch|Unix)\b/.test(said);
  });
};

const textOf = ({ node }: IntakeSymbol, { document }: Model): string =>
  document.text.slice(node.start, node.end);

const times: ReadonlySet<StateKind> = new Set<StateKind>(["seconds", "milliseconds", "date"]);

/** A time by the clock, however long ago. */
const isPresent = ({ kind, value, program }: KindWritten): boolean =>
  times.has(kind) && stateDependence(program, [value]).clock;

/** The number or id of a record that a key becomes on all its ways; undefined where it becomes anything else. */
function numberRead(key: string, intake: IntakeSymbol, model: Model): string | undefined {
  const [watermark, ...others] = watermarksOf(intake, key, model) ?? [];
  const member = watermark?.member;
  if (watermark === undefined || others.some((other) => other.member !== member)) return undefined;
  const isOfRecord = watermark.from === "last" || watermark.from === "first" || watermark.from === "greatest";
  if (member === undefined || !isOfRecord) return undefined;
  return isIdName(member) || numbers.has(wordsOf(member).at(-1) ?? "") ? member : undefined;
}

const numbers: ReadonlySet<string> = new Set("seq sequence no nr number num serial".split(" "));
