import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { documentedLast } from "../../../flow/protocol/documented-last.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { keepsKey, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const cursorOfEmptyPage = defineRule<{ key: string; text: string; isOfLast?: true }>({
  id: "polling/cursor-of-empty-page",
  severity: "warning",
  summary: "The place in a feed is lost after an empty page, by what a comment says",
  why: "Most cycles find nothing new. If the cursor of an empty page is null and replaces the old one, the next cycle reads the feed from its beginning, and old records overwrite newer ones.",
  guards: ["polling.polling_state", "polling.request", "D3", "D33"],
  message: ({ key, text, isOfLast }) =>
    isOfLast
      ? `A comment says that only the last page has \`${text}\`. On each one before it \`${key}\` is lost.`
      : `A comment says that \`${text}\` is null on an empty page, and then \`${key}\` is lost.`,
  because: ({ key, isOfLast }) =>
    isOfLast
      ? ["page 1 is read, and there is page 2", `\`${key}\` is null: page 2 is asked for without it`]
      : ["a cycle finds nothing new", `\`${key}\` is null: the next cycle begins at the beginning`],
  help: ({ key, text }) => `Write \`${text} // \${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/_comment": '"end is null if the page is empty."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {after: «.page.end»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {after: (.page.end // ${polling_state.after})}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [cursorOfEmptyPage],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      // An import of what was before has no next cycle.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      if (sent.size === 0) return;
      for (const write of writesIn(intake, "request", model) ?? [])
        for (const [key, value] of write.keys) {
          if (!sent.has(key)) continue;
          const { program } = write;
          const own = bare(value);
          const at = { node: program.node, from: value.start, to: value.end };
          if (
            own.kind === "Postfix" &&
            mayGoOn(write) &&
            documentedLast(program.command.node, model).has(lastName(own) ?? "")
          ) {
            report(cursorOfEmptyPage, at, { key, text: textAt(own, program), isOfLast: true });
            continue;
          }
          if (own.kind !== "Postfix" || !outlivesCycle(intake, key, model)) continue;
          const comment = commentsOver(program.command, model).find(({ value: text }) =>
            nullWhereEmpty(text, lastName(own) ?? ""),
          );
          if (comment === undefined || remembers.test(comment.value)) continue;
          report(cursorOfEmptyPage, at, { key, text: textAt(own, program) }, [
            { message: "the comment", at: comment },
          ]);
        }
    },
  },
};
export default module;

/** A service that knows how far was read goes on there when it is asked for no place. */
const remembers =
  /\bwithout\b[^.;]{0,40}\b(?:goes on|continues|resumes|carries on)\b[^.;]{0,20}\b(?:where|behind|after)\b|\bthe service (?:remembers|knows|keeps)\b[^.;]{0,30}\b(?:place|where|how far)\b/i;

/** Whether no other command sets a key anew before the next cycle. */
const outlivesCycle = (intake: IntakeSymbol, key: string, model: Model): boolean =>
  ["pre_poll", "post_poll"].every((name) =>
    (writesIn(intake, name, model) ?? [undefined]).every(
      (write) => write !== undefined && keepsKey(write, key),
    ),
  );

/** `endCursor is null when the page is empty`, `null if the page is empty`, `an empty page has no cursor`. */
function nullWhereEmpty(comment: string, name: string): boolean {
  if (name === "" || !comment.includes("empty")) return false;
  return comment
    .split(/(?<=[.;])\s|[,;] /)
    .some(
      (sentence) =>
        new RegExp(`(?<!\\w|\\b(?:the|an?) )${escapedPattern(name)}(?!\\w| of\\b)`, "i").test(sentence) &&
        /\bempty\b/.test(sentence) &&
        /\bnull\b|\b(?:no|without an?) /.test(sentence),
    );
}
