import { printType, type Type, types } from "@configc/jq";
import type { Expansion, ExpansionPosition } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isSegment } from "../../../parse/template.ts";
import { graphqlVariable, isGraphqlScalar } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt, oneOfNames } from "../../message-text.ts";

/** Where a value becomes text and an object or a list has none (D9). */
const places: Readonly<Partial<Record<ExpansionPosition, string>>> = {
  path: "a path",
  url: "a URL",
  header: "a header",
  baseUrl: "a URL",
};

const objectInText = defineRule<{
  expansion: string;
  found: string;
  list: boolean;
  /** Of a GraphQL query's variable. It is left out elsewhere, so that fingerprints of known findings stay. */
  isSent?: true;
  place: string;
  members: readonly string[];
}>({
  id: "expansion/object-in-text",
  severity: "error",
  summary: "An object or a list is pasted into a path, a URL, a parameter or a header",
  why: "In a path, a URL or a header a value becomes text, and no API understands an object or a list as text. The request is refused at run time, for every customer. The value of a multiselect is a list.",
  guards: ["D9", "D12", "D18", "http.path", "http.url", "http.headers", "command.!http"],
  message: ({ expansion, found, list, place, isSent }) =>
    `\`${expansion}\` is ${list ? "a list" : "an object"}, \`${found}\`, but ${place} takes ${isSent ? "one value" : "a string"}.`,
  because: ({ expansion, found, isSent }) => [
    `\`${expansion}\` is \`${found}\``,
    isSent ? "the server refuses the query" : "the request is refused before it is sent",
  ],
  help: ({ members, list, expansion }) => {
    const path = expansion.replace(/^\$[{<]|[}>]$|\|.*$/g, "").trim();
    if (list) return `Choose one item (\`\${${path}.0}\`), or join them in an earlier \`!jq\`.`;
    return members.length === 0
      ? "Read one of its members."
      : `Read one of its members: ${oneOfNames(members.map((name) => `\${${path}.${name}}`))}.`;
  },
  examples: [
    {
      title: "D9: the whole state",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/path",
      bad: '"/customers/«${polling_state}»"',
      good: '"/customers/${polling_state.page}"',
    },
    {
      title: "D9: a whole response",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!http": {"method": "POST", "path": "/users/«${piped_content.1}»/notes", "body": {"note": "${custom_data.note.value | default}", "list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!http": {"method": "POST", "path": "/users/${piped_content.1.id}/notes", "body": {"note": "${custom_data.note.value | default}", "list": "${custom_data.list.value}"}}}]}',
    },
    {
      title: "The variable of a GraphQL query",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!, $list: ID!) { invite(email: $email, list: $list) { id } }", "variables": {"email": "«${piped_content.0}»", "list": "${custom_data.list.value}"}}}',
      good: '{"method": "POST", "path": "/graphql", "body": {"query": "mutation($email: String!, $list: ID!) { invite(email: $email, list: $list) { id } }", "variables": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
    },
    {
      title: "D12: the value of a multiselect",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      with: { "/workflows/0/setup/select/form_fields/0/type": '"multiselect"' },
      bad: '"/lists/«${custom_data.list.value}»/subscribers"',
      good: '"/lists/${custom_data.list.value.0}/subscribers"',
    },
  ],
});

const module: RuleModule = {
  rules: [objectInText],
  checks: {
    expansion(expansion, report, model) {
      const { position, syntax, node, rootExact } = expansion;
      const isParameter = position === "value" && isIn(expansion, "params");
      const variable = scalarVariable(expansion);
      const place = isParameter ? "a parameter" : (variable ?? places[position]);
      if (place === undefined || syntax.problem !== undefined || !rootExact || isText(expansion)) return;
      const type = flowOf(model).expansion(expansion);
      const parts = types.partsOf(type).filter(({ kind }) => kind !== "null");
      if (parts.length === 0 || !parts.every(isCompound)) return;
      // A list gives the parameter several times (D17).
      if (isParameter && parts.some(({ kind }) => kind === "array")) return;
      const { start, end } = syntax;
      report(
        objectInText,
        { node, from: start, to: end },
        {
          expansion: excerpt(node.value.slice(start, end)),
          found: excerpt(printType(types.widenLiterals(type), { depth: 1, members: 6 }), 120),
          list: parts.every(({ kind }) => kind === "array"),
          ...(variable === undefined ? {} : { isSent: true as const }),
          place,
          members: parts.flatMap(memberNames),
        },
      );
    },
  },
};
export default module;

/** Whether an expansion is a text in some case at least, or what a customer chose of options, none of which is an object. */
function isText({ root, syntax, fields }: Expansion): boolean {
  if (root !== "custom_data") return syntax.filters.length > 0;
  return syntax.path.length === 3 && !fields.some(({ type }) => type === "multiselect");
}

/** The variable of a GraphQL query that an expansion is, where no object can be its value. */
export function scalarVariable(expansion: Expansion): string | undefined {
  const variable = graphqlVariable(expansion);
  if (variable === undefined || !isGraphqlScalar(variable.type)) return undefined;
  return `\`$${variable.name}\`, declared as \`${variable.type}\`,`;
}

/** Whether an expansion is the whole value of a member of `params`. */
function isIn({ command, node, syntax }: Expansion, member: string): boolean {
  const values = command?.argument?.kind === "object" ? command.argument.get(member) : undefined;
  const isWhole = syntax.start === 0 && syntax.end === node.value.length;
  return isWhole && values?.kind === "object" && values.members.some(({ value }) => value === node);
}

function isCompound({ kind }: Type): boolean {
  return kind === "object" || kind === "array";
}

function memberNames(type: Type): string[] {
  return type.kind === "object" ? [...type.members.keys()].filter(isSegment) : [];
}
