import { defineRule } from "../../../findings/rule.ts";
import { dayReckoned, isFirstDay, mayReckonDays, nameOfDays } from "../../../flow/day-reckoned.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const pass = (days: string): string =>
  `{"!pipe": [{"_comment": "Both days count.", "!jq": "(\${custom_data.days.value} | tonumber) as $days | {email: .email, list: \${custom_data.list.value}, valid_from: (now | todate | .[0:10]), valid_until: (now + ${days} * 86400 | todate | .[0:10])}"}, {"!http": {"method": "POST", "path": "/passes", "body": "\${piped_content.1}"}}]}`;

const course = (days: string): string =>
  `{"!jq": ".course as $c | {email: .email, first_day: $c.starts_on, last_day: ($c.starts_on | strptime(\\"%Y-%m-%d\\") | mktime + ${days} * 86400 | strftime(\\"%Y-%m-%d\\"))}"}`;

const inclusiveDays = defineRule<{ text: string; name: string; first: string }>({
  id: "value/inclusive-days",
  severity: "warning",
  summary: "A span of days has one day too many, where a comment says that both ends count",
  why: "From Monday, a span of one day ends on Monday if both days count. With the number of days added, it ends on Tuesday: what was sold for one day is valid for two.",
  guards: ["command.!jq", "D23"],
  message: ({ text, name, first }) =>
    `\`${name}\` lies \`${text}\` days after \`${first}\`. A comment says that the first day counts too, so that is one day too many.`,
  because: ({ name, first, text }) => [
    `\`${text}\` is 1: \`${first}\` is Monday`,
    `\`${name}\` is Tuesday: two days, as both count`,
  ],
  help: ({ text }) => `Add \`${text} - 1\` days.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Valid for", "id": "days", "type": "dropdown", "options": [{"display": "One day", "value": "1"}, {"display": "Five days", "value": "5"}]}',
      },
      bad: pass("«$days»"),
      good: pass("($days - 1)"),
    },
    {
      title: "The first one included",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"A course runs on days days in a row, the first one included."',
      },
      bad: course("«$c.days»"),
      good: course("($c.days - 1)"),
    },
  ],
});

const module: RuleModule = {
  rules: [inclusiveDays],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { diagnostics, command } = program;
      if (diagnostics.length > 0 || !mayReckonDays(program) || !hasComments(model)) return;
      const said = documentedClauses(command.node).find(
        ({ text }) => inclusive.test(text) && !exclusive.test(text),
      );
      if (said === undefined || documentedClauses(command.node).some(({ text }) => isAfter.test(text)))
        return;
      for (const { entries } of nodesOfKind(program, "Object")) {
        const days = entries.flatMap(({ key, value }) => {
          const name = nameOf(key);
          const day = name === undefined || value === undefined ? undefined : dayReckoned(value, program);
          return day === undefined ? [] : [{ ...day, name: name! }];
        });
        for (const { name, base, from, added, less } of days) {
          if (added === undefined || less !== 0 || !isLast(name)) continue;
          // Nights are fewer than days anyway.
          if (/nights?$/i.test(nameOfDays(added, program) ?? "")) continue;
          const first =
            days.find((each) => each.added === undefined && each.base === base && isFirst(each.name))?.name ??
            from;
          if (first === undefined || !isFirst(first)) continue;
          const text = excerpt(textAt(added, program), 30);
          report(inclusiveDays, partAt(program, added), { text, name, first }, [
            { message: "the comment", at: said.comment },
          ]);
        }
      }
    },
  },
};
export default module;

const inclusive =
  /\bboth (?:days|dates|ends) (?:count|are (?:included|counted|inclusive|valid))|\b(?:last|end|final) (?:day|date) (?:counts|is (?:included|counted|inclusive|valid))|\b(?:days|dates|ends) are inclusive\b|\b(?:first|starting|start) (?:one|day|date|night) (?:is )?(?:counts|counted|included|inclusive)\b|\bcounts? (?:both )?(?:the |its )?(?:first|start(?:ing)?)(?: day)? (?:and|as well as) (?:the |its )?(?:last|end)\b|\b(?:first|start(?:ing)?)(?: day)? and (?:the |its )?(?:last|end)(?: day)? (?:both )?(?:count|are (?:counted|included))\b|\b(?:including|counting) (?:both\b|(?:the |its )?(?:first|start|last) (?:one|day|date)\b)/i;
const isFirst = (name: string): boolean => boundName(name)?.end === "lower" || isFirstDay(name);
const isLast = (name: string): boolean =>
  boundName(name)?.end === "upper" ||
  /^(?:last|final|closing|ends?|closes?|finish(?:es)?)_?(?:day|date|on)$/i.test(name);
/** The day after the last one, or the days that come after the first one. */
const isAfter =
  /\b(?:the )?days? after\b|\bafter the (?:first|last|day)\b|\bcome after\b|\bexclusive\b|\bnot valid\b|\bno longer\b/i;
const exclusive = /\b(?:not|n't|never|neither|no longer|only)\b/i;
