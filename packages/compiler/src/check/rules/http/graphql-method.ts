import { defineRule } from "../../../findings/rule.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { valueAt } from "./at.ts";

const graphqlMethod = defineRule<{ method: string }>({
  id: "http/graphql-method",
  severity: "warning",
  summary: "A GraphQL query is sent with another method than `POST`",
  why: "Servers of GraphQL take queries and mutations by `POST`, both to the same address. Others they refuse with 404 or 405, and the step fails.",
  guards: ["http.method", "D17"],
  message: ({ method }) => `This is a GraphQL query, and \`${method}\` isn't how such a server takes it.`,
  because: ({ method }) => [
    `the query is sent with \`${method}\``,
    "the server answers 405, and the step fails",
  ],
  help: () => "Send it with `POST`: what it does is said by `query` or `mutation`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!http": {"method": «"PUT"», "path": "/graphql", "body": {"query": "mutation($email: String!) { addPerson(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}',
      good: '{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!) { addPerson(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}',
      fixed:
        '{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!) { addPerson(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const value = valueAt(document, at);
    return value === undefined
      ? []
      : [{ title: "Send it with `POST`", safe: false, edits: [replaceValue(value, "POST")] }];
  },
});

const module: RuleModule = {
  rules: [graphqlMethod],
  checks: {
    command: {
      "!http"(command, report) {
        const method = textOf(command.argument, "method")?.toUpperCase();
        // That a `GET` has no body is told of it.
        if (method !== "PUT" && method !== "PATCH" && method !== "DELETE") return;
        if (graphqlQuery(command) === undefined || command.argument?.kind !== "object") return;
        report(graphqlMethod, command.argument.get("method")!, { method });
      },
    },
  },
};
export default module;
