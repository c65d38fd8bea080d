import { defineRule } from "../../../findings/rule.ts";
import { dayReckoned, isFirstDay, mayReckonDays, nameOfDays } from "../../../flow/day-reckoned.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const stay = (name: string, nights: string): string =>
  `{"!jq": ".stay as $s | {email: .email, ${name}: (($s.arrives_on + \\"T00:00:00Z\\" | fromdate) + ${nights} * 86400 | strftime(\\"%Y-%m-%d\\"))}"}`;

const otherNight = defineRule<{ name: string; text: string; isEarly: boolean }>({
  id: "value/other-night",
  severity: "warning",
  summary: "The day after the last night, or the last night itself, is a day off",
  why: "Who stays two nights from Monday on leaves on Wednesday, and Tuesday's is the last night. A day too early or too late is wrong for every stay.",
  guards: ["command.!jq", "D23"],
  message: ({ name, text, isEarly }) =>
    isEarly
      ? `\`${name}\` lies one day less than \`${text}\` nights after the first one, which is the last night and not the day after it.`
      : `\`${name}\` lies \`${text}\` nights after the first one, which is the day after the last night.`,
  because: ({ name, text, isEarly }) => [
    `\`${text}\` is 1, and the first night is Monday's`,
    `\`${name}\` is ${isEarly ? "Monday: nobody leaves on the day of arrival" : "Tuesday, and no night is left"}`,
  ],
  help: ({ text, isEarly }) => (isEarly ? `Add \`${text}\` days.` : `Add \`${text} - 1\` days.`),
  examples: [
    {
      title: "The day of departure",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: stay("leaves_on", "(«$s.nights» - 1)"),
      good: stay("leaves_on", "$s.nights"),
    },
    {
      title: "The last night",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: stay("last_night", "«$s.nights»"),
      good: stay("last_night", "($s.nights - 1)"),
    },
  ],
});

const module: RuleModule = {
  rules: [otherNight],
  checks: {
    // A comment may say which nights are counted.
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics, command } = program;
      if (!mayReckonDays(program) || !/nights?\b/i.test(node.value) || diagnostics.length > 0) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const name = nameOf(key);
          if (name === undefined || value === undefined) continue;
          const isLeaving = leaving.test(name);
          if (!isLeaving && !isLastNight(name)) continue;
          const { from, added, less } = dayReckoned(value, program) ?? {};
          if (added === undefined || from === undefined || !isFirst(from)) continue;
          // What is added may be another number than that of nights.
          if (!/(?:^|_)nights?$|Nights$/.test(nameOfDays(added, program) ?? "")) continue;
          if (isLeaving ? less !== 1 : less !== 0) continue;
          if (saysAround(otherNights, command, model)) continue;
          const text = excerpt(textAt(added, program), 30);
          report(otherNight, partAt(program, added), { name, text, isEarly: isLeaving });
        }
    },
  },
};
export default module;

/** `nights counts the one before the arrival`, `how many more nights follow` */
const otherNights = /\bnights?\b[^.;]{0,60}\b(?:before|more|after|follow(?:s|ing)?|extra)\b|\bmore nights\b/i;

const leaving =
  /^(?:leav(?:es?|ing)|depart(?:s|ure|ing)?|check_?out|moves?_?out)(?:_?(?:on|day|date|at))?$|^date_?of_?departure$|^(?:day|date)_?out$/i;

/** `last_night`, and `last_night_on`; `nights_left` isn't one. */
const isLastNight = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words[0] === "last" && words[1] === "night" && (words.length === 2 || /^(?:on|date)$/.test(words[2]!))
  );
};

const isFirst = (name: string): boolean =>
  isFirstDay(name) || /^(?:from|arrival|start)_?(?:on|day|date)?$|^date_?of_?arrival$/i.test(name);
