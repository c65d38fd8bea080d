import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const comment = defineRule<Record<string, never>>({
  id: "syntax/comment",
  severity: "error",
  summary: "A `.json` file has a comment",
  why: "JSON has no comments, so the platform refuses the upload. A `.jsonc` source may have them: `configc build --json` makes plain JSON of it.",
  guards: ["D1"],
  message: () => "JSON has no comments. The platform refuses this file.",
  help: () => "Rename the file to `.app.jsonc`, or write the remark into a `_comment` member.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/$version",
      bad: '"2" «/* the only one there is */»',
      good: '"2"',
      fixed: '"2" ',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    return [{ title: "Remove the comment", safe: false, edits: [{ start, end, newText: "" }] }];
  },
});

const unquotedName = defineRule<{ name: string; quoted: string }>({
  id: "syntax/unquoted-name",
  severity: "error",
  summary: "A member name has no double quotes",
  why: "JSON requires double quotes around every member name.",
  guards: ["D2"],
  message: ({ name }) => `The member name \`${name}\` needs double quotes.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/api",
      bad: '{«base_url»: "https://api.example.com"}',
      good: '{"base_url": "https://api.example.com"}',
      fixed: '{"base_url": "https://api.example.com"}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const { start, end } = spanOf(document, at);
    return [{ title: `Write ${args.quoted}`, safe: true, edits: [{ start, end, newText: args.quoted }] }];
  },
});

const module: RuleModule = {
  rules: [comment, unquotedName],
  checks: {
    syntax({ kind, span, text, expected }, report) {
      if (kind === "comment") report(comment, span, {});
      else if (kind === "unquoted-name") report(unquotedName, span, { name: text, quoted: expected ?? "" });
    },
  },
};
export default module;
