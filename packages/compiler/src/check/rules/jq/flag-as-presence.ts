import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const flagAsPresence = defineRule<{ text: string; name: string; is: boolean }>({
  id: "jq/flag-as-presence",
  severity: "warning",
  summary: "A condition asks whether a flag is there, and not whether it is true",
  why: "A comment shows a member that is true or false. It is there in both cases, so a comparison with null gives the same for every record: what was done before is done again, or nothing is done at all.",
  guards: ["command.!jq", "command.!switch", "D3", "D23"],
  message: ({ text, name, is }) =>
    `A comment says that \`${name}\` is true or false. \`${text}\` is ${is ? "true" : "false"} for both.`,
  because: ({ name, text, is }) => [
    `\`${name}\` is true: \`${text}\` is ${is}`,
    `\`${name}\` is false: \`${text}\` is ${is}, too`,
  ],
  help: ({ name, is }) => `Ask for the flag itself: \`.${name}${is ? "" : " | not"}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/bills/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name | default}"}}}, {"_comment": "is_new is false for a bill that was there.", "!switch": {"jq": "if «.is_new != null» then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/bills/${piped_content.1.id}/dispatch"}}, {"!jq": "."}]}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/bills/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name | default}"}}}, {"_comment": "is_new is false for a bill that was there.", "!switch": {"jq": "if .is_new then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/bills/${piped_content.1.id}/dispatch"}}, {"!jq": "."}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [flagAsPresence],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { command, node } = program;
      if (!mayAsk.test(node.value) || !hasComments(model) || program.diagnostics.length > 0) return;
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = comparison;
        if ((operator !== "==" && operator !== "!=") || constantOf(right) !== null) continue;
        const name = nameRead(left, program);
        // Who asks for it in other ways as well knows what it is.
        if (name === undefined || timesIn(node.value, name) > 1) continue;
        const comment = commentsOver(command, model).find(({ value }) => isShownAsFlag(name, value));
        // `is_new is true for a new bill; for others it is left out.`
        if (comment === undefined || isLeftOut.test(comment.value)) continue;
        if (documentedNulls(node, intakesAround(command.unit)).has(name)) continue;
        const text = excerpt(textAt(comparison, program), 50);
        report(flagAsPresence, partAt(program, comparison), { text, name, is: operator === "!=" }, [
          { message: "the comment", at: comment },
        ]);
      }
    },
  },
};
export default module;

/** A comparison with null, of a name that asks a question: `.is_new != null`. */
const mayAsk = /\b(?:is|has|was|are|can)(?:_[a-z]|[A-Z])\w*[^\w=!|]{0,3}\s*[!=]=\s*null\b/;

const isFlagName = (name: string): boolean => /^(?:is|has|was|are|can)(?:_[a-z]|[A-Z])/.test(name);

/** The name of the flag that is read as it is. */
function nameRead(node: Expression, program: JqProgram): string | undefined {
  const read = bare(node);
  const hole = read.kind === "Hole" ? program.holes[read.hole] : undefined;
  const isStep = hole?.root === "piped_content" && hole.syntax.filters.length === 0;
  const name =
    read.kind === "Postfix" ? nameOfValue(read) : isStep ? hole.syntax.path.at(-1)?.text : undefined;
  return name !== undefined && isFlagName(name) ? name : undefined;
}

const timesIn = (text: string, name: string): number =>
  text.split(new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`)).length - 1;

/** `is_new is false for …`, `gives is_new false`, `"is_new": true`, or a member of a record that is shown: `{id, is_new}`. */
const isShownAsFlag = (name: string, comment: string): boolean =>
  comment.includes(name) &&
  new RegExp(
    `(?<![\\w-])${escapedPattern(name)}["\`]?(?:\\s*[:=]|\\s+is|\\s+may be|\\s+stays)?\\s+(?:true|false)\\b|[{,]\\s*"?${escapedPattern(name)}"?\\s*(?:,\\s*\\w+\\s*){0,20}\\}`,
  ).test(comment);

const isLeftOut =
  /\b(?:left out|missing|absent|omitted|not there|not sent)\b|\bonly (?:those|these|they|then)\b|\b(?:otherwise|else) there is none\b/i;
