import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitOf, unitsAround } from "../../../flow/counted.ts";
import { anyTime } from "../../../flow/documented-units.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { keysSent } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { timesTaken } from "../../../flow/time-member.ts";
import { unitOfName } from "../../../flow/unit.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, excerpt } from "../../message-text.ts";

const otherClock = defineRule<{ text: string; unit: string; other: string; members: readonly string[] }>({
  id: "value/other-clock",
  severity: "warning",
  summary: "A poll begins at a time in seconds, where the service counts milliseconds",
  why: "A service mostly writes all its times alike. A time in seconds that it takes for milliseconds is a day in January 1970, and the other way round one in tens of thousands of years: the filter lets all records pass, or none.",
  guards: ["command.!jq", "polling.polling_state", "D23"],
  message: ({ text, unit, other, members }) =>
    `\`${text}\` is in ${unit}, but the times of the service are read as ${other}: ${allNames(members)}.`,
  because: ({ text, unit, other, members }) => [
    `${allNames(members)} are taken for ${other}`,
    `\`${text}\` is sent in ${unit}`,
  ],
  help: ({ unit }) => (unit === "seconds" ? "Multiply it by 1000." : "Leave out the factor 1000."),
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "{email: .email, name: .name, city: .city, from: (.startsAt / 1000 | todate), to: (.endsAt / 1000 | todate)}"}',
      },
      bad: '{"type": "polling", "name": "customers", "initial_setup": {"!jq": "{polling_state: {page: 1, since: «(now - 86400 | floor)»}}"}, "request": {"!pipe": [{"!http": {"path": "/people", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .people, iterate: .more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"}]}}',
      good: '{"type": "polling", "name": "customers", "initial_setup": {"!jq": "{polling_state: {page: 1, since: ((now - 86400) * 1000 | floor)}}"}, "request": {"!pipe": [{"!http": {"path": "/people", "params": {"page": "${polling_state.page}", "since": "${polling_state.since}"}}}, {"!jq": "{results: .people, iterate: .more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"}]}}',
    },
  ],
});

const mixedSum = defineRule<{ text: string; member: string }>({
  id: "value/mixed-sum",
  severity: "warning",
  summary: "Seconds are added to a time in milliseconds",
  why: "The sum of a time in milliseconds and a length in seconds is hardly later: twelve hours become 43 seconds. The request succeeds, and the new time is nearly the old one.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ text, member }) =>
    `A comment says that times are milliseconds, and \`${text}\` counts seconds; it is added to \`${member}\`.`,
  because: ({ text, member }) => [
    `\`${member}\` is a time in milliseconds`,
    `\`${text}\` is a length in seconds: a thousandth of what is meant`,
  ],
  help: () => "Multiply it by 1000 as well.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/data_pipeline/_comment": '"All times are milliseconds since 1970."',
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Extra time", "id": "extra", "type": "dropdown", "options": [{"display": "12 hours", "value": "12"}, {"display": "One day", "value": "24"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": "{email: ${piped_content.0.email}, collect_by: (.collect_by + «(${custom_data.extra.value} | tonumber) * 3600»)}"}, {"!http": {"method": "PATCH", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": "{email: ${piped_content.0.email}, collect_by: (.collect_by + (${custom_data.extra.value} | tonumber) * 3600000)}"}, {"!http": {"method": "PATCH", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherClock, mixedSum],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || program.diagnostics.length > 0) return;
      for (const sum of nodesOfKind(program, "Arithmetic")) {
        const [step, ...others] = sum.rest;
        if (step === undefined || others.length > 0 || (step.operator !== "+" && step.operator !== "-"))
          continue;
        const member = nameRead(sum.first, program);
        if (member === undefined || isLength.test(member)) continue;
        const length = unitOf(step.operand, program, model);
        // Of the names of times it is told as their difference.
        if (length?.unit !== "seconds" || !length.converted || isClock.test(textAt(step.operand, program)))
          continue;
        const said = unitsAround(program.command, model)?.(anyTime);
        if (said?.unit !== "milliseconds") continue;
        // `now as $t` is no time of the service.
        if (unitOf(sum.first, program, model)?.unit === "seconds") continue;
        report(
          mixedSum,
          partAt(program, step.operand),
          { text: excerpt(textAt(step.operand, program)), member },
          [{ message: "the comment", at: said.comment }],
        );
      }
    },
    document(model, report) {
      const taken = new Map<string, Set<string>>();
      for (const { member, unit } of readsIn(model))
        taken.set(member, (taken.get(member) ?? new Set()).add(unit));
      if (taken.size < 2) return;
      const units = new Set([...taken.values()].flatMap((each) => [...each]));
      const [other, ...others] = units;
      if (other === undefined || others.length > 0) return;
      for (const { program, value, unit } of startsIn(model)) {
        if (unit === other) continue;
        const text = excerpt(textAt(value, program));
        report(otherClock, partAt(program, value), {
          text,
          unit,
          other,
          members: [...taken.keys()].slice(0, 3),
        });
      }
    },
  },
};
export default module;

const isLength = /duration|length|seconds|minutes|hours|period|ttl|timeout|interval|delay|(?:^|_)s(?:ec)?$/i;
const isClock = /\bnow\b|fromdate|mktime/;

const readsIn = derivedByPart(({ programs }) =>
  programs.flatMap((program) => timesTaken(program).map(({ member, unit }) => ({ member, unit }))),
);

interface Start {
  readonly program: JqProgram;
  readonly value: Expression;
  readonly unit: "seconds" | "milliseconds";
}

/** The times with which polls begin and that they send, as long as nothing else says what they count. */
const startsIn = derivedByPart(({ intakes }, model): readonly Start[] =>
  intakes.flatMap((intake) => {
    if (intake.type !== "polling") return [];
    const sent = keysSent(intake, model);
    return kindsWritten(intake, model).flatMap(({ key, command, kind, value, program }): readonly Start[] => {
      const isTime = command === "initial_setup" && (kind === "seconds" || kind === "milliseconds");
      if (!isTime || !sent.has(key) || unitOfName(key) !== undefined || saysUnit(program)) return [];
      // A state that goes on with a member of the records is told by that.
      const marks = watermarksOf(intake, key, model) ?? [];
      return marks.length > 0 ? [] : [{ program, value, unit: kind }];
    });
  }),
);

/** Whether comments around a program say what times count. */
const saysUnit = ({ command: { node } }: JqProgram): boolean =>
  commentsAround(node, []).some(({ value }) => /second|epoch|unix|\bms\b/i.test(value));
