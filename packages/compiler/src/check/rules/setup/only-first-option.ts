import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { firstAlone } from "../../../flow/first-alone.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const onlyFirstOption = defineRule<{ text: string; all: string | undefined }>({
  id: "setup/only-first-option",
  severity: "warning",
  summary: "Of a list from the API, only one record is offered to choose",
  why: "Customers choose among what the options give. Made from the first record alone, there is nothing to choose: whoever needs another list or branch can't set up the workflow.",
  guards: ["field.options", "field_option.value", "option.id"],
  message: ({ text }) => `The options are made from \`${text}\` alone, so customers see one option.`,
  because: ({ text }) => ["the API lists “Berlin”, “Paris” and “Rome”", `\`${text}\`: only one of the three`],
  help: ({ all }) => (all === undefined ? "Go through the whole list." : `Write \`${all}\`.`),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[«.items[0]» | {display: .name, value: .id}]"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[.items[] | {display: .name, value: .id}]"',
    },
  ],
  fixes: ({ at, args: { all } }, { document }) =>
    all === undefined || !("from" in at)
      ? []
      : [
          {
            title: "Offer all of them",
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.to, all)],
          },
        ],
});

const module: RuleModule = {
  rules: [onlyFirstOption],
  checks: {
    field({ node }, report, model) {
      tell(node.get("options"), ["display", "value"], report, model);
    },
    map({ node }, report, model) {
      for (const side of ["describe_source", "describe_target"]) {
        const described = node.get(side);
        if (described?.kind === "object") tell(described.get("options"), ["title", "id"], report, model);
      }
    },
  },
};
export default module;

function tell(
  options: JsonNode | undefined,
  members: readonly [string, string],
  report: Report,
  model: Model,
): void {
  if (options?.kind !== "object") return;
  const command = flowOf(model).plainAt(options);
  for (const { key, program } of command === undefined ? [] : resultsOf(command))
    if (key === "!jq" && program !== undefined) tellProgram(program, members, report);
}

function tellProgram(program: JqProgram, members: readonly [string, string], report: Report): void {
  if (program.diagnostics.length > 0 || !/\[\s*-?[01]\s*\]|first|last/.test(program.node.value)) return;
  for (const list of listsGiven(program)) {
    const first = firstAlone(list);
    if (first === undefined || !makesOption(list, members) || isNamed(list, members[0])) continue;
    if (commentsAround(program.node, []).some(({ value }) => ofOne.test(value))) continue;
    const text = textAt(first, program);
    const all = /^(.+)\[-?\d\]$/.exec(text)?.[1];
    report(
      onlyFirstOption,
      { node: program.node, from: first.start, to: first.end },
      { text: excerpt(text), all: all === undefined ? undefined : `${all}[]` },
    );
  }
}

/** `Each account has one list`, `the newest season comes first` */
const ofOne =
  /\b(?:has|have|is|gives?|with|only) (?:just |only |exactly )?one\b|\bsingle\b|\b(?:newest|latest|current|default)\b/i;

/** “Newest list”: what the program calls it itself says which one is meant. */
const isNamed = (list: Expression, shown: string): boolean =>
  nodesIn(list).some((node) => {
    const value = node.kind === "Object" ? entryOf(node, shown)?.value : undefined;
    return value !== undefined && typeof constantOf(value) === "string";
  });

/** The lists of which one is what a program gives: it may be sorted or filtered behind it. */
function listsGiven(program: JqProgram): readonly Expression[] {
  const found: Expression[] = [];
  const pending: Expression[] = [plainBody(program)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    node = bare(node);
    if (node.kind === "Array") found.push(node);
    else if (node.kind === "If")
      pending.push(
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      );
    else if (node.kind === "Pipeline") {
      const last = node.stages.findLastIndex((stage) => stage.kind !== "Call");
      const stage = node.stages[last];
      if (stage !== undefined && isExpression(stage)) pending.push(stage);
    }
  }
  return found;
}

const makesOption = (list: Expression, [shown, kept]: readonly [string, string]): boolean =>
  nodesIn(list).some(
    (node) =>
      node.kind === "Object" && entryOf(node, shown) !== undefined && entryOf(node, kept) !== undefined,
  );
