import { type Expression, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, defines, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { paginated } from "../api/parser-programs.ts";

const neverList = defineRule<{ text: string; otherwise: string }>({
  id: "response/never-list",
  severity: "warning",
  summary: "A program asks whether a response is a list, and gives a constant if not",
  why: "`!http` always gives an object: a list that the API sends is its member `body`. So the branch for a list never runs, and whatever the API sends, the program gives the same.",
  guards: ["D20", "command.!http"],
  message: ({ text, otherwise }) =>
    `A response is never a list itself, so \`${text}\` never tells one, and the program always gives \`${otherwise}\`.`,
  because: ({ otherwise }) => [
    "the API sends `[1, 2]`: the response is `{body: [1, 2]}`",
    `an object: \`${otherwise}\``,
  ],
  help: () => 'Ask it of `.body`: `.body | if type == "array" then …`.',
  examples: [
    {
      title: "D20: of a page",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "«if type == \\"array\\" and length > 0 then 100 else 0 end»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".body | if type == \\"array\\" and length > 0 then 100 else 0 end"}}}',
      fixed:
        '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".body | if type == \\"array\\" and length > 0 then 100 else 0 end"}}}',
    },
    {
      title: "D20: of the step before",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"«if type == \\"array\\" then map({display: .name, value: .id}) else [] end»"',
      good: '".body | if type == \\"array\\" then map({display: .name, value: .id}) else [] end"',
      fixed: '".body | if type == \\"array\\" then map({display: .name, value: .id}) else [] end"',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    return [
      {
        title: "Ask it of `.body`",
        safe: false,
        edits: [replaceInString(document, at.node, at.from, at.from, ".body | ")],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [neverList],
  checks: {
    program(program, report, model) {
      const found = neverAList(program, model);
      if (found === undefined) return;
      const { node } = program;
      const { choice, condition, given } = found;
      report(
        neverList,
        { node, from: choice.start, to: choice.end },
        { text: textAt(condition, program), otherwise: textAt(given, program) },
      );
    },
  },
};
export default module;

/** Where a program asks whether a response is a list, and gives a constant if not. */
export function neverAList(program: JqProgram, model: Model) {
  const { node, command, diagnostics } = program;
  if (diagnostics.length > 0 || !node.value.includes('"array"') || !/\btype\b/.test(node.value))
    return undefined;
  const isOfPage = command.place.input === "response" && command.parent === undefined;
  if (!isOfPage && stepBefore(command)?.key !== "!http") return undefined;
  const body = plainBody(program);
  const first = body.kind === "Pipeline" ? stagesOf(body)[0] : body;
  const choice = first === undefined ? undefined : bare(first);
  if (choice?.kind !== "If" || choice.branches.length !== 1 || defines(program, "type")) return undefined;
  const [{ condition, body: then }] = choice.branches as [(typeof choice.branches)[number]];
  const asked = isListAsked(condition);
  const given = asked === true ? choice.otherwise : asked === false ? then : undefined;
  if (given === undefined || !isConstant(given)) return undefined;
  const input = types.partsOf(flowOf(model).programInput(program));
  return input.length > 0 && input.every(({ kind }) => kind === "object")
    ? { choice, condition, given }
    : undefined;
}

/** Whether a condition on the input holds only for a list, or only for what is none; undefined where it asks something else. */
function isListAsked(condition: Expression): boolean | undefined {
  const node = bare(condition);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.some((operand) => isListAsked(operand) === true) ? true : undefined;
  if (node.kind === "Logical")
    return node.operands.some((operand) => isListAsked(operand) === false) ? false : undefined;
  if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!=")) return undefined;
  const asked = bare(node.left);
  const isType = asked.kind === "Call" && asked.name.text === "type";
  return isType && constantOf(node.right) === "array" ? node.operator === "==" : undefined;
}

/** `0`, `[]`, `null`, `empty`: whatever the API sends, nothing of it is there. */
function isConstant(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Call") return node.name.text === "empty" && node.arguments.length === 0;
  if (node.kind === "Array") return node.body === undefined;
  return constantOf(node) !== undefined;
}
