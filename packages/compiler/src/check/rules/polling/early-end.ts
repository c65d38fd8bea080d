import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import type { Related } from "../../../findings/rule.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { NOW } from "../../../flow/machine/evaluate.ts";
import { stateAfter, worldOf } from "../../../flow/machine/intake-world.ts";
import { record, run } from "../../../flow/machine/run.ts";
import { memberOf, resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isChangeTime, isCreationTime } from "../../../flow/protocol/time-names.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { sentKeys } from "./cut-places.ts";

const earlyEnd = defineRule<{ param: string; text: string; leavesOut: "until setup" | "upcoming" }>({
  id: "polling/early-end",
  severity: "warning",
  summary: "What is read ends too early: before the setup, or before what is still to come",
  why: "An import runs once, and the webhook beside it tells only what happens after the setup. What lies between the end of the import and the setup comes by neither. The same holds for what is planned for later: it was made before the setup, so an import that ends today leaves it out.",
  guards: ["polling.initial_setup", "workflow.historical_data_intake", "D34"],
  message: ({ param, text, leavesOut }) =>
    leavesOut === "until setup"
      ? `\`${param}\` ends the import before the setup (\`${text}\`), and the webhook begins with the setup. What is between comes by neither.`
      : `\`${param}\` ends at the setup (\`${text}\`), so nothing that lies ahead is read.`,
  because: ({ param, leavesOut }) =>
    leavesOut === "until setup"
      ? [
          `set up at 12:00: \`${param}\` is some time before`,
          "a record of 11:00 is behind that, so the import leaves it out",
          "the webhook sends what happens from 12:00 on",
        ]
      : [
          "set up on 1 March, with a record for 20 March that was made in February",
          `\`${param}\` is 1 March: the import leaves it out`,
        ],
  help: ({ leavesOut }) =>
    leavesOut === "until setup"
      ? "End it at `now`: what comes twice is recognised by its key."
      : "Add as much time to `now` as it may lie ahead.",
  examples: [
    {
      title: "Before the setup",
      in: "historical-sync",
      at: "/data_intake/1/initial_setup/!jq",
      with: {
        "/data_intake/1/request/!pipe/0/!http/params":
          '{"cursor": "${polling_state.cursor}", "created_before": "${polling_state.until}"}',
        "/data_intake/1/request/!pipe/1/!jq":
          '"{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {cursor: .next_cursor})}"',
      },
      bad: '"{polling_state: {cursor: null, until: («now - 86400 | todate»)}}"',
      good: '"{polling_state: {cursor: null, until: (now | todate)}}"',
      samples: { world: { intakes: {} } },
    },
    {
      title: "What lies ahead",
      in: "historical-sync",
      at: "/data_intake/1/initial_setup/!jq",
      with: {
        "/data_intake/1/_comment": '"Upcoming visits come too, so to lies a year ahead."',
        "/data_intake/1/request/!pipe/0/!http/params":
          '{"cursor": "${polling_state.cursor}", "to": "${polling_state.to}"}',
        "/data_intake/1/request/!pipe/1/!jq":
          '"{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {cursor: .next_cursor})}"',
      },
      bad: '"{polling_state: {cursor: null, to: («now | strftime(\\"%Y-%m-%d\\")»)}}"',
      good: '"{polling_state: {cursor: null, to: (now + 365 * 86400 | strftime(\\"%Y-%m-%d\\"))}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [earlyEnd],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const users = usersOf(intake);
      const isImport = users.length > 0 && !users.some((workflow) => workflow.intake?.target === intake);
      const ends = sentKeys(intake, model).filter(({ param }) => boundName(param)?.end === "upper");
      if (ends.length === 0) return;
      let state: Value = record({});
      for (const name of ["initial_setup", "pre_poll"]) {
        const command = intake.commands.get(name);
        if (command === undefined) continue;
        state = stateAfter(run(command, worldOf(state, NOW, nothing)), state);
        for (const { keys, program } of writesIn(intake, name, model) ?? [])
          for (const { key, param } of ends) {
            const value = keys.get(key);
            const given = resolved(memberOf(state, key));
            const time = endOf(given);
            if (value === undefined || time === undefined || !stateDependence(program, [value]).clock)
              continue;
            const text = excerpt(textAt(bare(value), program), 50);
            const ahead =
              time > NOW + DAY ? undefined : saidAhead([param, key], intake, users, isImport, model);
            const at = partAt(program, bare(value));
            if (ahead !== undefined)
              return report(earlyEnd, at, { param, text, leavesOut: "upcoming" }, ahead);
            if (
              isImport &&
              time < NOW - SLACK &&
              isOfSetup(param, key, given, intake, model) &&
              !isMeantBefore([param, key], intake, users, model)
            )
              return report(earlyEnd, at, { param, text, leavesOut: "until setup" });
          }
      }
    },
  },
};
export default module;

const nothing = (): Value => UNKNOWN;

const DAY = 86_400;
/** Clocks that differ, and rows that show late, are met with less. */
const SLACK = 900;

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** The time in seconds at which a value ends what is read: a day, at its end. */
function endOf(value: Value): number | undefined {
  if (typeof value === "string") {
    const seconds = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) / 1_000 : Number.NaN;
    return Number.isNaN(seconds) ? undefined : seconds + (dayForm.test(value) ? DAY : 0);
  }
  if (typeof value !== "number" || value < 1e9) return undefined;
  return value > 1e11 ? value / 1_000 : value;
}

/** Whether a bound is of when records were made or changed, which all lies before the setup, or a comment says that it is the setup. */
function isOfSetup(param: string, key: string, value: Value, intake: IntakeSymbol, model: Model): boolean {
  if (isChangeTime(param) || isCreationTime(param)) return true;
  if (
    boundName(param)?.subject === "" &&
    !(typeof value === "string" && dayForm.test(value)) &&
    /^(?:until|before)$/i.test(param)
  )
    return true;
  return (
    hasComments(model) &&
    said([param, key], "(?:moment|time|instant) of (?:the )?set-?up", intake) !== undefined
  );
}

/** Whether a comment says that the import is to end before the setup, or that the webhook tells what was before it. */
function isMeantBefore(
  names: readonly string[],
  intake: IntakeSymbol,
  users: readonly WorkflowSymbol[],
  model: Model,
): boolean {
  if (!hasComments(model)) return false;
  if (said(names, "(?:hours?|minutes?|days?|weeks?) (?:before|ago|earlier)", intake) !== undefined)
    return true;
  const hooks = users.flatMap(({ intake: hook }) => hook?.target?.node ?? []);
  return [intake.node, ...hooks].some((node) =>
    [...commentsBelow(node)].some(({ value }) => value.split(/[.;]\s/).some((each) => replayed.test(each))),
  );
}

/** `When the webhook is registered, the service sends the events of the last 24 hours once more` */
const replayed =
  /\b(?:webhooks?|hooks?|register(?:s|ed)?|subscri\w+)\b.{0,80}\b(?:again|once more|replay(?:s|ed)?|re-?sen(?:ds?|t)|last \w+ (?:hours?|days?|minutes?))\b/i;

/** What says that a bound lies ahead: a comment of it, or how customers read what the import brings. */
function saidAhead(
  names: readonly string[],
  intake: IntakeSymbol,
  users: readonly WorkflowSymbol[],
  isImport: boolean,
  model: Model,
): readonly Related[] | undefined {
  const comment = hasComments(model)
    ? said(
        names,
        "(?:ahead|in (?:the )?future|from (?:now|today)|after (?:today|now|(?:the )?set-?up))",
        intake,
      )
    : undefined;
  if (comment !== undefined) return [{ message: "the comment", at: comment }];
  const isOfPast = names.some((name) => isChangeTime(name) || isCreationTime(name));
  const label =
    isImport && !isOfPast
      ? users.flatMap(historyLabels).find(({ value }) => upcoming.test(value))
      : undefined;
  return label === undefined ? undefined : [{ message: "what customers read", at: label }];
}

/** With a capital within a text it is a name: “Orders from Future Shop”. */
const upcoming = /\b(?:[Uu]pcoming|future|forthcoming|planned)\b|^(?:Future|Forthcoming|Planned) (?=[a-z])/;

/** What customers read of what an import brings. */
function historyLabels({ node }: WorkflowSymbol): readonly StringNode[] {
  const labels = node.get("resource_labels");
  return ["historical_sync_events", "historical_sync_objects_updated"].flatMap((name) => {
    const list = labels?.kind === "object" ? labels.get(name) : undefined;
    return list?.kind === "array"
      ? list.items.filter((item): item is StringNode => item.kind === "string")
      : [];
  });
}

/** `to lies`, `created_before is` */
const is = "(?:lies|is|ends|reaches|goes|stands|stretches|extends|means|must|has to)";

/** The comment in which a sentence says something of one of the names. */
function said(names: readonly string[], what: string, { node }: IntakeSymbol): StringNode | undefined {
  const forms = names.map(
    (name) =>
      new RegExp(
        String.raw`(?<![\w.])${escapedPattern(name)}(?!\w)\W? (?:then |always |therefore )?${is}.{0,60}\b${what}\b`,
        "i",
      ),
  );
  return [...commentsBelow(node)].find(({ value }) =>
    value
      .split(/[.;]\s/)
      .some(
        (sentence) =>
          !/\b(?:not|never|nor)\b|n't\b/.test(sentence) && forms.some((form) => form.test(sentence)),
      ),
  );
}
