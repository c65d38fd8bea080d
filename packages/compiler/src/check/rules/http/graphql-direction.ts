import { defineRule } from "../../../findings/rule.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";

const query = (argument: string): string =>
  `{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query($after: String) { people(first: 50, ${argument}: $after) { nodes { id name email address } pageInfo { hasNextPage endCursor } } }", "variables": {"after": "\${polling_state.after}"}}}}, {"!jq": ".data.people | {results: .nodes, iterate: .pageInfo.hasNextPage, polling_state: {after: .pageInfo.endCursor}}"}]}`;

const graphqlDirection = defineRule<{ argument: string; count: string; cursor: string; instead: string }>({
  id: "http/graphql-direction",
  severity: "warning",
  summary: "A GraphQL list is asked for in one direction and goes on in the other",
  why: "`first` with `after: endCursor` goes forward through a list, `last` with `before: startCursor` back. With the end of a page as `before`, the next page is what stands before it: the records that were read already come again, and the following ones never.",
  guards: ["command.!http", "http.body", "D33"],
  message: ({ argument, count, cursor }) =>
    `\`${argument}\` goes with \`${count}\` and \`${cursor}\`: it leads to what was read already.`,
  because: ({ argument, cursor }) => [
    `page 1 ends at \`${cursor}\``,
    `\`${argument}\` asks for what is on its other side: page 1 again`,
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: query("«before»"),
      good: query("after"),
    },
  ],
});

const module: RuleModule = {
  rules: [graphqlDirection],
  checks: {
    command: {
      "!http"(command, report) {
        const node = graphqlQuery(command);
        if (node !== undefined)
          for (const { from, args } of turned(node))
            report(graphqlDirection, { node, from, to: from + args.argument.length }, args);
      },
    },
    program({ node, diagnostics }, report) {
      if (diagnostics.length > 0 || !/\bquery\b/.test(node.value)) return;
      for (const { from, args } of turned(node))
        report(graphqlDirection, { node, from, to: from + args.argument.length }, args);
    },
  },
};
export default module;

const ways = [
  { argument: "before", count: "first", cursor: "endCursor", other: "startCursor", instead: "after" },
  { argument: "after", count: "last", cursor: "startCursor", other: "endCursor", instead: "before" },
] as const;

/** Arguments by their names: `first: 50`. */
const named = {
  before: /(?<![\w$])before\s*:/,
  after: /(?<![\w$])after\s*:/,
  first: /(?<![\w$])first\s*:/,
  last: /(?<![\w$])last\s*:/,
} as const;

/** Arguments of a list in a query that lead the other way than the cursor that is asked for. */
function turned({ value }: StringNode) {
  return ways.flatMap(({ other, ...args }) => {
    const { argument, count, cursor } = args;
    if (!value.includes(cursor) || value.includes(other)) return [];
    for (const match of value.matchAll(/\(([^()]*)\)/g)) {
      const list = withoutObjects(match[1]!);
      const at = named[argument].exec(list);
      if (at !== null && named[count].test(list)) return [{ from: match.index + 1 + at.index, args }];
    }
    return [];
  });
}

/** Arguments with blanks for what stands in braces: `changed: {before: $end}` asks for a time. */
function withoutObjects(list: string): string {
  let [depth, kept] = [0, ""];
  for (const sign of list) {
    if (sign === "{") depth++;
    kept += depth > 0 ? " ".repeat(sign.length) : sign;
    if (sign === "}") depth--;
  }
  return kept;
}
