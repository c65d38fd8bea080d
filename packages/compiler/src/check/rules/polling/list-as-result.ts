import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { readingOutcomes, resolved } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { wholeAlone } from "../../../flow/whole-alone.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const listAsResult = defineRule<{ text: string }>({
  id: "polling/list-as-result",
  severity: "warning",
  summary: "The records of a page become one result",
  why: "Each item of `results` goes to the pipeline by itself. Made of the list as a whole, `results` has one item for each page, which is no record: the pipeline finds nothing in it, or fails.",
  guards: ["polling.results", "polling.request", "D33"],
  message: ({ text }) =>
    `\`${text}\` has the records of a page, and \`results\` gets one item made of all of them.`,
  because: ({ text }) => [`\`${text}\`: r1, r2 and r3`, "`results` has one item instead of three"],
  help: ({ text }) => `Write \`${text}[]\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: [«.items» | {email: .email, name: .name, city: .city, address: .address}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
      good: '"{results: [.items[] | {email: .email, name: .name, city: .city, address: .address}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
      fixed:
        '"{results: [.items[] | {email: .email, name: .name, city: .city, address: .address}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
    },
  ],
  fixes: ({ at }, { document }) =>
    "from" in at ? [changeInString(document, at, `${at.node.value.slice(at.from, at.to)}[]`, false)] : [],
});

const module: RuleModule = {
  rules: [listAsResult],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { program, members } of readingOutcomes(intake, model)) {
        const results = resolved(members.get("results"), program);
        const iterate = members.get("iterate");
        // Without further pages it may be one record that is looked at.
        if (results === undefined || iterate === undefined || constantOf(iterate) === false) continue;
        const list = wholeAlone(results, true);
        if (list === undefined) continue;
        const at = { node: program.node, from: list.start, to: list.end };
        report(listAsResult, at, { text: excerpt(textAt(list, program)) });
      }
    },
  },
};
export default module;
