import {
  demandedPaths,
  type Expression,
  type PathSegment,
  type Program,
  type Span,
  types,
  walk,
} from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { type Args, defineRule, type RuleExample } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { makersOf } from "../../../flow/makers.ts";
import { resultItems } from "../../../flow/outputs.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { type Difference, differenceAt } from "./history-difference.ts";

const guards = ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"];

const historicalExample = {
  in: "historical-sync",
  at: "/data_intake/1/request/!pipe/1/!jq",
} as const satisfies Partial<RuleExample>;

const historyShape = defineRule<Args & Difference & { readonly webhook: string; readonly intake: string }>({
  id: "polling/history-shape",
  severity: "warning",
  summary: "Items of the historical poll differ from what the pipeline reads of a webhook's payload",
  why: "Both the webhook and the historical poll feed the same `source`, so the items of `results` have to look like the webhook's payload. What they lack is null for every record that the import brings, and what is of another kind there fails, or carries the wrong value over.",
  guards,
  message: ({ path, missing, sent, found, seen, webhook, intake }) => {
    const items = `of \`results\` that \`${intake}\` gives`;
    if (missing === undefined)
      return `\`source\` reads \`${path}\`: the webhook \`${webhook}\` sends \`${sent}\` there, and the items ${items} have \`${found}\`.`;
    if (!seen)
      return `\`source\` reads \`${path}\`, and the items ${items} have no \`${missing}\`: they are \`${found}\`.`;
    return `\`source\` reads \`${path}\`. In the samples every payload of \`${webhook}\` has \`${missing}\`, and no item ${items} has it: they are \`${found}\`.`;
  },
  help: () => "Give the items of `results` the shape of the webhook's payload.",
  examples: [
    {
      ...historicalExample,
      title: "D34",
      bad: '"{results: «[.orders[] | {mail: .customer.email, total}]», iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
      good: '"{results: [.orders[] | {customer: {email: .customer.email}, total}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
    },
    {
      ...historicalExample,
      title: "D34: as samples show it",
      bad: '"{results: «.orders», iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
      good: '"{results: [.orders[] | {customer: {email: .contact.email}, total}], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
      samples: {
        payloads: [
          {
            name: "webhook-order-created.json",
            webhook: "order.created",
            payload: { customer: { email: "person@example.com" }, total: 5 },
          },
        ],
        responses: [
          {
            name: "get-orders.json",
            method: "GET",
            url: "/shops/1/orders",
            status: 200,
            body: { orders: [{ contact: { email: "person@example.com" }, total: 5 }], has_more: false },
          },
        ],
      },
    },
  ],
});

const module: RuleModule = {
  rules: [historyShape],
  checks: {
    workflow({ node, intake, historicalIntake }, report, model) {
      const webhook = intake?.target;
      const polling = historicalIntake?.target;
      const request = polling?.type === "polling" ? polling.commands.get("request") : undefined;
      if (request === undefined || polling === undefined || webhook?.type !== "webhook") return;
      const flow = flowOf(model);
      const item = resultItems(request, flow);
      if (item === types.unknown) return;
      const source = flow.commandAt(get(get(node, "data_pipeline"), "source"));
      const told = new Set<string>();
      const reads = source === undefined ? [] : [...payloadReads(source), ...expansionReads(source, model)];
      for (const { segments, converted, at } of reads) {
        const difference = differenceAt(segments, { model, webhook, request, item });
        if (difference === undefined || (difference.scalars && converted)) continue;
        if (told.has(difference.missing ?? difference.path)) continue;
        told.add(difference.missing ?? difference.path);
        report(
          historyShape,
          resultsPlace(request, flow),
          { ...difference, webhook: webhook.name ?? "", intake: polling.name ?? "" },
          [{ message: "read here", at }],
        );
      }
    },
  },
};
export default module;

interface PayloadRead {
  readonly segments: readonly PathSegment[];
  /** Whether the program asks for kinds, or converts them: then it expects several. */
  readonly converted: boolean;
  readonly at: StringPart;
}

/** What the first program of `source` reads of the payload in every run, and doesn't fall back from. */
function payloadReads(source: Command): PayloadRead[] {
  let at: Command | undefined = source;
  while (at?.key === "!pipe") at = at.children[0];
  const program = at?.key === "!jq" ? at.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return [];
  const { reads, converted } = certainReads(program);
  return reads.map(({ segments, start, end }) => ({
    segments,
    converted,
    at: { node: program.node, from: segments[0]?.start ?? start, to: segments.at(-1)?.end ?? end },
  }));
}

/** What expansions of `piped_content.0` read of it, in steps that run for every item. */
function expansionReads(source: Command, model: Model): PayloadRead[] {
  return model.expansions.flatMap((expansion): PayloadRead[] => {
    const { root, syntax, command, node } = expansion;
    const [, index, ...path] = syntax.path;
    const last = path.at(-1);
    if (root !== "piped_content" || index?.text !== "0" || last === undefined) return [];
    if (command === undefined || syntax.filters.length > 0 || !runsAlways(command, source)) return [];
    const segments = path.map(({ text, start, end }) => ({ key: text, start, end }));
    const at = { node, from: index.start, to: last.end };
    // In a text, numbers and texts look alike.
    if (command.program?.holes.includes(expansion) !== true) return [{ segments, converted: true, at }];
    const { guarded, converted } = partsOf(command.program);
    return isWithin(syntax, guarded) ? [] : [{ segments, converted, at }];
  });
}

/** Whether a command is a step of `source` itself, where index 0 is the payload. */
function runsAlways(command: Command, source: Command): boolean {
  return command === source ? command.key !== "!pipe" : command.parent === source && source.key === "!pipe";
}

const certainReads = derivedFromText((tree) => {
  const { guarded, converted } = partsOfTree(tree);
  const reads = demandedPaths(tree).filter(
    ({ segments: [first], certain }) => certain && first !== undefined && !isWithin(first, guarded),
  );
  return { reads, converted };
});

/** `.a // .b` reads the one where the other is absent, so either shape may be meant. */
function partsOfTree(tree: Program): { readonly guarded: readonly Span[]; readonly converted: boolean } {
  const guarded: Span[] = [];
  let converted = false;
  walk(tree, {
    enter(part) {
      if (part.kind === "Alternative" || part.kind === "If" || part.kind === "Try") guarded.push(part);
      if (part.kind === "Call") converted ||= conversions.has(part.name.text);
      if (part.kind === "Interpolation") converted = true;
      return undefined;
    },
  });
  return { guarded, converted };
}

const partsOf = derivedFromText(partsOfTree);

function isWithin(part: Span, others: readonly Span[]): boolean {
  return others.some(({ start, end }) => start <= part.start && part.end <= end);
}

const conversions: ReadonlySet<string> = new Set(["type", "tostring", "tonumber", "strings", "numbers"]);

/** The expression that makes `results`, else the command's key. */
function resultsPlace(request: Command, flow: TypeFlow): StringPart | Command["member"]["key"] {
  for (const { program } of makersOf(request, flow)) {
    const value = program === undefined ? undefined : resultsValue(program);
    if (program !== undefined && value !== undefined)
      return { node: program.node, from: value.start, to: value.end };
  }
  return request.member.key;
}

function resultsValue(program: NonNullable<Command["program"]>): Expression | undefined {
  const made = finalObject(program);
  return made === undefined ? undefined : entryOf(made, "results")?.value;
}

function get(node: JsonNode | undefined, member: string): JsonNode | undefined {
  return node?.kind === "object" ? node.get(member) : undefined;
}
