import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lastName, onlyOutcome, pagesName, resolved, writtenAs } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const reversedPosition = defineRule<{ text: string; instead: string }>({
  id: "polling/reversed-comparison",
  severity: "warning",
  summary: "`iterate` is true only after the last page",
  why: "A page is never behind the last one while there is something to read, so a comparison the wrong way round is false at once: the cycle ends after its first page, and everything behind it never arrives.",
  guards: ["polling.iterate", "D33"],
  message: ({ text }) =>
    `\`${text}\` is false as long as there are more pages, so only the first one is read.`,
  because: ({ text }) => [`page 1 of 3: \`${text}\` is false`, "page 2 is never asked for"],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: («${polling_state.page} > .total_pages»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: (${polling_state.page} < .total_pages), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      fixed:
        '"{results: .items, iterate: (${polling_state.page} < .total_pages), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Change to \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
    },
  ],
});

const module: RuleModule = {
  rules: [reversedPosition],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const found = reversedIn(intake, model);
      if (found === undefined) return;
      const { node, program, operator } = found;
      const text = writtenAs(node, program);
      const instead = `${writtenAs(node.left, program)} ${operator} ${writtenAs(node.right, program)}`;
      report(reversedPosition, { node: program.node, from: node.start, to: node.end }, { text, instead });
    },
  },
};
export default module;

type Comparison = Extract<Expression, { kind: "Comparison" }>;

/** A total, of pages or of what is counted by an offset. */
const isTotalName = (name: string): boolean =>
  pagesName.test(name) || /^total(?:_?(?:count|items|results|records|elements))?$/i.test(name);

const isPositionName = (name: string): boolean =>
  /^(?:(?:current|this)_?)?page(?:_?(?:number|no|index))?$|^(?:offset|skip|start_?(?:at|index))$/i.test(name);

function reversedIn(
  intake: IntakeSymbol,
  model: Model,
): { readonly node: Comparison; readonly program: JqProgram; readonly operator: string } | undefined {
  const outcome = onlyOutcome(intake, model);
  const node = outcome === undefined ? undefined : resolved(outcome.members.get("iterate"), outcome.program);
  if (outcome === undefined || node?.kind !== "Comparison") return undefined;
  const { program } = outcome;
  const { operator, left, right } = node;
  if (/^>=?$/.test(operator) && isPosition(left, program) && isTotal(right))
    return { node, program, operator: "<" };
  if (/^<=?$/.test(operator) && isTotal(left) && isPosition(right, program))
    return { node, program, operator: ">" };
  return undefined;
}

function isTotal(node: Expression): boolean {
  const name = lastName(node);
  return name !== undefined && isTotalName(name);
}

/** The page that was read, or how far the offset has come: `${polling_state.offset} + 100`. */
function isPosition(node: Expression, program: JqProgram): boolean {
  if (node.kind === "Group") return isPosition(node.body, program);
  if (node.kind === "Arithmetic")
    return node.rest.every(({ operator }) => operator === "+") && isPosition(node.first, program);
  const name = lastName(node);
  const [key, ...others] = stateDependence(program, [node]).keys;
  if (key !== undefined) return others.length === 0 && isPositionName(key);
  return name !== undefined && isPositionName(name);
}
