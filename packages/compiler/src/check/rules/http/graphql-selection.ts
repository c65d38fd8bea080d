import { types } from "@configc/jq";
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

type Args = {
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly selected: readonly string[];
};

const unselected = defineRule<Args>({
  id: "http/graphql-unselected",
  severity: "warning",
  summary: "A program reads a field that the GraphQL query doesn't select",
  why: "A GraphQL server answers with the fields that the query selects, and with no others. What a program reads beside them is always null, so `//` always takes the other value, and a condition always goes one way.",
  guards: ["command.!http", "command.!jq", "D20"],
  message: ({ name }) => `The query doesn't select \`${name}\` here, so it is always null.`,
  because: ({ name, selected }) => [
    `the query selects ${allNames(selected)}`,
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

const asksGraphql = ({ parts }: Model): boolean =>
  parts.some(({ commands }) => commands.some((command) => graphqlQuery(command) !== undefined));

const found = derivedByPart(({ programs }, model) =>
  programs.flatMap((program): (Args & { readonly at: StringPart })[] => {
    if (program.diagnostics.length > 0) return [];
    return memberReads(program, flowOf(model)).flatMap((read) => {
      const { name, start, end } = read;
      if (isToldByType(read)) return [];
      const text = program.node.value.slice(start, end);
      const fields = text === `.${name}` ? fieldsAt(read, program, model) : undefined;
      if (fields === undefined || fields.includes(name)) return [];
      const at = { node: program.node, from: start, to: end };
      return [{ name, suggestion: nearest(name, fields), selected: fields, at }];
    });
  }),
);

/** Whether the type of the program's input already says that the member isn't there. */
function isToldByType({ name, target, absence }: MemberRead): boolean {
  const parts = types.partsOf(target).filter(({ kind }) => kind !== "null" && kind !== "array");
  return (
    absence === "no" &&
    parts.length > 0 &&
    parts.every((part) => part.kind === "object" && part.rest === undefined && !part.members.has(name))
  );
}

/** The fields that are selected of what a member is read of; undefined where others may be there. */
function fieldsAt(
  { of, ofInput, path }: MemberRead,
  program: JqProgram,
  model: Model,
): readonly string[] | undefined {
  const flow = flowOf(model);
  const trails = ofInput ? inputTrails(flow, program, of, path) : trailsOf(flow, program, of, path);
  const all = new Set<string>();
  for (const trail of trails) {
    const selection = selectionAt(trail);
    if (selection === undefined) return undefined;
    for (const name of selection.keys()) all.add(name);
  }
  return trails.length === 0 ? undefined : [...all];
}

function selectionAt({ origin }: Trail): Selection | undefined {
  if (origin.kind !== "response") return undefined;
  const query = graphqlQuery(origin.command);
  const selection = query === undefined ? undefined : graphqlSelection(query.value);
  return selection === undefined ? undefined : below(selection, origin.path);
}

/** What is selected at a path in an answer, where records and lists of them are the same. */
function below(selection: Selection, path: ValuePath): Selection | undefined {
  const names = path.filter((name) => name !== "[]");
  if (names[0] === "body") names.shift();
  if (names.shift() !== "data") return undefined;
  let at: Selection | undefined = selection;
  for (const name of names) at = at?.get(name);
  return at;
}
