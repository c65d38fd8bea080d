import { nearest } from "@configc/jq/internal";
import { likely } from "../../../bind/variant.ts";
import { defineRule } from "../../../findings/rule.ts";
import { parserMembers } from "../../../language/sections/pagination.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember, renameMember } from "../../edits.ts";
import { ownerOf } from "../../locate.ts";
import { oneOfNames } from "../../message-text.ts";
import { memberAt } from "../http/at.ts";

const parserMismatch = defineRule<{
  name: string;
  style: string;
  accepted: readonly string[];
  suggestion: string | undefined;
}>({
  id: "api/parser-mismatch",
  severity: "error",
  summary: "A member of the pagination parser belongs to another style",
  why: "Each pagination style finds the end in its own way: `page` counts pages, `limitoffset` counts items, `cursor` follows a token. Members for another style are never read, so reading stops too early or continues to the hundredth page.",
  guards: [
    "pagination.parser",
    "pagination.style",
    "pagination.total_pages",
    "pagination.next_page_url",
    "pagination.total_items",
    "pagination.next_result_token",
    "pagination.previous_result_token",
    "D22",
  ],
  message: ({ name, style, accepted }) =>
    `The pagination style \`${style}\` doesn't read \`${name}\`. It reads ${oneOfNames(accepted)}.`,
  help: ({ suggestion }) =>
    suggestion === undefined ? "Remove it." : `Use \`${suggestion}\` instead, or change the style.`,
  examples: [
    {
      title: "instead of the right one",
      in: "outbound",
      at: "/api/pagination",
      with: paginated(),
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {«"total_items"»: {"!jq": ".total"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      fixed:
        '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".total"}}}',
    },
    {
      title: "beside the right one",
      in: "outbound",
      at: "/api/pagination",
      with: paginated(),
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".next"}, «"total_pages"»: {"!jq": ".pages"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".next"}, "previous_result_token": {"!jq": ".previous"}}}',
      fixed: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".next"}}}',
    },
  ],
  fixes: ({ at, args: { suggestion, name } }, { document }) => {
    const member = memberAt(document, at);
    if (member === undefined) return [];
    if (suggestion === undefined)
      return [{ title: `Remove \`${name}\``, safe: true, edits: [removeMember(document, member)] }];
    const edits = [renameMember(member, suggestion)];
    return [{ title: `Rename to \`${suggestion}\``, safe: false, edits }];
  },
});

const missingParserMember = defineRule<{ style: string; accepted: readonly string[] }>({
  id: "api/missing-parser-member",
  severity: "error",
  summary: "A pagination parser never says where the list ends",
  why: "After each page the platform asks the parser for the next one. Without an answer it stops, so customers see only the first page of their lists.",
  guards: [
    "pagination.parser",
    "pagination.style",
    "pagination.total_pages",
    "pagination.next_page_url",
    "pagination.total_items",
    "pagination.next_result_token",
    "pagination.previous_result_token",
    "D22",
  ],
  message: ({ style, accepted }) =>
    `A parser of the style \`${style}\` needs ${oneOfNames(accepted)}: a \`!jq\` over the response.`,
  examples: [
    {
      in: "outbound",
      at: "/api/pagination",
      with: paginated(),
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, «"parser"»: {}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [parserMismatch, missingParserMember],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      if (pagination?.kind !== "object") return;
      const parser = pagination.get("parser");
      const style = model.parts.some(({ structure }) =>
        structure.some(({ kind }) => kind === "wrong-variant"),
      )
        ? undefined
        : likely(textOf(pagination.get("style"), "type"), Object.keys(parserMembers));
      if (style === undefined || parser?.kind !== "object") return;
      const accepted = parserMembers[style]!;
      const missing = accepted.every((name) => parser.member(name) === undefined);
      let told = false;
      for (const { name, key } of parser.members) {
        if (accepted.includes(name)) continue;
        if (!anyMember.has(name)) {
          // Unknown: perhaps the one that is missed here, misspelled.
          told ||= nearest(name, accepted) !== undefined;
          continue;
        }
        const suggestion = missing && !told ? (nearest(name, accepted) ?? accepted[0]) : undefined;
        told = true;
        report(parserMismatch, key, { name, style, accepted, suggestion });
      }
      if (missing && !told) report(missingParserMember, ownerOf(parser), { style, accepted });
    },
  },
};
export default module;

const anyMember: ReadonlySet<string> = new Set(Object.values(parserMembers).flat());

/** For the examples: a request that uses the pagination, so that nothing is unused. */
function paginated() {
  return {
    "/api/pagination": "{}",
    "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": '{"path": "/lists", "pagination": true}',
  };
}
