import { nearest } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type MemberRead, memberReads } from "../../../flow/member-reads.ts";
import { inputTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import type { ValuePath } from "../../../flow/value-path.ts";
import { type StringPart, spanOf } from "../../../parse/document.ts";
import { graphqlQuery, graphqlSelection, type Selection } from "../../../samples/graphql.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { asksGraphql } from "./graphql-requests.ts";

type Args = {
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly selected: readonly string[];
  /** Another case of a `!switch` has a query that selects it. */
  readonly inCase: boolean;
};

const unselected = defineRule<Args>({
  id: "http/graphql-unselected",
  severity: "warning",
  summary: "A program reads a field that the GraphQL query doesn't select",
  why: "A GraphQL server answers with the fields that the query selects, and with no others. What a program reads beside them is always null, so `//` always takes the other value, and a condition always goes one way.",
  guards: ["command.!http", "command.!jq", "D20"],
  message: ({ name, selected, inCase }) =>
    inCase
      ? `One case's query answers with ${allNames(selected)} and not with \`${name}\`, which is null then.`
      : `The query doesn't select \`${name}\` here, so it is always null.`,
  because: ({ name, selected, inCase }) => [
    `${inCase ? "the query of one case" : "the query"} selects ${allNames(selected)}`,
    `the answer has no \`${name}\``,
  ],
  help: ({ name, suggestion }) =>
    suggestion === undefined
      ? `Select \`${name}\` in the query, or read a field that it selects.`
      : `Did you mean \`${suggestion}\`?`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query { lists { id title } }"}}}, {"!jq": "[.data.lists[] | {display: («.name» // \\"?\\"), value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query { lists { id title } }"}}}, {"!jq": "[.data.lists[] | {display: (.title // \\"?\\"), value: .id}]"}]}',
    },
    {
      title: "In one case",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!switch": {"jq": "if .email == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($list: ID!) { outcome: addGuest(list: $list) { problems } }", "variables": {"list": "${custom_data.list.value}"}}}}, {"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!) { result: addPerson(email: $email) { problems } }", "variables": {"email": "${piped_content.0.email}"}}}}]}}, {"!jq": "if (.data«.outcome».problems | length) > 0 then error(\\"refused\\") else . end"}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .email == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($list: ID!) { outcome: addGuest(list: $list) { problems } }", "variables": {"list": "${custom_data.list.value}"}}}}, {"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!) { outcome: addPerson(email: $email) { problems } }", "variables": {"email": "${piped_content.0.email}"}}}}]}}, {"!jq": "if (.data.outcome.problems | length) > 0 then error(\\"refused\\") else . end"}]}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) =>
    suggestion === undefined
      ? []
      : [
          {
            title: `Change to \`${suggestion}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: `.${suggestion}` }],
          },
        ],
});

const module: RuleModule = {
  rules: [unselected],
  checks: {
    document(model, report) {
      if (!asksGraphql(model)) return;
      for (const { at, ...args } of found(model)) report(unselected, at, args);
    },
  },
};
export default module;

const found = derivedByPart(({ programs }, model) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0) return [];
    const flow = flowOf(model);
    const told = flow.program(program).diagnostics.filter(({ code }) => code === "missing-member");
    return memberReads(program, flow).flatMap((read): (Args & { readonly at: StringPart })[] => {
      const { name, start, end } = read;
      if (told.some((each) => each.start <= start && end <= each.end)) return [];
      const text = program.node.value.slice(start, end);
      const ways = text === `.${name}` ? fieldsAt(read, program, model) : undefined;
      if (ways === undefined) return [];
      const lacking = ways.filter((fields) => !fields.includes(name));
      const at = { node: program.node, from: start, to: end };
      if (lacking.length === ways.length) {
        const fields = [...new Set(ways.flat())];
        return [{ name, suggestion: nearest(name, fields), selected: fields, inCase: false, at }];
      }
      // Whoever reads what that case has, too, knows of it.
      const [selected] = lacking;
      const isKnown = selected?.some((field) => new RegExp(`\\b${field}\\b`).test(program.node.value));
      return selected === undefined || isKnown
        ? []
        : [{ name, suggestion: undefined, selected, inCase: true, at }];
    });
  }),
);

/** The fields that each query selects of what a member is read of; undefined where others may be there. */
function fieldsAt(
  { of, ofInput, path }: MemberRead,
  program: JqProgram,
  model: Model,
): readonly (readonly string[])[] | undefined {
  const flow = flowOf(model);
  const trails = ofInput ? inputTrails(flow, program, of, path) : trailsOf(flow, program, of, path);
  const selections = trails.map(selectionAt);
  if (trails.length === 0 || !selections.every((each) => each !== undefined)) return undefined;
  return selections.map((selection) => [...selection.keys()]);
}

function selectionAt({ origin }: Trail): Selection | undefined {
  if (origin.kind !== "response") return undefined;
  const query = graphqlQuery(origin.command);
  const selection = query === undefined ? undefined : graphqlSelection(query.value);
  if (query === undefined || selection === undefined) return undefined;
  const isMutation = /^\s*mutation\b/.test(query.value);
  return below(selection, origin.path, isMutation);
}

/** What is selected at a path in an answer, where records and lists of them are the same. */
function below(selection: Selection, path: ValuePath, isMutation: boolean): Selection | undefined {
  const [data, ...steps] = path[0] === "body" ? path.slice(1) : path;
  if (data !== "data") return undefined;
  // `data` itself is never a list: its items are what each mutation answers. Those of a query may be lists.
  let at: Selection | undefined = isMutation && steps[0] === "[]" ? selectedByAny(selection) : selection;
  for (const name of steps) if (name !== "[]") at = at?.get(name);
  return at;
}

/** All that is selected of any of the fields; undefined where one of them selects nothing. */
function selectedByAny(selection: Selection): Selection | undefined {
  const all = [...selection.values()];
  return all.includes(undefined)
    ? undefined
    : new Map(all.flatMap((selected) => [...(selected as Selection)]));
}
