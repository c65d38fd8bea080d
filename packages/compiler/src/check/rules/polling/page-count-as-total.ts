import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedCounts } from "../../../flow/documented-counts.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, isLength, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";

const pageCountAsTotal = defineRule<{ text: string; total: string | undefined }>({
  id: "polling/page-count-as-total",
  severity: "warning",
  summary: "What was read so far is compared with the number of records on one page",
  why: "A comment says that the member counts the records of the page, not those of the list. After the first page as many have been read, so the cycle ends there: all further pages are never fetched.",
  guards: ["polling.request", "polling.iterate", "D3", "D33"],
  message: ({ text }) =>
    `A comment says that \`${text}\` counts the records of one page. Here what was read so far is compared with it.`,
  because: ({ text }) => [`page 1 of 4: \`${text}\` is 50`, "50 have been read: the rest is never fetched"],
  help: ({ total }) =>
    total === undefined ? "Compare it with the number of all records." : `Compare it with \`${total}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"Lists have total (of the whole list) and count (of this page)."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"limit": 50, "offset": "${polling_state.offset}"}',
      },
      bad: '"(${polling_state.offset} + 50) as $next | {results: .items, iterate: ($next < «.meta.count»), polling_state: {offset: (if $next < .meta.count then $next else 0 end)}}"',
      good: '"(${polling_state.offset} + 50) as $next | {results: .items, iterate: ($next < .meta.total), polling_state: {offset: (if $next < .meta.total then $next else 0 end)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [pageCountAsTotal],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { unit, place, node } = program.command;
      if (unit?.kind !== "intake" || place.name !== "intake.request" || !hasComments(model)) return;
      if (program.diagnostics.length > 0 || !/[<>]/.test(program.node.value)) return;
      const near = documentedCounts(node);
      const { ofPage, ofAll } =
        near.ofPage.size > 0 || model.api === undefined ? near : documentedCounts(model.api.node);
      if (ofPage.size === 0) return;
      for (const { operator, left, right } of nodesOfKind(program, "Comparison")) {
        if (operator === "==" || operator === "!=") continue;
        const [read, other] = nameOf(left, ofPage) === undefined ? [right, left] : [left, right];
        if (nameOf(read, ofPage) === undefined || !isSum(other, program)) continue;
        const [total] = ofAll;
        return report(pageCountAsTotal, partAt(program, read), {
          text: textAt(read, program),
          total: total && `.${total}`,
        });
      }
    },
  },
};
export default module;

/** `.meta.count`, where that is one of the names. */
function nameOf(given: Expression, names: ReadonlySet<string>): string | undefined {
  const node = bare(given);
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name !== undefined && names.has(name) ? name : undefined;
}

/** Whether a value is a place in the list: something that is kept, and more. The length of a page alone is none. */
function isSum(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source !== undefined && isSum(source, program);
  }
  if (constantOf(node) !== undefined || isLength(node)) return false;
  const holes = nodesIn(node).filter((each) => each.kind === "Hole");
  return (
    (node.kind === "Hole" || node.kind === "Arithmetic") &&
    holes.some((hole) => program.holes[hole.hole]?.root === "polling_state") &&
    !/page/i.test(textAt(node, program))
  );
}
