import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const missingComma = defineRule<Record<string, never>>({
  id: "syntax/missing-comma",
  severity: "error",
  summary: "A comma is missing between two values",
  why: "Without it the document isn't JSON, so the platform can't read any of it.",
  guards: ["D2"],
  message: () => "A comma is missing after this value.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": ["Created«"» "Changed"]}',
      good: '{"webhook_events": ["Created", "Changed"]}',
      fixed: '{"webhook_events": ["Created", "Changed"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { end } = spanOf(document, at);
    return [{ title: "Add the comma", safe: true, edits: [{ start: end, end, newText: "," }] }];
  },
});

const trailingComma = defineRule<Record<string, never>>({
  id: "syntax/trailing-comma",
  severity: "error",
  summary: "There is a comma before a closing bracket",
  why: "JSON allows no comma after the last value, so the platform refuses the upload. A `.jsonc` source may have one.",
  guards: ["D1"],
  message: () => "JSON allows no comma after the last value.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": ["Created"«,»]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    return [{ title: "Remove the comma", safe: true, edits: [{ start, end, newText: "" }] }];
  },
});

const missingColon = defineRule<{ name: string }>({
  id: "syntax/missing-colon",
  severity: "error",
  summary: "A colon is missing after a member name",
  why: "Without it the document isn't JSON, so the platform can't read any of it.",
  guards: ["D2"],
  message: ({ name }) => `A colon is missing between \`${name}\` and its value.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/api",
      bad: '{«"base_url"» "https://api.example.com"}',
      good: '{"base_url": "https://api.example.com"}',
      fixed: '{"base_url": "https://api.example.com"}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { end } = spanOf(document, at);
    return [{ title: "Add the colon", safe: true, edits: [{ start: end, end, newText: ":" }] }];
  },
});

const missingValue = defineRule<{ name: string }>({
  id: "syntax/missing-value",
  severity: "error",
  summary: "A member has no value",
  why: "Without it the document isn't JSON, so the platform can't read any of it.",
  guards: ["D2"],
  message: ({ name }) => `\`${name}\` has no value.`,
  help: () => "Write its value after a colon, or remove the name.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{«"webhook_events"»: }',
      good: '{"webhook_events": []}',
    },
  ],
});

const module: RuleModule = {
  rules: [missingComma, trailingComma, missingColon, missingValue],
  checks: {
    syntax({ kind, span, text }, report) {
      if (kind === "missing-comma") report(missingComma, span, {});
      else if (kind === "trailing-comma") report(trailingComma, span, {});
      else if (kind === "missing-colon") report(missingColon, span, { name: text });
      else if (kind === "missing-value") report(missingValue, span, { name: text });
    },
  },
};
export default module;
