import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const unclosedString = defineRule<Record<string, never>>({
  id: "syntax/unclosed-string",
  severity: "error",
  summary: "A string isn't closed on its line",
  why: "A string ends on the line where it begins; a line break in it is written `\\n`. What the open string swallowed isn't checked.",
  guards: ["D2"],
  message: () => "This string isn't closed: its `\"` is missing on this line.",
  help: () => 'Add the closing `"`; write a line break inside a string as `\\n`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«"Created]»\n}',
      good: '{"webhook_events": ["Created"]}',
      also: ["syntax/unclosed-bracket"],
    },
  ],
});

const invalidString = defineRule<{ text: string }>({
  id: "syntax/invalid-string",
  severity: "error",
  summary: "A string has an escape or a character that JSON doesn't know",
  why: 'JSON knows the escapes `\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\uXXXX`, and wants control characters written as such. A backslash that is meant as one is written twice: in jq programs that is `\\\\.`.',
  guards: ["D2"],
  message: () => "This string has an escape or a control character that JSON doesn't know.",
  help: () => "A backslash that is meant as one is written `\\\\`; a tab is `\\t`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«"Created \\d"»]}',
      good: '{"webhook_events": ["Created \\\\d"]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unclosedString, invalidString],
  checks: {
    syntax({ kind, span, text }, report) {
      if (kind === "unclosed-string") report(unclosedString, span, {});
      else if (kind === "invalid-string") report(invalidString, span, { text });
    },
  },
};
export default module;
