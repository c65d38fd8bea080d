import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";

const duplicateMember = defineRule<{ name: string }>({
  id: "syntax/duplicate-member",
  severity: "error",
  summary: "An object has the same member twice",
  why: "JSON readers keep only one of two members with the same name, and not all keep the same one, so part of the config is silently lost.",
  guards: ["D2"],
  message: ({ name }) => `This object has \`${name}\` twice. Only one of the two counts.`,
  help: () => "Remove one of them, or rename it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/api",
      bad: '{"base_url": "https://api.example.com", «"base_url"»: "https://api.example.org"}',
      good: '{"base_url": "https://api.example.com"}',
    },
  ],
});

const module: RuleModule = {
  rules: [duplicateMember],
  checks: {
    syntax({ kind, span, text, other }, report) {
      if (kind !== "duplicate-member") return;
      report(
        duplicateMember,
        span,
        { name: text },
        other === undefined ? [] : [{ message: "first written here", at: other }],
      );
    },
  },
};
export default module;
