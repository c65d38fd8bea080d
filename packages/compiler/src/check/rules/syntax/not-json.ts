import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const comment = defineRule<Record<string, never>>({
  id: "syntax/comment",
  severity: "error",
  summary: "A `.json` file has a comment",
  why: "JSON has no comments, and the platform refuses the upload. In a `.jsonc` source they are fine: `configc build --json` prints plain JSON from it.",
  guards: ["D1"],
  message: () => "JSON has no comments, so the platform would refuse this file.",
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
  why: "JSON wants every member name in double quotes.",
  guards: ["D2"],
  message: ({ name }) => `Member names stand in double quotes, and \`${name}\` doesn't.`,
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
