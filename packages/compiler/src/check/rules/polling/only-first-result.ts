import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { firstAlone } from "../../../flow/first-alone.ts";
import { textAt } from "../../../flow/nodes.ts";
import { readingOutcomes, resolved } from "../../../flow/protocol/forms.ts";
import { requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const onlyFirstResult = defineRule<{ text: string; all: string | undefined }>({
  id: "polling/only-first-result",
  severity: "warning",
  summary: "Of each page only one record becomes a result",
  why: "Each item of `results` goes to the pipeline. Made from the first record of the page alone, all others of the page are passed over, and the next request asks for what comes after them.",
  guards: ["polling.results", "polling.request", "D33"],
  message: ({ text }) => `\`results\` has \`${text}\` alone, and the request goes on to the next page.`,
  because: ({ text }) => [
    "a page has r1, r2 and r3",
    `\`${text}\`: one of them goes to the pipeline`,
    "the next request asks for what comes after r3",
  ],
  help: ({ all }) => (all === undefined ? "Return all records of the page." : `Write \`${all}\`.`),
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: [«.items[0]» | select(.email != null)], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
      fixed:
        '"{results: [.items[] | select(.email != null)], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
    },
  ],
  fixes: ({ at, args: { all } }, { document }) =>
    all === undefined || !("from" in at)
      ? []
      : [
          {
            title: "Return all of them",
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.to, all)],
          },
        ],
});

const module: RuleModule = {
  rules: [onlyFirstResult],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { program, members } of readingOutcomes(intake, model)) {
        const results = resolved(members.get("results"), program);
        const first = results === undefined ? undefined : firstAlone(results);
        const iterate = members.get("iterate");
        if (first === undefined || iterate === undefined || constantOf(iterate) === false) continue;
        const text = textAt(first, program);
        // A queue may be read one by one: then the page has one, or the state goes on from that one.
        if (requestedPageSize(intake, model) === 1 || timesRead(text, program) > 1) continue;
        const all = /^(.+)\[-?\d\]$/.exec(text)?.[1];
        report(
          onlyFirstResult,
          { node: program.node, from: first.start, to: first.end },
          { text: excerpt(text), all: all === undefined ? undefined : `${all}[]` },
        );
      }
    },
  },
};
export default module;

const timesRead = (text: string, program: JqProgram): number => program.node.value.split(text).length - 1;
