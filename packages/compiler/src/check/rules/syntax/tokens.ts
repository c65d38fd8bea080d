import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { excerpt } from "../../words.ts";

const unexpectedToken = defineRule<{ text: string; expected: string }>({
  id: "syntax/unexpected-token",
  severity: "error",
  summary: "Something stands where JSON allows something else",
  why: "The document isn't JSON, and the platform can't read any of it. The rest is still checked.",
  guards: ["D2"],
  message: ({ text, expected }) => `\`${text}\` can't stand here; expected ${expected}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«yes»]}',
      good: '{"webhook_events": ["yes"]}',
    },
  ],
});

const invalidNumber = defineRule<{ text: string }>({
  id: "syntax/invalid-number",
  severity: "error",
  summary: "A number isn't complete",
  why: "JSON numbers have digits after a decimal point and after an exponent.",
  guards: ["D2"],
  message: ({ text }) => `\`${text}\` isn't a complete number.`,
  examples: [
    {
      in: "document",
      bad: '{"$version": «1.»}',
      good: '{"$version": "2"}',
      also: ["structure/wrong-type", "structure/missing-member"],
    },
  ],
});

const module: RuleModule = {
  rules: [unexpectedToken, invalidNumber],
  checks: {
    syntax({ kind, span, text, expected }, report) {
      if (kind === "unexpected-token")
        report(unexpectedToken, span, { text: excerpt(text), expected: expected ?? "something else" });
      else if (kind === "invalid-number") report(invalidNumber, span, { text });
    },
  },
};
export default module;
