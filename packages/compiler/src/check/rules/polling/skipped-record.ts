import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule, type Related } from "../../../findings/rule.ts";
import { boundSaid } from "../../../flow/documented-bounds.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { bare, nodesIn, partAt, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { RuleModule } from "../../checks.ts";
import { sentKeys } from "./cut-places.ts";

const skippedRecord = defineRule<{ param: string; text: string; step: number; isSaid: boolean }>({
  id: "polling/skipped-record",
  severity: "warning",
  summary: "A number is added to the last record's place, and the bound leaves that out by itself",
  why: "A bound that is exclusive begins behind what it is given. One more than the last id that was read is the next record's, so of each page the first record is left out.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ param, text, step, isSaid }) =>
    isSaid
      ? `A comment says that the list begins above \`${param}\`. \`${text}\` adds ${step}, so a record that has exactly that is never read.`
      : `\`${param}\` asks for what is behind it. \`${text}\` adds ${step}, so a record that has exactly that is never read.`,
  because: ({ param, step }) => [
    "the last record of page 1 is number 100",
    `page 2 is asked for with \`${param}\` ${100 + step} and begins with ${101 + step}: ${100 + step} is left out`,
  ],
  help: ({ step }) => `Leave out \`+ ${step}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after_id": "${polling_state.after}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {after: ((«.items | last | .id + 1») // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {after: ((.items | last | .id) // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [skippedRecord],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { key, param } of sentKeys(intake, model))
        for (const { command, from, member, node, program } of watermarksOf(intake, key, model) ?? []) {
          if (command !== "request" || member === undefined || (from !== "last" && from !== "greatest"))
            continue;
          const step = stepIn(node);
          const said = step === undefined ? undefined : saidOf(param, key, intake, model);
          if (step === undefined || said?.end === "inclusive") continue;
          // Of times that are called so, many are inclusive.
          if (said === undefined && !(isCounted(member) && wordsOf(param).includes("after"))) continue;
          const read = bare(node);
          const args = { param, text: textAt(read, program), step, isSaid: said !== undefined };
          report(skippedRecord, partAt(program, read), args, said === undefined ? [] : [said.related]);
        }
    },
  },
};
export default module;

/** What counts records: an id, or a number that rises from one to the next. */
const isCounted = (member: string): boolean =>
  isIdName(member) ||
  /(?:^|_)(?:no|nr|num|number|seq|sequence|position|offset|version|revision)$/i.test(member);

/** 1 of `.items | last | .id + 1`. */
function stepIn(node: Expression): number | undefined {
  const steps = nodesIn(node).flatMap((each) => {
    const [one, ...others] = each.kind === "Arithmetic" ? each.rest : [];
    const step = one?.operator === "+" && others.length === 0 ? constantOf(one.operand) : undefined;
    return typeof step === "number" && step > 0 ? [step] : [];
  });
  return steps.length === 1 ? steps[0] : undefined;
}

/** Whether a comment says that a bound takes in what lies on it. */
function saidOf(
  param: string,
  key: string,
  intake: IntakeSymbol,
  model: Model,
): { readonly end: "inclusive" | "exclusive"; readonly related: Related } | undefined {
  const request = intake.commands.get("request");
  if (request === undefined || !hasComments(model)) return undefined;
  for (const { text, comment } of documentedClauses(request.node))
    for (const name of new Set([param, key])) {
      const end = boundSaid(text, name);
      if (end !== undefined) return { end, related: { message: "the comment", at: comment } };
    }
  return undefined;
}
