import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { sizeAsked } from "../../../flow/protocol/asked-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { outcomesOf } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const pageSize = defineRule<{ compared: number; param: string; size: number; never: boolean }>({
  id: "polling/page-size",
  severity: "warning",
  summary: "`iterate` compares the page's length with a number other than the page size",
  why: "Where the API doesn't say whether there is more, a full page is the sign of it. If the number in `iterate` isn't the size that the request asks for, a full page is taken for the last one, and everything behind it never arrives.",
  guards: ["polling.iterate", "D33"],
  message: ({ compared, param, size, never }) =>
    never
      ? `No page has more than ${size} items, as \`${param}\` asks for, so this is never true: only the first page is read.`
      : `The request asks for ${size} items a page (\`${param}\`), and this looks for ${compared}: a full page is taken for the last one.`,
  because: ({ compared, size, never }) => [
    never ? `a full page has ${size} items` : `page 1 has ${size} items, and ${compared} are looked for`,
    "`iterate` is false, and page 2 is never asked for",
  ],
  help: ({ size }) => `Compare with ${size}: \`length == ${size}\`.`,
  examples: [
    {
      title: "Another size",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "per_page": 200}}}, {"!jq": "{results: .items, iterate: (.items | «length == 100»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "per_page": 200}}}, {"!jq": "{results: .items, iterate: (.items | length == 200), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]',
    },
    {
      title: "More than fit on a page",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "limit": "50"}}}, {"!jq": "{results: .items, iterate: (.items | «length > 50»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page": "${polling_state.page}", "limit": "50"}}}, {"!jq": "{results: .items, iterate: (.items | length >= 50), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [pageSize],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = sizeAsked(intake, model);
      const compared = asked === undefined ? undefined : comparison(intake, model);
      if (asked === undefined || compared === undefined) return;
      const { operator, limit, node, program } = compared;
      const never = (operator === ">" && limit >= asked.size) || limit > asked.size;
      const tooSmall = operator === "==" && limit < asked.size;
      if (!never && !tooSmall) return;
      const at = { node: program.node, from: node.start, to: node.end };
      report(pageSize, at, { compared: limit, param: asked.param, size: asked.size, never }, [
        { message: "asked for here", at: asked.at },
      ]);
    },
  },
};
export default module;

interface PageComparison {
  readonly operator: "==" | ">=" | ">";
  readonly limit: number;
  readonly node: Expression;
  readonly program: JqProgram;
}

/** `iterate: (LIST | length == N)`, with the list that is given as `results`. */
function comparison(intake: IntakeSymbol, model: Model): PageComparison | undefined {
  const request = intake.commands.get("request");
  const [outcome, ...others] = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  if (outcome === undefined || others.length > 0) return undefined;
  const { program, members } = outcome;
  const [list, node] = lengthComparison(ungrouped(members.get("iterate")), program) ?? [];
  if (node === undefined || node.kind !== "Comparison") return undefined;
  if (!isMadeOf(members.get("results"), list ?? "", program)) return undefined;
  const limit = constantOf(node.right);
  const { operator } = node;
  if (typeof limit !== "number" || (operator !== "==" && operator !== ">=" && operator !== ">"))
    return undefined;
  return { operator, limit, node, program };
}

/** Whether a list is another one, or has an item for each of its items: `[.items[] | …]`, `.items | map(…)`. */
function isMadeOf(results: Expression | undefined, list: string, program: JqProgram): boolean {
  const text = textOf(results, program);
  if (text === list) return true;
  return list !== "" && (text.startsWith(`[${list}[]`) || text.startsWith(`${list} | map(`));
}

function lengthComparison(
  node: Expression | undefined,
  program: JqProgram,
): readonly [string, Expression] | undefined {
  if (node?.kind === "Pipeline" && node.stages.length === 2) {
    const [list, last] = node.stages as [Expression, Expression];
    if (last.kind === "Comparison" && isLength(last.left)) return [textOf(list, program), last];
  }
  const left = node?.kind === "Comparison" ? ungrouped(node.left) : undefined;
  if (node?.kind === "Comparison" && left?.kind === "Pipeline" && left.stages.length === 2) {
    const [list, last] = left.stages as [Expression, Expression];
    if (isLength(last)) return [textOf(list, program), node];
  }
  return undefined;
}

function isLength(node: Expression): boolean {
  return node.kind === "Call" && node.name.text === "length" && node.arguments.length === 0;
}

function ungrouped(node: Expression | undefined): Expression | undefined {
  let at = node;
  while (at?.kind === "Group") at = at.body;
  return at;
}

function textOf(node: Expression | undefined, { node: { value } }: JqProgram): string {
  const inner = ungrouped(node);
  return inner === undefined ? "" : value.slice(inner.start, inner.end).trim();
}
