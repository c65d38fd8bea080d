import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { bare, countedBy, isExpression, isLength, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isOffsetParam } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf, type RequestRead } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaidPosition } from "./said-of-parameter.ts";

const numbersWithGaps = defineRule<{ key: string; param: string; member?: string }>({
  id: "polling/numbers-with-gaps",
  severity: "warning",
  summary: "The number of the last record is counted up instead of being taken from it",
  why: "Ids and most other numbers have gaps: others have some, or a filter leaves some out. So 50 records take more than 50 numbers. A place that moves by how many records were read falls behind: records come again and again, and what is acknowledged is the wrong number.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, param, member }) =>
    member === undefined
      ? `\`${key}\` goes up by how many records were read, but a comment says that the numbers have gaps. \`${param}\` needs the number of the last record.`
      : `\`${key}\` goes up by how many records were read, but by its name it is the \`${member}\` of a record: \`${param}\` needs that of the last one.`,
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
    {
      title: "The id of the last record",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after_id: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after_id": "${polling_state.after_id}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .more, polling_state: {after_id: («${polling_state.after_id} + 50»)}}"',
      good: '"{results: .items, iterate: .more, polling_state: {after_id: (.items[-1].id // ${polling_state.after_id})}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [numbersWithGaps],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !counts.test(textOf(intake, model))) return;
      if (!isReadable(intake, model)) return;
      const said = hasComments(model) ? saidOfGaps(intake) : undefined;
      for (const read of askedBy(intake, model)?.reads ?? []) {
        const { key } = read;
        const param = paramOf(read);
        if (param === undefined || isOffsetParam(param) || /page/i.test(param)) continue;
        const member = said === undefined ? memberAfter(read, param, intake, model) : undefined;
        if (said === undefined && member === undefined) continue;
        if (hasComments(model) && isSaidPosition([param, key], read.command.node)) continue;
        for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
          const value = keys.get(key);
          const counted =
            value === undefined
              ? undefined
              : waysOf(value, program).find((way) => isCountedUp(way, key, program));
          if (counted === undefined) continue;
          const related = said === undefined ? [] : [{ message: "the comment", at: said }];
          report(
            numbersWithGaps,
            partAt(program, counted),
            member === undefined ? { key, param } : { key, param, member },
            related,
          );
        }
      }
    },
  },
};
export default module;

/** Something is added up. */
const counts = /\+|\badd\b/;

const textOf = ({ node }: IntakeSymbol, { document }: Model): string =>
  document.text.slice(node.start, node.end);

/**
 * The member of the last record that a parameter or its key is by its name: `id` of `after_id`, and `seq` of `last_seq`, where the intake shows
 * that its records have that and no comment says that their numbers have no gaps.
 */
function memberAfter(
  { key, command }: RequestRead,
  param: string,
  intake: IntakeSymbol,
  model: Model,
): string | undefined {
  const words = [...wordsOf(param), ...wordsOf(key)];
  if (!words.some((word) => behind.has(word)) || words.some((word) => word === "offset" || word === "count"))
    return undefined;
  const params = command.argument?.kind === "object" ? command.argument.get("params") : undefined;
  const sent = params?.kind === "object" ? params.members : [];
  // With both ends, numbers are gone through in ranges.
  if (sent.some(({ name }) => boundName(name)?.end === "upper")) return undefined;
  const comments = hasComments(model) ? commentsBelow(intake.node) : [];
  if (comments.some(({ value }) => gapless.test(value))) return undefined;
  if (words.includes("id")) return "id";
  const number = words.find((word) => numbers.has(word));
  if (number === undefined) return undefined;
  const isShown = new RegExp(`(?<![\\w.$-])${number}(?![\\w-])`);
  const isSorted = sent.some(({ value }) => value?.kind === "string" && value.value === number);
  return isSorted || comments.some(({ value }) => isShown.test(value)) ? number : undefined;
}

const behind: ReadonlySet<string> = new Set(
  "after since gt gte last from greater above seen behind".split(" "),
);
const numbers: ReadonlySet<string> = new Set("seq sequence no nr number num serial".split(" "));
const gapless =
  /\b(?:without|no|never|free of) (?:\w+ )?(?:gaps?|holes?)\b|\bgap(?:less|-free)\b|(?<!not |n't |never )\b(?:consecutive|contiguous)|\bone by one\b/i;

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
    const own = last !== undefined && isExpression(last) ? bare(last) : undefined;
    const isBound = node.stages.slice(0, -1).every(({ kind }) => kind === "Binding");
    // `.items | length + ${polling_state.seq}`
    return own !== undefined && (isBound ? isCountedUp(own, key, program) : isSum(own, key, program, true));
  }
  // `reduce .items[] as $item (${polling_state.seq}; . + 1)`
  if (node.kind === "Reduce")
    return (
      keptKey(bare(node.initial), program) === key && /^\. ?\+ ?1$/.test(textAt(bare(node.update), program))
    );
  return isSum(node, key, program);
}

function isSum(node: Expression, key: string, program: JqProgram, isBehindList = false): boolean {
  if (node.kind !== "Arithmetic" || node.rest.length !== 1 || node.rest[0]?.operator !== "+") return false;
  const sides = [node.first, node.rest[0].operand];
  return sides.some((side, at) => {
    const other = sides[1 - at]!;
    return keptKey(bare(side), program) === key && (isBehindList ? isLength(other) : isCount(other, program));
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
