import { escapedPattern } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedSize } from "../../../flow/documented-sizes.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { type JsonNode, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { paginated, parserPrograms } from "./parser-programs.ts";

const style = (limit: string): string =>
  `{"_comment": "A limit above 200 is cut down to 200.", "style": {"type": "limitoffset", "limit": {"param": "limit", "value": ${limit}}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}`;
const counted = (extra: string): string =>
  `{"_comment": "The count is only there when $count=true is asked for.", "style": {"type": "limitoffset", "limit": {"param": "$top", "value": 100}, "offset": {"param": "$skip"}${extra}}, "parser": {"total_items": {"!jq": ".count"}}}`;

const documentedSizeRule = defineRule<{ param: string; value: number; most: number }>({
  id: "api/page-over-limit",
  severity: "warning",
  summary: "More records are asked for than a comment says that a page has",
  why: "A service that gives at most 200 records cuts a request for 1,000 down. The next page is asked for 1,000 further on, or a page of 200 is taken for the last one: most of the list is never read.",
  guards: ["pagination.limit", "pagination.page_size", "polling.request", "D3", "D22"],
  message: ({ param, value, most }) =>
    `\`${param}\` asks for ${value}, but a comment says that ${most} is the most.`,
  because: ({ value, most }) => [
    `${value} are asked for, and ${most} come`,
    "what is between them and the next page is never read, or they are taken for the last page",
  ],
  help: ({ most }) => `Ask for ${most}.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: style("«1000»"),
      good: style("200"),
    },
  ],
});

const unaskedCount = defineRule<{ param: string }>({
  id: "api/unasked-count",
  severity: "warning",
  summary:
    "The end of a list is told by a member that comes only if it is asked for, and nothing asks for it",
  why: "Some services count a list only on request. Without it the total is missing: reading ends after the first page, and customers see only the beginning of their lists.",
  guards: ["pagination.total_items", "pagination.total_pages", "pagination.extra", "D3", "D22"],
  message: ({ param }) =>
    `A comment says that this is only there when \`${param}\` is asked for, and no request does.`,
  because: ({ param }) => [`page 1 is requested without \`${param}\``, "the total is missing: reading ends"],
  help: ({ param }) => `Add \`${param}\` to \`extra\` of the style.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: counted("").replace('".count"', '«".count"»'),
      good: counted(', "extra": {"param": "$count", "value": "true"}'),
    },
  ],
});

const module: RuleModule = {
  rules: [documentedSizeRule, unaskedCount],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      if (!hasComments(model) || pagination?.kind !== "object") return;
      const given = pagination.get("style");
      const comments = [...commentsBelow(pagination), ...commentsAround(node, [])];
      for (const name of ["page_size", "limit"]) {
        const size = given?.kind === "object" ? given.get(name) : undefined;
        const param = textOf(size, "param");
        if (size?.kind === "object" && param !== undefined)
          tellSize(param, size.get("value"), comments, report, true);
      }
      for (const { name, program } of parserPrograms(pagination, model)) {
        const param = name.startsWith("total_") ? conditionOf(comments) : undefined;
        if (param !== undefined && !isAsked(param, comments, model))
          report(unaskedCount, program.node, { param });
      }
    },
    command: {
      "!http": (command, report, model) => {
        const { argument, place } = command;
        if (argument?.kind !== "object" || !place.name.startsWith("intake.") || !hasComments(model)) return;
        const params = argument.get("params");
        if (params?.kind !== "object" || !params.members.some(({ name }) => isSize.test(name))) return;
        // What a comment elsewhere says may be of other lists.
        const comments = commentsAround(command.node, []);
        for (const { name, value } of params.members)
          if (isSize.test(name)) tellSize(name, value, comments, report);
      },
    },
  },
};
export default module;

/** A parameter that says how many records a page has. */
const isSize = /^\$?(?:limit|top|first|n|length|count|size|per_?page|page_?size|page_?length|max_?results)$/i;

function tellSize(
  param: string,
  node: JsonNode | undefined,
  comments: readonly StringNode[],
  report: Report,
  isOfLists = false,
): void {
  const text = node?.kind === "string" || node?.kind === "number" ? `${node.value}` : "";
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  const said = value > 1 ? documentedSize(param, comments, { isOfLists }) : undefined;
  if (node !== undefined && said !== undefined && value > said.most)
    report(documentedSizeRule, node, { param, value, most: said.most }, [
      { message: "the comment", at: said.comment },
    ]);
}

/** `The count is only there when $count=true is asked for`: the parameter. */
function conditionOf(comments: readonly StringNode[]): string | undefined {
  for (const { value } of comments) {
    const [, param] =
      /(?<!\b(?:v\d|until|before|formerly)\b[^.;]{0,40})\b(?:count|total)\b(?! (?:of|for) (?!all|every|each|any|the (?:list|records|items)))[^.;]{0,40}\bonly (?:there|given|sent|answered|included|present|filled|comes?|counted)?\s*(?:when|with|if|for|where) ["`]?([$\w.-]+)=\w+(?!\w)["`]?(?!,? or\b)/i.exec(
        value,
      ) ?? [];
    if (param !== undefined) return param;
  }
  return undefined;
}

/** Whether a parameter of that name stands anywhere but in those comments. */
function isAsked(param: string, comments: readonly StringNode[], { document }: Model): boolean {
  const places = (text: string): number =>
    [...text.matchAll(new RegExp(`(?<![\\w$])${escapedPattern(param)}(?!\\w)`, "g"))].length;
  return places(document.text) > comments.reduce((sum, { value }) => sum + places(value), 0);
}
