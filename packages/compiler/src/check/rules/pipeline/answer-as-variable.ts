import type { Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";

const upsert = (input: string): string =>
  `{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query Find($email: String!) { owner(email: $email) { id } }", "variables": {"email": "\${piped_content.0.email}"}}}}, {"!jq": "{ownerId: .data.owner.id, list: \${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation Remind($input: ReminderInput!) { createReminder(input: $input) { reminder { id } } }", "variables": {"input": "${input}"}}}}]}`;

const answerAsVariable = defineRule<{ read: string; variable: string }>({
  id: "pipeline/answer-as-variable",
  severity: "warning",
  summary: "A variable of a GraphQL query gets the whole answer to another query",
  why: "What a GraphQL service answers is `{data: …}` and perhaps `errors`. No input has these members: the service refuses the query. Most often the number of the step is off by one.",
  guards: ["command.!http", "expansion.piped_content", "D14", "D20"],
  message: ({ read, variable }) =>
    `The variable \`${variable}\` gets \`${read}\`, which is all that a query answers: \`{data: …}\`.`,
  because: ({ variable }) => ["a query answers `{data: …}`", `\`${variable}\` has no member \`data\``],
  help: () => "Send what a step has made of the answer, or a part of it.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      also: ["unused/step-output"],
      bad: upsert("«${piped_content.1}»"),
      good: upsert("${piped_content.2}"),
    },
  ],
});

const module: RuleModule = {
  rules: [answerAsVariable],
  checks: {
    expansion(expansion, report, model) {
      const { root, command, node, syntax } = expansion;
      if (root !== "piped_content" || command?.key !== "!http" || syntax.path.length !== 2) return;
      const variable = variableOf(expansion);
      if (variable === undefined || !isWholeAnswer(expansion, model)) return;
      const read = syntax.path.map(({ text }) => text).join(".");
      report(answerAsVariable, { node, from: syntax.start, to: syntax.end }, { read, variable });
    },
  },
};
export default module;

/** The variable of a query that is nothing but an expansion. */
function variableOf({ node, syntax, command }: Expansion): string | undefined {
  if (syntax.start !== 0 || syntax.end !== node.value.length || node.parent?.kind !== "member")
    return undefined;
  let at: SyntaxNode | undefined = node.parent.parent?.parent;
  if (at?.kind !== "member" || at.name !== "variables") return undefined;
  for (; at !== undefined && at !== command?.argument; at = at.parent)
    if (at.kind === "member" && at.name === "body") return node.parent.name;
  return undefined;
}

function isWholeAnswer(expansion: Expansion, model: Model): boolean {
  const trails = expansionTrails(flowOf(model), expansion);
  return (
    trails.length > 0 &&
    trails.every(
      ({ origin }) =>
        origin.kind === "response" && origin.path.length === 0 && graphqlQuery(origin.command) !== undefined,
    )
  );
}
