import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import { isPlural } from "../../../flow/nouns.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { listRequestOf } from "../../../flow/protocol/list-request.ts";
import { outcomesOf } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { pluralOf } from "../style/singular.ts";
import { type PayloadRead, readsOfPayload } from "./payload-reads.ts";

const historyEnvelope = defineRule<{ read: string; list: string; webhook: string }>({
  id: "polling/history-envelope",
  severity: "warning",
  summary: "A historical poll gives bare records, but the webhook sends them wrapped",
  why: "A webhook often sends a record inside an event: `{event, ticket: {…}}`. The historical poll lists the records themselves. Both go through the same `source`, so what it reads from the event is null for every imported record.",
  guards: ["polling.results", "workflow.historical_data_intake", "data_pipeline.source", "D34"],
  message: ({ read, list, webhook }) =>
    `\`source\` reads \`.${read}\` from what \`${webhook}\` sends, but an item of \`${list}\` is ${isIdName(read) ? "the record, which has its own id under another name" : "that record itself"}.`,
  because: ({ read }) => [
    `a delivery: \`.${read}\` is ${isIdName(read) ? "the record's id" : "the record"}`,
    `an imported item: \`.${read}\` and everything below it is null`,
  ],
  help: ({ read, list }) =>
    isOwnRecord(read)
      ? `Give them as the webhook does: \`[${list}[] | ${wrapped(read)}]\`.`
      : `Give each item the members that the webhook's payload has, \`${read}\` among them.`,
  examples: [
    {
      title: "D34",
      in: "historical-sync",
      at: "/data_intake/1/request/!pipe/1/!jq",
      with: {
        "/workflows/0/data_pipeline/source": '{"!jq": "{email: .order.customer.email, total: .order.total}"}',
      },
      bad: '"{results: «.orders», iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: [.orders[] | {order: .}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      fixed:
        '"{results: [.orders[] | {order: .}], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
    },
  ],
  fixes: ({ at, args: { read, list } }, { document }) =>
    isOwnRecord(read)
      ? [
          {
            title: isIdName(read) ? `Give the id as \`${read}\`` : `Wrap each item as \`${read}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: `[${list}[] | ${wrapped(read)}]` }],
          },
        ]
      : [],
});

/** Whether a member is the record or its id: others are made of more than the record. */
const isOwnRecord = (read: string): boolean => read !== "included" && read !== "payload";

const wrapped = (read: string): string => `{${read}: ${isIdName(read) ? ".id" : "."}}`;

const module: RuleModule = {
  rules: [historyEnvelope],
  checks: {
    workflow({ node, intake, historicalIntake }, report, model) {
      const polling = historicalIntake?.target;
      const request = polling?.type === "polling" ? polling.commands.get("request") : undefined;
      const pipeline = node.get("data_pipeline");
      const source =
        pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get("source")) : undefined;
      if (request === undefined || source === undefined || intake?.target?.type !== "webhook") return;
      const reads = readsOfPayload(source, model);
      for (const { program, members } of outcomesOf(request, model) ?? []) {
        const list = bareList(members.get("results"), program);
        const kind =
          list === undefined || polling === undefined ? undefined : kindBeside(list, polling, model);
        const read = reads.find(
          ({ segments }) =>
            list !== undefined &&
            !list.added.has(`${segments[0]?.key}`) &&
            (isAround(segments, list.name) ||
              // Under a name that any list may have, only a part of the record says that the record is meant.
              (kind !== undefined &&
                segments.length > 1 &&
                !isIdName(`${segments[0]?.key}`) &&
                isAround(segments, kind))),
        );
        if (list === undefined || read === undefined) continue;
        const { node: results } = list;
        report(
          historyEnvelope,
          { node: program.node, from: results.start, to: results.end },
          { read: `${read.segments[0]?.key}`, list: list.text, webhook: intake.target.name ?? "" },
          [{ message: "read here", at: read.at }],
        );
      }
    },
  },
};
export default module;

/** `.tickets` as it is, by the name of its last member; also where some of it are chosen. */
function bareList(results: Expression | undefined, program: JqProgram) {
  const at = listIn(resolved(results, program), program);
  const suffixes = at?.suffixes.filter(({ kind }) => kind !== "Iterate" && kind !== "Optional");
  if (at === undefined || suffixes?.every(({ kind }) => kind === "Field") !== true) return undefined;
  const last = suffixes.at(-1);
  const [above, name] = [suffixes.at(-2), last].map((suffix) =>
    suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined,
  );
  const end = last?.end ?? at.end;
  if (name === undefined || results === undefined) return undefined;
  const added = new Set(nodesIn(results).flatMap((node) => (node.kind === "Object" ? namesIn(node) : [])));
  return { name, above, added, node: results, text: program.node.value.slice(at.start, end).trim() };
}

/** What a list that is called by no kind of record has: by the member around it, `.stays.nodes`, or by the path, `GET /stays`. */
function kindBeside(
  { name, above }: { readonly name: string; readonly above: string | undefined },
  polling: IntakeSymbol,
  model: Model,
): string | undefined {
  if (!/^(?:data|items|results|records|rows|entries|nodes|edges|values|elements|hits|list|body)$/i.test(name))
    return undefined;
  if (above !== undefined && isPlural(above)) return above;
  const path = listRequestOf(polling, model)?.path.replace(/[?#].*$/, "");
  return path?.split("/").findLast((segment) => segment !== "");
}

/** `.tickets` of `[.tickets[] | select(.open)]` and of `.tickets // []`: what gives its records as they are. */
function listIn(
  node: Expression | undefined,
  program: JqProgram,
): Extract<Expression, { kind: "Postfix" }> | undefined {
  switch (node?.kind) {
    case "Group":
      return listIn(node.body, program);
    case "Postfix":
      return node;
    case "Alternative":
      return listIn(node.operands[0], program);
    case "Array":
      return listIn(node.body, program);
    case "Pipeline": {
      const [first, ...others] = stagesOf(node);
      return others.every(chooses) ? listIn(first, program) : undefined;
    }
    default:
      return undefined;
  }
}

const namesIn = ({ entries }: Extract<Expression, { kind: "Object" }>): readonly string[] =>
  entries.flatMap(({ key }) => (key.kind === "Name" ? [key.text] : []));

/** `select(…)`, `map(select(…))`, and `. + {…}`, which leaves a record what it is. */
function chooses(stage: Expression): boolean {
  if (stage.kind === "Group") return chooses(stage.body);
  if (stage.kind === "Arithmetic") {
    const operands = [stage.first, ...stage.rest.map(({ operand }) => operand)];
    return (
      stage.rest.every(({ operator }) => operator === "+" || operator === "*") &&
      operands.some(({ kind }) => kind === "Identity") &&
      operands.every(({ kind }) => kind === "Identity" || kind === "Object")
    );
  }
  if (stage.kind !== "Call") return false;
  if (
    stage.name.text === "select" ||
    stage.name.text === "reverse" ||
    stage.name.text === "del" ||
    stage.name.text === "sort_by"
  )
    return true;
  const [argument] = stage.arguments;
  return stage.name.text === "map" && argument !== undefined && chooses(argument);
}

/**
 * Whether an item of a list certainly is no object with such a member: the record's own name, its id by that name, or the document
 * around a record that itself is in the list `data`.
 */
function isAround([first, second]: PayloadRead["segments"], list: string): boolean {
  const name = first?.key;
  if (typeof name !== "string") return false;
  const plural = pluralOf(name) ?? `${name}s`;
  if (plural === list) return true;
  const record = /^(.+)_(?:id|uuid)$/.exec(name)?.[1];
  if (record !== undefined) return (pluralOf(record) ?? `${record}s`) === list;
  if (name === "payload") return second !== undefined;
  return list === "data" && (name === "included" || (name === "data" && second !== undefined));
}
