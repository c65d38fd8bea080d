import { type Expression, type Node, types } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { isSizeParam } from "../../../flow/protocol/page-size.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const countAsIndex = defineRule<{ text: string; cases: number }>({
  id: "command/count-as-index",
  severity: "hint",
  summary: "A number of records is used as the index of a case",
  why: "The cases of a `!switch` are counted from 0, and there are only so many. A search that finds more records than there are cases fails, and one that finds few takes a case by chance.",
  guards: ["command.!switch", "D26"],
  message: ({ text, cases }) =>
    `\`${text}\` counts records, but only 0 to ${cases - 1} are cases of this \`!switch\`.`,
  because: ({ text, cases }) => [`\`${text}\` is ${cases}`, "there is no such case: the step fails"],
  help: ({ text }) => `Ask whether there are any: \`if ${text} == 0 then 0 else 1 end\`.`,
  examples: [
    {
      title: "D26",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "«.people | length»", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Known."}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Known."}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [countAsIndex],
  checks: {
    command: {
      "!switch"(command, report, model) {
        const { program, children } = command;
        const before = requestBefore(command);
        if (program === undefined || program.diagnostics.length > 0 || children.length === 0) return;
        const body = plainBody(program);
        const last = body.kind === "Pipeline" ? stagesOf(body).at(-1) : body;
        const isLength = last?.kind === "Call" && last.name.text === "length";
        const name = nameOfValue(body);
        if (!isLength && !(name !== undefined && isCount(name))) return;
        // Where no more are asked for or looked at than there are cases, the number is one of them.
        if (
          nodesIn(body).some(({ kind }) => kind === "Slice") ||
          asksForFewer(before, children.length, model) ||
          mostOf(body, program, model) < children.length
        )
          return;
        const text = excerpt(program.node.value.slice(body.start, body.end), 40);
        const at = { node: program.node, from: body.start, to: body.end };
        report(countAsIndex, at, { text, cases: children.length });
      },
    },
  },
};
export default module;

/**
 * How many a written list has at most: `["${custom_data.car.value | default}" | select(. != "")] | length`,
 * `[.payer_id, .driver_id] | map(values) | unique | length`.
 */
function mostOf(body: Expression, program: JqProgram, model: Model): number {
  const stages = body.kind === "Pipeline" ? stagesOf(body).slice(0, -1) : [];
  const at = stages.findLastIndex((stage) => bare(stage).kind === "Array");
  const list = at < 0 ? undefined : bare(stages[at]!);
  if (list?.kind !== "Array" || list.body === undefined) return Number.POSITIVE_INFINITY;
  const holes = flowOf(model).holes(program);
  const isSingle = (node: Expression): boolean => {
    const part = { ...program, tree: { ...program.tree, body: node } };
    const { cardinality } = inferNodes(part, types.unknown, holes);
    return cardinality === "one" || cardinality === "maybe";
  };
  const keeps = (stage: Expression): boolean => {
    const call = bare(stage);
    if (call.kind !== "Call") return false;
    if (call.name.text === "map") return call.arguments.length === 1 && isSingle(call.arguments[0]!);
    return /^(?:unique|sort)(?:_by)?$|^reverse$/.test(call.name.text);
  };
  const inner = bare(list.body);
  const items = inner.kind === "Comma" ? inner.items : [inner];
  return items.every(isSingle) && stages.slice(at + 1).every(keeps) ? items.length : Number.POSITIVE_INFINITY;
}

const isCount = (name: string): boolean =>
  /^(?:count|total|hits|total_?(?:count|items|results|hits|records))$|(?:_c|C)ount$/.test(name);

/** The request whose records are counted, by way of programs that pick what they want of them. */
function requestBefore(command: Command): Command | undefined {
  let before = stepBefore(command);
  while (before?.key === "!jq" && isOneEach(before)) before = stepBefore(before);
  return before;
}

/** Whether a program's lists have no more items than those that it reads: `{found: [.people[]?.id], wanted: …}`. */
function isOneEach({ program }: Command): boolean {
  if (program === undefined || program.diagnostics.length > 0) return false;
  // Several ones for each item, or the items of each, may be more.
  return nodesOfKind(program, "Array").every(({ body }) => {
    const nodes = body === undefined ? [] : nodesIn(body);
    const streams = nodes.reduce((sum, node) => sum + streamsOf(node), 0);
    return !nodes.some(({ kind }) => kind === "Comma") && streams <= 1;
  });
}

/** How many times a node gives several values of one. */
function streamsOf(node: Node): number {
  if (node.kind === "Postfix") return node.suffixes.filter(({ kind }) => kind === "Iterate").length;
  const isStream =
    node.kind === "Call" &&
    /^(?:range|splits|scan|match|recurse|limit|repeat|while|until)$/.test(node.name.text);
  return isStream ? 1 : 0;
}

/** Whether a request asks for fewer records than there are cases. */
function asksForFewer(request: Command | undefined, cases: number, model: Model): boolean {
  const { argument } = request ?? {};
  return ["params", "body"].some((part) => {
    const given = argument?.kind === "object" ? argument.get(part) : undefined;
    const members = given?.kind === "object" ? given.members : [];
    return members.some(({ name, value }) => {
      const size = value?.kind === "number" || value?.kind === "string" ? Number(value.value) : Number.NaN;
      return isSizeParam(name, model) && size < cases;
    });
  });
}
