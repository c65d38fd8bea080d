import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { anyDay, type DocumentedDate, documentedDate } from "../../../flow/documented-dates.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { formatSlips } from "../jq/dates.ts";
import { writersOf } from "./date-writers.ts";
import { mayRead } from "./time-forms.ts";

const documentedDateRule = defineRule<{ name: string; format: string; shown: string; isAll: boolean }>({
  id: "value/documented-date",
  severity: "warning",
  summary: "A day is sent in another form than a comment shows",
  why: "A service that reads 31.12.2026 refuses 2026-12-31, or takes it for another day, or leaves the filter out. The requests succeed as long as nobody looks at the records.",
  guards: ["command.!jq", "D23"],
  message: ({ name, format, shown, isAll }) =>
    `A comment shows ${isAll ? "days" : `\`${name}\``} as \`${shown}\`, but \`${name}\` is written with \`${format}\`.`,
  because: ({ format, shown }) => [
    `the service writes a day as \`${shown}\``,
    `\`${format}\` writes another form`,
  ],
  help: () => "Write it in the form that the comment shows, or correct the comment.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/data_pipeline/_comment": '"Days are written 31.12.2026."' },
      bad: '{"!pipe": [{"!jq": "{email: .email, booked_on: (now | «strftime(\\"%F\\")»)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/visits", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, booked_on: (now | strftime(\\"%d.%m.%Y\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/visits", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedDateRule],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || program.diagnostics.length > 0 || !isSent(program)) return;
      if (!/strftime/.test(program.node.value)) return;
      const { unit } = program.command;
      const below = unit?.kind === "intake" ? [...commentsBelow(unit.node)] : [];
      const comments = [...commentsOver(program.command, model), ...below];
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const name = nameOf(key);
          if (name === undefined || value === undefined) continue;
          for (const call of writersOf(value)) {
            const format = constantOf(call.arguments[0]!);
            if (typeof format !== "string" || !isDay.test(format) || formatSlips(format).length > 0) continue;
            const own = documentedDate(name, comments);
            const said = own ?? documentedDate(anyDay, comments);
            // What people see, or may be written in either form, says nothing of what is sent.
            if (own === undefined && said !== undefined && ofPeople.test(said.comment.value)) continue;
            if (said === undefined || mayRead(said.sample, format) || isOtherOrder(said, format)) continue;
            report(
              documentedDateRule,
              partAt(program, call),
              { name, format, shown: said.shown, isAll: own === undefined },
              [{ message: "the comment", at: said.comment }],
            );
          }
        }
    },
  },
};
export default module;

/** Whether only day and month are exchanged, which `jq/other-date-order` tells where a comment says the order in letters. */
const isOtherOrder = ({ shown, sample }: DocumentedDate, format: string): boolean =>
  /D/i.test(shown) &&
  mayRead(
    sample.replace(/31|12/g, (part) => (part === "31" ? "12" : "31")),
    format,
  );

const ofPeople = /\b(?:website|on (?:the )?screen|people see|customers see|both forms|either form|ISO)\b/i;

/** A day and nothing of a clock. */
const isDay = /^(?:%[YmdFye]|[./ -])+$/;

/** What goes to the service: contacts get days as the platform writes them. */
const isSent = ({ command: { place } }: JqProgram): boolean =>
  place.name === "data_pipeline.target" ||
  /^intake\.(?:initial_setup|pre_poll|request|post_poll|create|update)$/.test(place.name);
