import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const paginated = {
  "/workflows/0/setup/select/form_fields/0/options":
    '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}',
} as const;

const pageCounted = defineRule<{ member: string }>({
  id: "api/page-counted",
  severity: "warning",
  summary: "`total_items` or `total_pages` counts the page that was read",
  why: "The end is reached when as many items were read as there are in all. The length of one page is reached with the first page, so nothing behind it is read, and customers see only the beginning of their lists.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member }) =>
    `\`${member}\` is the length of a list in this one response, so reading ends after the first page.`,
  help: ({ member }) =>
    `Give the number that the API states for all pages, such as \`.${member === "total_pages" ? "pages" : "total"}\`.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.items | length»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
  ],
});

const flagAsToken = defineRule<{ name: string }>({
  id: "api/flag-as-token",
  severity: "warning",
  summary: "The token of the next page is a flag that says whether there is one",
  why: "The token is sent with the next request. A flag such as `has_more` is sent as `true`, which no API takes for a place in its list: the second page fails, or is the first one again.",
  guards: ["pagination.next_result_token", "pagination.previous_result_token", "D22"],
  message: ({ name }) => `\`${name}\` says whether there is another page; the token has to say which.`,
  help: () => "Give the cursor itself: `if .has_more then .next_cursor else null end`.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.meta.has_more»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "if .meta.has_more then .meta.cursor else null end"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [pageCounted, flagAsToken],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      const parser = pagination?.kind === "object" ? pagination.get("parser") : undefined;
      if (parser?.kind !== "object") return;
      for (const { name, value } of parser.members) {
        const program = programAt(value, model);
        if (program === undefined) continue;
        const at = { node: program.node, from: program.tree.body.start, to: program.tree.body.end };
        if ((name === "total_items" || name === "total_pages") && isLengthOfPage(program.tree.body))
          report(pageCounted, at, { member: name });
        const flag = name.endsWith("_token") ? flagName(program.tree.body) : undefined;
        if (flag !== undefined) report(flagAsToken, at, { name: flag });
      }
    },
  },
};
export default module;

function programAt(value: JsonNode | undefined, { commands }: Model): JqProgram | undefined {
  const command: Command | undefined = commands.find(({ node }) => node === value);
  return command?.key === "!jq" && command.program?.diagnostics.length === 0 ? command.program : undefined;
}

/** `.items | length`, with nothing done to it. */
function isLengthOfPage(node: Expression): boolean {
  if (node.kind === "Group") return isLengthOfPage(node.body);
  if (node.kind !== "Pipeline" || node.stages.length !== 2) return false;
  const [list, last] = node.stages;
  return list?.kind === "Postfix" && last?.kind === "Call" && last.name.text === "length";
}

const flag = /^(?:has_?(?:more|next|next_?page)|more|is_?last(?:_?page)?)$/i;

/** The name of a flag, where a program gives just that member. */
function flagName(node: Expression): string | undefined {
  if (node.kind === "Group") return flagName(node.body);
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const last = node.suffixes.at(-1);
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name !== undefined && flag.test(name) ? name : undefined;
}
