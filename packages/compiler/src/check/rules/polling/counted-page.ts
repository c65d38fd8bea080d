import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { serviceOf } from "../../../flow/counted.ts";
import { documentedCounts } from "../../../flow/documented-counts.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const countedPage = defineRule<{ text: string; name: string }>({
  id: "polling/counted-page",
  severity: "warning",
  summary: "The place in a list is compared with the number of records on one page",
  why: "How far reading has come is compared with how many records there are. If that is the number on this page, the end is reached with the first page: what stands on the others is never read, and a watermark that moves then skips it for ever.",
  guards: ["polling.iterate", "polling.polling_state", "D3", "D33"],
  message: ({ text, name }) =>
    `\`${text}\` asks whether all was read, but a comment says that \`${name}\` counts this page alone.`,
  because: ({ name }) => [
    `the first page is full: \`${name}\` is its length`,
    "that many were read: it seems to be the end",
  ],
  help: () => "Compare with the number of all records.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"meta.total is of the whole list, count of this page."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params": '{"offset": "${polling_state.offset}", "limit": 50}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"(${polling_state.offset} + 50) as $next | («$next >= .meta.count») as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}"',
      good: '"(${polling_state.offset} + 50) as $next | ($next >= .meta.total) as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [countedPage],
  checks: {
    intake(intake, report, model) {
      const request = intake.commands.get("request");
      if (intake.type !== "polling" || request === undefined || !hasComments(model)) return;
      if (!isReadable(intake, model)) return;
      for (const command of allIn(request) ?? []) {
        const { program } = command;
        if (program === undefined || !/[<>]/.test(program.node.value)) continue;
        const names = namesOfPage(command, model);
        for (const comparison of names.size === 0 ? [] : nodesOfKind(program, "Comparison")) {
          const { operator, left, right } = comparison;
          if (!/^[<>]/.test(operator)) continue;
          const [counted, place] = names.has(readIn(right, program)) ? [right, left] : [left, right];
          const name = readIn(counted, program);
          if (!names.has(name) || stateDependence(program, [place]).keys.size === 0) continue;
          const text = excerpt(textAt(comparison, program), 50);
          report(countedPage, partAt(program, comparison), { text, name });
        }
      }
    },
  },
};
export default module;

/** What a comment says of the service's lists, at `pagination`, holds for those that an intake reads, too. */
function namesOfPage(command: Command, model: Model): ReadonlySet<string> {
  const service = serviceOf(model);
  const lists = service.flatMap((api) => {
    const pagination = api.get("pagination");
    return pagination?.kind === "object" ? [pagination] : [];
  });
  return documentedCounts(command.node, [...service, ...lists]).ofPage;
}

/** The name of a member that is read, by a variable or not. */
function readIn(node: Expression, program: JqProgram): string {
  const inner = bare(node);
  const source = inner.kind === "Variable" ? boundTo(program, inner) : undefined;
  return nameOfValue(bare(source ?? inner)) ?? "";
}
