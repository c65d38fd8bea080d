import { demandedPaths, type Expression, nearest, printType, type Type, types, walk } from "@configc/jq";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Command, JqProgram, Model, WorkflowSymbol } from "../../../bind/model.ts";
import { objectItems, textOf } from "../../../bind/model.ts";
import { flowOf, type TypeFlow } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { makersOf } from "../../../flow/makers.ts";
import { resultItems } from "../../../flow/outputs.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { defineRule } from "../../rule.ts";
import { didYouMean, excerpt, oneOfNames } from "../../words.ts";

const unknownSourceField = defineRule<{
  id: string;
  group: string | undefined;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "mapping/unknown-source-field",
  severity: "warning",
  summary: "A field that can be mapped and that `source` never gives",
  why: "The customer maps the fields of `describe_source` by their ids, and each is looked up in what `source` gives. A field that isn't in there carries nothing over, whatever the customer maps it to.",
  guards: ["map.describe_source", "option.id", "data_pipeline.source", "D37"],
  message: ({ id, group, suggestion }) =>
    `\`source\` never gives ${group === undefined ? "" : `the group \`${group}\` `}a field \`${id}\`.${didYouMean(suggestion)}`,
  help: ({ known }) => (known.length === 0 ? undefined : `It gives ${oneOfNames(known)}.`),
  fixes: ({ at, args: { suggestion } }) =>
    suggestion === undefined
      ? []
      : [
          {
            title: `Change to \`${suggestion}\``,
            safe: false,
            edits: [replaceValue(at as JsonNode, suggestion)],
          },
        ],
  examples: [
    {
      title: "D37",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": «"town"»}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
    },
    {
      title: "D37: misspelled",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '[{"title": "Email", "id": «"emial"»}, {"title": "Town", "id": "city"}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
      fixed: '[{"title": "Email", "id": "email"}, {"title": "Town", "id": "city"}]',
    },
  ],
});

const historyShape = defineRule<{ name: string; found: string; intake: string }>({
  id: "polling/history-shape",
  severity: "warning",
  summary: "Items of the historical poll lack what the pipeline reads of a webhook's payload",
  why: "Both the webhook and the historical poll feed the same `source`, so the items of `results` have to look like the webhook's payload. What they lack is null for every record that the import brings.",
  guards: ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"],
  message: ({ name, found, intake }) =>
    `\`source\` reads \`.${name}\`, and the items of \`results\` that \`${intake}\` gives have no such member: they are \`${found}\`.`,
  help: () => "Give the items of `results` the shape of the webhook's payload.",
  examples: [
    {
      title: "D34",
      in: "historical-sync",
      at: "/data_intake/1/request/!pipe/1/!jq",
      bad: '"{results: «[.orders[] | {mail: .customer.email, total}]», iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
      good: '"{results: [.orders[] | {customer: {email: .customer.email}, total}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownSourceField, historyShape],
  checks: {
    workflow(workflow, report, model) {
      const source = flowOf(model).commandAt(get(get(workflow.node, "data_pipeline"), "source"));
      if (source === undefined) return;
      checkOptions(workflow, source, report, model);
      checkHistory(workflow, source, report, model);
    },
  },
};
export default module;

function checkOptions({ maps }: WorkflowSymbol, source: Command, report: Report, model: Model): void {
  const [map] = maps;
  const options = get(get(map?.node, "describe_source"), "options");
  if (options?.kind !== "array" || maps.length > 1) return;
  const type = flowOf(model).output(source);
  for (const option of objectItems(options)) {
    const id = option.get("id");
    if (id?.kind !== "string" && id?.kind !== "number") continue;
    // Fixed values are offered at the wrong side: that is the finding.
    if (option.member("source_fields") !== undefined) continue;
    const group = textOf(option, "group");
    const known = closedNames(group === undefined ? type : memberOf(type, group));
    const name = `${id.value}`;
    if (known === undefined || known.includes(name)) continue;
    report(unknownSourceField, id, { id: name, group, known, suggestion: nearest(name, known) });
  }
}

/** The members that values of a type can have, if all are closed objects; `null` skips the item. */
function closedNames(type: Type): readonly string[] | undefined {
  const parts = types.partsOf(type).filter(({ kind }) => kind !== "null");
  const names = new Set<string>();
  for (const part of parts) {
    if (part.kind !== "object" || part.rest !== undefined) return undefined;
    for (const name of part.members.keys()) names.add(name);
  }
  return parts.length === 0 ? undefined : [...names];
}

function memberOf(type: Type, name: string): Type {
  return types.union(
    ...types.partsOf(type).map((part) => {
      if (part.kind !== "object") return part;
      return part.members.get(name)?.type ?? part.rest ?? types.never;
    }),
  );
}

function checkHistory(
  { intake, historicalIntake }: WorkflowSymbol,
  source: Command,
  report: Report,
  model: Model,
): void {
  const polling = historicalIntake?.target;
  const request = polling?.commands.get("request");
  if (request === undefined || polling?.type !== "polling" || intake?.target?.type !== "webhook") return;
  const flow = flowOf(model);
  const item = resultItems(request, flow);
  const known = closedNames(item);
  if (known === undefined) return;
  for (const { name, at } of payloadReads(source)) {
    if (known.includes(name)) continue;
    const found = excerpt(printType(types.widenLiterals(item), { depth: 2, members: 6 }), 120);
    const args = { name, found, intake: polling.name ?? "" };
    report(historyShape, resultsPlace(request, flow), args, [{ message: "read here", at }]);
  }
}

/** The members that the first programs of `source` read of the payload, and don't fall back from. */
function payloadReads(source: Command): { name: string; at: StringPart }[] {
  let at: Command | undefined = source;
  while (at?.key === "!pipe") at = at.children[0];
  const program = at?.key === "!jq" ? at.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return [];
  const reads = certainReads(program).map(({ name, start, end }) => ({
    name,
    at: { node: program.node, from: start, to: end },
  }));
  const seen = new Set<string>();
  return reads.filter(({ name }) => !seen.has(name) && seen.add(name));
}

const certainReads = derivedFromText((tree) => {
  // `.a // .b` reads the one where the other is absent, so either shape may be meant.
  const guarded: Expression[] = [];
  walk(tree, {
    enter(part) {
      if (part.kind === "Alternative" || part.kind === "If" || part.kind === "Try") guarded.push(part);
      return undefined;
    },
  });
  return demandedPaths(tree).flatMap(({ segments: [first], certain }) => {
    if (!certain || typeof first?.key !== "string") return [];
    if (guarded.some(({ start, end }) => start <= first.start && first.end <= end)) return [];
    return [{ name: first.key, start: first.start, end: first.end }];
  });
});

/** The expression that makes `results`, else the command's key. */
function resultsPlace(request: Command, flow: TypeFlow): StringPart | Command["member"]["key"] {
  for (const { program } of makersOf(request, flow)) {
    const value = program === undefined ? undefined : resultsValue(program);
    if (program !== undefined && value !== undefined)
      return { node: program.node, from: value.start, to: value.end };
  }
  return request.member.key;
}

function resultsValue(program: JqProgram): Expression | undefined {
  const made = finalObject(program);
  return made === undefined ? undefined : entryOf(made, "results")?.value;
}

function get(node: JsonNode | undefined, member: string): JsonNode | undefined {
  return node?.kind === "object" ? node.get(member) : undefined;
}
