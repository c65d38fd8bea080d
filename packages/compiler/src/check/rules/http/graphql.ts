import type { Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { graphqlQuery, graphqlVariable, readOperation } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const unusedVariable = defineRule<{ name: string }>({
  id: "http/graphql-unused-variable",
  severity: "warning",
  summary: "A GraphQL query never uses a variable that it declares",
  why: "A variable that the query declares but never uses has no effect: an unused cursor gives the first page forever, an unused filter gives everything. Most servers refuse such a query.",
  guards: ["command.!http", "http.body"],
  message: ({ name }) => `The query declares \`$${name}\` but never uses it.`,
  because: ({ name }) => [
    `the request sends another \`$${name}\``,
    "the server gives the same answer as before",
  ],
  help: ({ name }) => `Pass it to the field that it is for: \`field(argument: $${name})\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query(«$list: ID!», $email: String!) { invite(email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
  ],
});

const unknownVariable = defineRule<{
  names: readonly string[];
  declared: readonly string[];
  missing: boolean;
}>({
  id: "http/graphql-variables",
  severity: "warning",
  summary: "The variables of a GraphQL request don't match those that its query declares",
  why: "A server takes variables by name. One that the query doesn't declare has no effect. If a required one is missing, the server refuses the query, often with status 200.",
  guards: ["command.!http", "http.body"],
  message: ({ names, missing }) =>
    missing
      ? `The query needs ${allNames(names)}, but \`variables\` doesn't have ${names.length === 1 ? "it" : "them"}.`
      : `The query doesn't declare ${allNames(names)}.`,
  because: ({ missing }) => [
    missing
      ? "the query is refused: a variable has no value"
      : "the server ignores variables that it doesn't know",
  ],
  help: ({ declared }) => (declared.length === 0 ? undefined : `It declares ${allNames(declared)}.`),
  examples: [
    {
      title: "One that isn't declared",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {«"lists"»: "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
    {
      title: "One that has to be there",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", «"variables"»: {"email": "${piped_content.0.email}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "query($list: ID!, $email: String!) { invite(list: $list, email: $email) { id } }", "variables": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}',
    },
  ],
});

const urlAsId = defineRule<{ name: string }>({
  id: "http/graphql-url-as-id",
  severity: "warning",
  summary: "A GraphQL variable of type `ID` gets the webhook's URL",
  why: "The query says that it takes an id. A URL is none: the server finds no such record, and says so with status 200. A registration that should be changed or removed stays as it was.",
  guards: ["command.!http", "http.body", "expansion.webhook", "D32"],
  message: ({ name }) => `The query declares \`$${name}\` as an \`ID\`, but it gets the webhook's URL.`,
  because: ({ name }) => [`\`$${name}\` is an id`, "a URL is the id of nothing"],
  help: () => "Send the id that `create` saved.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
      },
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($hook: ID!) { hookDelete(id: $hook) { id } }", "variables": {"hook": "«${webhook.url}»"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($hook: ID!) { hookDelete(id: $hook) { id } }", "variables": {"hook": "${data.workflow.hook_id}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [unusedVariable, unknownVariable, urlAsId],
  checks: {
    expansion(expansion, report) {
      if (expansion.root !== "webhook" || expansion.position !== "value") return;
      const name = graphqlId(expansion);
      const { node, syntax } = expansion;
      if (name !== undefined) report(urlAsId, { node, from: syntax.start, to: syntax.end }, { name });
    },
    command: {
      "!http"(command, report) {
        const query = graphqlQuery(command);
        const operation = query === undefined ? undefined : readOperation(query.value);
        if (query === undefined || operation === undefined) return;
        const { variables } = operation;
        for (const { name, start, end, isUsed } of variables)
          if (!isUsed) report(unusedVariable, { node: query, from: start, to: end }, { name });
        const { argument } = command;
        const body = argument?.kind === "object" ? argument.get("body") : undefined;
        const member = body?.kind === "object" ? body.member("variables") : undefined;
        if (member?.value?.kind !== "object") return;
        const sent = member.value.members;
        const declared = variables.map(({ name }) => name);
        const unknown = sent.filter(({ name }) => !declared.includes(name) && !name.includes("$"));
        for (const { name, key } of unknown)
          report(unknownVariable, key, { names: [name], declared, missing: false });
        if (unknown.length > 0 || sent.some(({ name }) => name.includes("$"))) return;
        const missing = variables.filter(
          ({ name, isRequired }) => isRequired && !sent.some((each) => each.name === name),
        );
        const names = missing.map(({ name }) => name);
        if (names.length > 0) report(unknownVariable, member.key, { names, declared, missing: true });
      },
    },
  },
};
export default module;

/** The variable of type `ID` that an expansion is all the value of. */
export function graphqlId(expansion: Expansion): string | undefined {
  const variable = graphqlVariable(expansion);
  return variable?.type === "ID" ? variable.name : undefined;
}
