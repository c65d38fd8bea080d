import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, isExpression, isLength, partAt, textAt } from "../../../flow/nodes.ts";
import { onlyOutcome, resolved } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { isOfThePast } from "../../../flow/said/of-others.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { keptOf } from "./cursor-source.ts";

const shortPage = defineRule<{ text: string; key: string }>({
  id: "polling/short-page",
  severity: "warning",
  summary: "Reading ends with a page that isn't full, although a comment says that pages may be short",
  why: "Some services fill a page only in part and give a token for the next one. What stands behind a short page is never read if only full pages lead on.",
  guards: ["polling.iterate", "polling.request", "D3", "D33"],
  message: ({ text, key }) =>
    `\`${text}\` ends the list with the first page that isn't full. A comment says that pages may be short, and each answer gives the next \`${key}\`.`,
  because: ({ key }) => [
    `page 1 has 40 of 200 records, and the next \`${key}\``,
    "`iterate` is false: page 2 is never requested",
  ],
  help: ({ key }) => `Ask whether the answer gives a next \`${key}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"Pages may be short; only next says whether there is more."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"cursor": "${polling_state.cursor}", "page_size": 200}',
      },
      bad: '"{results: .items, iterate: («.items | length == 200»), polling_state: {cursor: .next}}"',
      good: '"{results: .items, iterate: (.next != null), polling_state: {cursor: .next}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [shortPage],
  checks: {
    // The comments around an intake count.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model) || !isReadable(intake, model)) return;
      const asked = fullPageAsked(intake, model);
      if (asked === undefined) return;
      const key = keptOf(intake, model).find(({ way, program }) => isOfAnswer(way, program))?.key;
      const clause = key === undefined ? undefined : saidShort(intake);
      if (key === undefined || clause === undefined) return;
      const { program, value } = asked;
      const text = excerpt(textAt(value, program), 40);
      report(shortPage, partAt(program, value), { text, key }, [
        { message: "the comment", at: clause.comment },
      ]);
    },
  },
};
export default module;

/** `iterate` where it asks for nothing but whether a page has as many records as were asked for. */
function fullPageAsked(
  intake: IntakeSymbol,
  model: Model,
): { readonly program: JqProgram; readonly value: Expression } | undefined {
  const outcome = onlyOutcome(intake, model);
  const value = outcome === undefined ? undefined : resolved(outcome.members.get("iterate"), outcome.program);
  if (outcome === undefined || value === undefined) return undefined;
  const { program } = outcome;
  return isFullPage(value, program) ? { program, value } : undefined;
}

/** `(.items | length) == 200`, `.items | length >= 200`, `$count == 200` */
function isFullPage(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const [list, last, ...others] = node.stages;
    return list !== undefined && last !== undefined && isExpression(last) && others.length === 0
      ? isFullPage(last, program)
      : false;
  }
  if (node.kind !== "Comparison" || !/^(?:==|>=|>)$/.test(node.operator)) return false;
  const size = constantOf(bare(node.right));
  const counted = resolved(node.left, program);
  return counted !== undefined && isLength(counted) && typeof size === "number" && size > 1;
}

/** A member of the answer itself that leads on: no number, and nothing of a record. */
function isOfAnswer(way: Expression, program: JqProgram): boolean {
  const node = resolved(way, program);
  return (
    node?.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    node.suffixes.every(({ kind }) => kind === "Field") &&
    /next|cursor|token|continu|marker|bookmark/i.test(textAt(node, program))
  );
}

/** What is said of short pages, in a comment of the intake. */
const saidShort = ({ commands, node }: IntakeSymbol): DocumentedClause | undefined =>
  documentedClauses(commands.get("request")?.node ?? node).find(
    ({ text }) =>
      saysShort.test(text) &&
      !isOfThePast(text) &&
      !/\b(?:never|not|n't|only the last)\b.{0,20}\bshort/i.test(text),
  );

const saysShort =
  /\b(?:pages?|answers?|batch(?:es)?|parts?) (?:may|can|might|could|is sometimes|are sometimes|sometimes)\b[^.;]{0,20}\b(?:short(?:er)?|smaller|fewer|less|incomplete|not full|empty|half empty)\b|\ba (?:short|smaller|half empty) (?:page|answer|batch|one) (?:is(?:n't| not)|does(?:n't| not)|needn't|says nothing|means nothing)\b|\bonly ["'`]?[\w.]{1,40}["'`]? (?:says|tells|shows|knows|decides) (?:whether|if|that)\b[^.;]{0,30}\b(?:more|further|next|another|end)\b/i;
