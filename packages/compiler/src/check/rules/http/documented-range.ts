import type { Command, FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedRange, documentedRange } from "../../../flow/documented-ranges.ts";
import { documentedSize } from "../../../flow/documented-sizes.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { isSizeParam } from "../../../flow/protocol/page-size.ts";
import {
  type JsonNode,
  type ObjectNode,
  objectItems,
  type StringNode,
  type SyntaxNode,
  textOf,
} from "../../../parse/syntax-tree.ts";
import { graphqlPageSizes, graphqlQuery } from "../../../samples/graphql.ts";
import type { Report, RuleModule } from "../../checks.ts";

const outOfRange = defineRule<{
  name: string;
  value: number;
  least: number | undefined;
  most: number | undefined;
}>({
  id: "http/documented-range",
  severity: "warning",
  summary: "A number lies outside the range that a comment gives",
  why: "A service refuses a number that is too great, or silently takes its own maximum instead. If a page is cut and the next one begins where a full page would have ended, the records between are never read.",
  guards: [
    "http.params",
    "http.body",
    "pagination.page_size",
    "pagination.limit",
    "field_option.value",
    "D3",
    "D22",
  ],
  message: ({ name, value, least, most }) =>
    `\`${name}\` is ${value}, but a comment says that it is ${least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `between ${least} and ${most}`}.`,
  because: ({ name, value, most }) => [
    `\`${name}=${value}\` is sent`,
    most !== undefined && value > most
      ? `the service refuses it, or gives ${most}`
      : "the service refuses it, or takes another number",
  ],
  help: ({ value, least, most }) =>
    most !== undefined && value > most ? `Send ${most} at most.` : `Send ${least} at least.`,
  examples: [
    {
      title: "The size of a page",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/0",
      bad: '{"_comment": "100 rows a page at most", "!http": {"path": "/lists", "params": {"limit": «500»}}}',
      good: '{"_comment": "100 rows a page at most", "!http": {"path": "/lists", "params": {"limit": 100}}}',
    },
    {
      title: "What is offered",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"_comment": "seats (1 to 4)", "!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}", "seats": "${custom_data.seats.value}"}}}',
      },
      bad: '{"label": "Seats", "id": "seats", "type": "dropdown", "options": [{"display": "Two", "value": "2"}, {"display": "Five", "value": «"5"»}]}',
      good: '{"label": "Seats", "id": "seats", "type": "dropdown", "options": [{"display": "Two", "value": "2"}, {"display": "Four", "value": "4"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [outOfRange],
  checks: {
    reach: "saved",
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
      if (!hasComments(model) || pagination?.kind !== "object" || style?.kind !== "object") return;
      for (const member of ["page_size", "limit"]) {
        const parameter = style.get(member);
        const name = textOf(parameter, "param");
        const value = parameter?.kind === "object" ? parameter.get("value") : undefined;
        if (name === undefined || value?.kind !== "number") continue;
        const comments = [...commentsBelow(pagination)];
        if (isToldAsSize(name, [...comments, ...commentsAround(node, [])], true)) continue;
        const range =
          documentedRange(name, true, comments, undefined) ??
          // What is said at the top of a request speaks of that.
          documentedRange(name, true, commentsAround(node, []), "/");
        check(name, value.value, range, value, report);
      }
    },
    command: {
      "!http"(command, report, model) {
        const { argument } = command;
        if (argument?.kind !== "object" || !hasComments(model)) return;
        const path = textOf(argument, "path") ?? textOf(argument, "url") ?? "";
        const numbers = numbersIn(argument);
        const query = graphqlQuery(command);
        const sizes = query === undefined ? [] : graphqlPageSizes(command, query);
        if (numbers.length + sizes.length === 0 && !/custom_data/.test(textIn(argument, model))) return;
        const comments = commentsAround(argument, []);
        if (comments.length === 0) return;
        for (const { name, value, node } of numbers) {
          const isSize = isSizeParam(name, model) || (path !== "" && usualSize.test(name));
          if (command.place.name.startsWith("intake.") && isToldAsSize(name, comments, false)) continue;
          check(name, value, documentedRange(name, isSize, comments, path), node, report);
        }
        for (const size of sizes)
          check("first", size, documentedRange("first", true, comments, path), query!, report);
        for (const { name, field } of choicesIn(command))
          checkOptions(name, field, documentedRange(name, false, comments, path), report);
      },
    },
    program(program, report, model) {
      if (!hasComments(model) || program.holes.length === 0 || program.command.unit?.kind !== "workflow")
        return;
      const chosen = program.holes.map((hole) => (hole.root === "custom_data" ? hole.fields[0] : undefined));
      if (chosen.every((field) => field === undefined)) return;
      for (const { key, value } of nodesOfKind(program, "Entry")) {
        const name = nameOf(key);
        if (name === undefined || value === undefined) continue;
        // `seats: (${custom_data.seats.value} | tonumber)`
        const inner = bare(value);
        const [first, ...rest] = inner.kind === "Pipeline" ? stagesOf(inner) : [inner];
        const hole = first === undefined ? undefined : bare(first);
        const isAsChosen = rest.every(
          (stage) => stage.kind === "Call" && /^to(?:number|string)$/.test(stage.name.text),
        );
        const field = hole?.kind === "Hole" && isAsChosen ? chosen[hole.hole] : undefined;
        if (
          field === undefined ||
          program.holes[(hole as { hole: number }).hole]!.syntax.path.at(-1)?.text !== "value"
        )
          continue;
        checkOptions(
          name,
          field,
          documentedRange(name, false, commentsAround(program.node, []), undefined),
          report,
        );
      }
    },
  },
};
export default module;

/** Whether `api/page-over-limit` reads what comments say of a page's size. */
const isToldAsSize = (name: string, comments: readonly StringNode[], isOfLists: boolean): boolean =>
  documentedSize(name, comments, { isOfLists }) !== undefined;

/** Names of a page's size that may be others elsewhere. */
const usualSize = /^(?:n|first|length|take|page_?length|page\[size\])$/i;

function check(
  name: string,
  value: number,
  range: DocumentedRange | undefined,
  at: SyntaxNode,
  report: Report,
): void {
  if (range === undefined) return;
  const { least, most, besides, comment } = range;
  if (besides.includes(value)) return;
  if ((most === undefined || value <= most) && (least === undefined || value >= least)) return;
  report(outOfRange, at, { name, value, least, most }, [{ message: "the comment", at: comment }]);
}

/** The options that a customer may choose of a field that is sent as it is. */
function checkOptions(
  name: string,
  { node }: FieldSymbol,
  range: DocumentedRange | undefined,
  report: Report,
): void {
  if (range === undefined) return;
  for (const option of objectItems(node.get("options"))) {
    const value = option.get("value");
    if (value?.kind === "number" || (value?.kind === "string" && /^\d+$/.test(value.value)))
      check(name, Number(value.value), range, value, report);
  }
}

interface SentNumber {
  readonly name: string;
  readonly value: number;
  readonly node: JsonNode;
}

/** The numbers that a request names in its parameters, its body and the query of its path. */
function numbersIn(argument: ObjectNode): readonly SentNumber[] {
  const path = argument.get("path") ?? argument.get("url");
  const query = path?.kind === "string" ? (path.value.split("?")[1] ?? "") : "";
  return [
    ...["params", "body"].flatMap((part) => {
      const members = argument.get(part);
      return members?.kind !== "object"
        ? []
        : members.members.flatMap(({ name, value: node }) =>
            node?.kind === "number" || (node?.kind === "string" && /^\d{1,9}$/.test(node.value))
              ? [{ name, value: Number(node.value), node }]
              : [],
          );
    }),
    ...[...query.matchAll(/(?:^|&)([\w[\]$]+)=(\d{1,9})(?=&|$)/g)].map(([, name, value]) => ({
      name: name!,
      value: Number(value),
      node: path!,
    })),
  ];
}

const textIn = ({ start, end }: ObjectNode, { document }: Model): string => document.text.slice(start, end);

/** The members of a request that are what a customer chose and nothing else. */
function choicesIn({
  argument,
  unit,
}: Command): readonly { readonly name: string; readonly field: FieldSymbol }[] {
  if (argument?.kind !== "object" || unit?.kind !== "workflow") return [];
  return ["params", "body"].flatMap((part) => {
    const members = argument.get(part);
    if (members?.kind !== "object") return [];
    return members.members.flatMap(({ name, value }) => {
      const [, id] =
        value?.kind === "string"
          ? (/^\s*\$[{<]\s*custom_data\.([^\s.|}>]+)\.value\s*[}>]\s*$/.exec(value.value) ?? [])
          : [];
      const field = id === undefined ? undefined : unit.fields.find((each) => each.id === id);
      return field === undefined ? [] : [{ name, field }];
    });
  });
}
