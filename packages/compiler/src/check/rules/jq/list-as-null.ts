import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { asksForList, listsRecords } from "../../../flow/listed-records.ts";
import { isLookup } from "../../../flow/lookup.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { stageBefore } from "../../../flow/protocol/stage-before.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { conditionsIn } from "./text-as-condition.ts";

const listAsNull = defineRule<{ text: string; list: string; request: string; isWhole: boolean }>({
  id: "jq/list-as-null",
  severity: "warning",
  summary: "A list that was searched for is compared with null, but it is empty where nothing was found",
  why: "A search that finds nothing gives an empty list. That isn't null and counts as true, so the case for “nothing found” never runs, and the pipeline goes on with null instead of a record.",
  guards: ["D23", "command.!switch"],
  message: ({ text, list, isWhole }) =>
    `\`${list}\` is an empty list where nothing was found, so \`${text}\` ${isWhole ? "is always true" : "doesn't find that out"}.`,
  because: ({ list, request }) => [
    `\`${request}\` gives \`${list}\`, which the app reads as a list elsewhere`,
    "an empty list isn't null, and counts as true",
  ],
  help: ({ list }) => `Ask for \`(${list} | length) == 0\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["pipeline/nothing-found"],
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if «.people == null» then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/lists", "body": {"list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/lists", "body": {"list": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [listAsNull],
  checks: {
    // Another workflow may read the same list.
    document(model, report) {
      const conditions = conditionsInDocument(model);
      if (conditions.length === 0) return;
      const { lists, nulls } = namesIn(model);
      for (const { whole, list, isWhole, name, program } of conditions) {
        if (!lists.has(name) || nulls.has(name)) continue;
        const request = searchedBy(list, program, model);
        if (request === undefined) continue;
        const args = { text: textAt(whole, program), list: textAt(list, program), request, isWhole };
        report(listAsNull, partAt(program, whole), args);
      }
    },
  },
};
export default module;

interface Condition {
  readonly program: JqProgram;
  readonly whole: Expression;
  /** What is compared with null, or is all of the condition. */
  readonly list: Expression;
  readonly isWhole: boolean;
  /** The member that it reads. */
  readonly name: string;
}

const conditionsInDocument = derivedByPart(({ programs }) => programs.flatMap(conditionsOf));

function conditionsOf(program: JqProgram): readonly Condition[] {
  const { node, diagnostics, command } = program;
  // A poll may ask for null, just in case, without anything depending on it.
  if (!command.place.name.startsWith("data_pipeline.")) return [];
  if (diagnostics.length > 0 || !/\bnull\b|\bif\b|\bselect\b/.test(node.value)) return [];
  const compared = nodesOfKind(program, "Comparison").flatMap((each) =>
    /^[!=]=$/.test(each.operator) && constantOf(each.right) === null
      ? [{ whole: each as Expression, list: listBefore(each, program) ?? each.left, isWhole: false }]
      : [],
  );
  const whole = conditionsIn(program).map((each) => ({ whole: each, list: each, isWhole: true }));
  // `.people != null and .people != []` asks for both.
  const asked = [...node.value.matchAll(/\.(\w+)\s*(?:[!=]=\s*\[|\|\s*length)/g)];
  return [...compared, ...whole].flatMap((condition) => {
    const name = nameRead(condition.list, program);
    if (name === undefined || !/^\w+$/.test(name)) return [];
    const isAsked = asked.some(
      ({ 1: other, index }) => other === name && !isAskedTooLate(index, condition.whole, program),
    );
    return isAsked ? [] : [{ ...condition, name, program }];
  });
}

/** Whether a place is in an `elif` behind a condition: `if .rows then … elif (.rows | length) == 0 then …`. A list doesn't come so far. */
const isAskedTooLate = (at: number, whole: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "If").some(({ branches }) => {
    const own = branches.findIndex(({ condition }) => bare(condition) === bare(whole));
    return (
      own >= 0 && branches.slice(own + 1).some(({ condition }) => condition.start <= at && at < condition.end)
    );
  });

/** `.people` of `.people | . != null`. */
function listBefore({ left }: Comparison, program: JqProgram): Expression | undefined {
  const before = left.kind === "Identity" ? stageBefore(program).get(left) : undefined;
  return before?.kind === "Postfix" ? before : undefined;
}

/** The search whose list of records an expression is. */
function searchedBy(node: Expression, program: JqProgram, model: Model): string | undefined {
  const trails = trailsOf(flowOf(model), program, node);
  const [first] = trails;
  if (first?.origin.kind !== "response") return undefined;
  const isSearch = trails.every(({ origin }) => {
    const list = origin.kind === "response" ? origin.path.at(-1) : undefined;
    return (
      origin.kind === "response" &&
      list !== undefined &&
      (isLookup(origin.command)
        ? listsRecords({ list, command: origin.command }) !== undefined ||
          asksForList({ list, command: origin.command })
        : /^(?:nodes|edges)$/.test(list) && asksGraphql(origin.command))
    );
  });
  const path = textOf(first.origin.command.argument, "path") ?? textOf(first.origin.command.argument, "url");
  const method = textOf(first.origin.command.argument, "method") ?? "GET";
  return isSearch ? `${method.toUpperCase()} ${path}` : undefined;
}

/** Whether a request only asks, and changes nothing. */
const asksGraphql = (command: Command): boolean =>
  /^\s*(?:query\b|\{)/.test(graphqlQuery(command)?.value ?? "");

/** Members whose items a program reads, and those of which a program or a comment says that they may be null. */
const namesIn = derived(
  (model): { readonly lists: ReadonlySet<string>; readonly nulls: ReadonlySet<string> } => {
    const [lists, nulls] = [new Set<string>(), new Set<string>()];
    for (const { name, mayBeNull } of namesRead(model)) (mayBeNull ? nulls : lists).add(name);
    if (hasComments(model))
      for (const { value } of commentsBelow(model.document.root!))
        for (const [, name] of value.matchAll(
          /\b(\w+)"? ?(?:(?:is|are|:|may be|can be) null|(?:is|are) (?:left out|missing|absent|omitted|not there))/g,
        ))
          nulls.add(name!);
    return { lists, nulls };
  },
);

const namesRead = derivedByPart(({ programs }) =>
  programs.flatMap(({ node: { value } }) => [
    ...[...value.matchAll(/\.(\w+)(?:\[|\s*\|\s*(?:length|map|first|last|sort_by|max_by|min_by)\b)/g)].map(
      ([, name]) => ({ name: name!, mayBeNull: false }),
    ),
    ...[...value.matchAll(/\.(\w+)(?:\[\])?(?:\?|\s*\/\/)/g)].map(([, name]) => ({
      name: name!,
      mayBeNull: true,
    })),
  ]),
);
