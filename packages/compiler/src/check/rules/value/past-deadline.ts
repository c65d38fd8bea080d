import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { shiftedNow } from "../../../flow/shifted-now.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const pastDeadline = defineRule<{ member: string; text: string }>({
  id: "value/past-deadline",
  severity: "warning",
  summary: "A deadline, or the end of what is valid, lies in the past",
  why: "How long something is valid, or when it is due, is added to the time of the setup or of the contact. Taken off it, everything that the workflow makes is overdue or has expired before anybody sees it.",
  guards: ["data_pipeline.target", "command.!jq"],
  message: ({ member, text }) => `\`${member}\` gets \`${text}\`, which is over already.`,
  because: ({ member }) => ["made on 15 March, for 14 days", `\`${member}\` is 1 March instead of 29 March`],
  help: () => "Add it to `now`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, valid_until: («now - 30 * 86400» | strftime(\\"%Y-%m-%d\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/vouchers", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, valid_until: (now + 30 * 86400 | strftime(\\"%Y-%m-%d\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/vouchers", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, valid_until: (now + 30 * 86400 | strftime(\\"%Y-%m-%d\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/vouchers", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    const [sign] = [...at.node.value.slice(at.from, at.to).matchAll(/\bnow(?: \| floor\))?\s*(-)/g)];
    if (sign === undefined) return [];
    const from = at.from + sign.index + sign[0].length - 1;
    return [
      { title: "Add it", safe: false, edits: [replaceInString(document, at.node, from, from + 1, "+")] },
    ];
  },
});

const module: RuleModule = {
  rules: [pastDeadline],
  checks: {
    // A comment may say that it is meant.
    reach: "saved",
    program(program, report, model) {
      // What a source writes may be over, and so may what is searched for before something is made.
      if (program.command.place.name !== "data_pipeline.target") return;
      if (!/\bnow\b[^,;{}]*-/.test(program.node.value)) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const member = nameOf(key);
        if (member === undefined || value === undefined || !isAhead(member)) continue;
        // Less than a day before now may be the end of a window.
        const least = !wordsOf(member).includes("until") ? 60 : program.holes.length > 0 ? 3_600 : 86_400;
        const past = waysOf(value, program)
          .map((way) => shiftedNow(way, program, "-", least))
          .find((each) => each !== undefined);
        if (past === undefined) continue;
        if (saysAround(isOver, program.command, model)) continue;
        const text = excerpt(textAt(past, program), 60);
        report(pastDeadline, { node: program.node, from: past.start, to: past.end }, { member, text });
      }
    },
  },
};
export default module;

/** Whether a name says that a time lies ahead when something is made: `due_on`, `expires_at`, `validUntil`. */
function isAhead(name: string): boolean {
  const words = wordsOf(name);
  // What was due or expired before a day is looked for, and a start may be earlier.
  if (words.some((word) => searched.has(word))) return false;
  return (
    words.some((word) => ahead.has(word)) ||
    (words.length > 1 &&
      /^(?:valid to|valid till|valid through|send at|send on|visit by|needed by)$/.test(words.join(" ")))
  );
}

/** `is ended by a time in the past`, `was due two weeks ago` */
const isOver = /\b(?:in the past|overdue|(?:was|were) due|expired|already over)\b/i;

const ahead: ReadonlySet<string> = new Set(
  "due duedate deadline expires expiry expiration until resume remind reminder planned scheduled".split(" "),
);
const searched: ReadonlySet<string> = new Set(
  "from since after before start started issued last overdue over seen paused busy not past".split(" "),
);
