import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, countedBy, isExpression, partAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isOffsetParam } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { keptKey, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const numbersWithGaps = defineRule<{ key: string; param: string }>({
  id: "polling/numbers-with-gaps",
  severity: "warning",
  summary: "A number of the service is counted up, although its numbers have gaps",
  why: "Where numbers have gaps, 50 records take more than 50 numbers. A place that moves by how many records were read falls behind: records come again and again, and what is acknowledged is the wrong number.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, param }) =>
    `\`${key}\` goes up by how many records were read, but a comment says that the numbers have gaps. \`${param}\` needs the number of the last record.`,
  because: ({ param }) => [
    "a page has the records 3, 8 and 9",
    `\`${param}\` becomes 3 instead of 9, so 8 and 9 come again`,
  ],
  help: () => "Take the number of the last record that was read.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"seq only grows, with gaps."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {seq: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.seq}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .more, polling_state: {seq: («${polling_state.seq} + (.items | length)»)}}"',
      good: '"{results: .items, iterate: .more, polling_state: {seq: (.items[-1].seq // ${polling_state.seq})}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [numbersWithGaps],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model)) return;
      const said = saidOfGaps(intake);
      if (said === undefined || !isReadable(intake, model)) return;
      for (const read of askedBy(intake, model)?.reads ?? []) {
        const { key } = read;
        const param = paramOf(read);
        if (param === undefined || isOffsetParam(param) || /page/i.test(param)) continue;
        for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
          const value = keys.get(key);
          const counted =
            value === undefined
              ? undefined
              : waysOf(value, program).find((way) => isCountedUp(way, key, program));
          if (counted !== undefined)
            report(numbersWithGaps, partAt(program, counted), { key, param }, [
              { message: "the comment", at: said },
            ]);
        }
      }
    },
  },
};
export default module;

/** The comment by which the numbers of an intake's list have gaps. */
const saidOfGaps = ({ node }: IntakeSymbol): StringNode | undefined =>
  documentedClauses(node).find(({ text }) => gaps.test(text) && !without.test(text))?.comment;

const gaps =
  /\b(?:with|have|has|leave|leaves|are|be) (?:\w+ )?(?:gaps|holes)\b|\b(?:not|n't|never) (?:be |always )?(?:consecutive|contiguous|gapless|without (?:gaps|holes))\b/i;
const without =
  /(?<!not |n't )\b(?:without|no|never|free of) (?:\w+ )?(?:gaps?|holes?)\b|\b(?:not|n't|never) (?:\w+ )?(?:gaps|holes)\b/i;

/** `${polling_state.seq} + (.items | length)`: the key as it was and how many were read, or a fixed number more than one. */
function isCountedUp(node: Expression, key: string, program: JqProgram): boolean {
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    const isBound = node.stages.slice(0, -1).every(({ kind }) => kind === "Binding");
    return last !== undefined && isBound && isExpression(last) && isCountedUp(bare(last), key, program);
  }
  if (node.kind !== "Arithmetic" || node.rest.length !== 1 || node.rest[0]?.operator !== "+") return false;
  const sides = [node.first, node.rest[0].operand];
  return sides.some((side, at) => {
    const other = sides[1 - at]!;
    return keptKey(side, program) === key && isCount(other, program);
  });
}

function isCount(node: Expression, program: JqProgram): boolean {
  const inner = bare(node);
  if (inner.kind === "Variable") {
    const source = boundTo(program, inner);
    return source !== undefined && isCount(source, program);
  }
  const constant = constantOf(inner);
  return countedBy(inner) !== undefined || (typeof constant === "number" && constant > 1);
}
