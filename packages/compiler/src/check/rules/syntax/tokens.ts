import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const unexpectedToken = defineRule<{ text: string; expected: string }>({
  id: "syntax/unexpected-token",
  severity: "error",
  summary: "JSON doesn't allow this here",
  why: "The document isn't JSON, so the platform can't read any of it. configc still checks the rest.",
  guards: ["D2"],
  message: ({ text, expected }) => `Unexpected \`${text}\`. Expected ${expected}.`,
  help: ({ text, expected }) => {
    const written = inJson(text, expected);
    return written === undefined ? undefined : `In JSON, write \`${written}\`.`;
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«yes»]}',
      good: '{"webhook_events": ["yes"]}',
    },
    {
      title: "D2: a value of another language",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«None»]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": [null]}',
      also: ["structure/wrong-type"],
    },
    {
      title: "D2: an equals sign",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events" «=» ["Created"]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events" : ["Created"]}',
    },
    {
      title: "D2: a bracket too many",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": ["Created"]«]»}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
    {
      title: "D2: words that were to be a comment",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{\n «2 kinds, at most»\n "webhook_events": ["Created"]}',
      good: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at, args: { text, expected } }, { document }) => {
    const literal = inJson(text, expected);
    if (/^[\]}]$/.test(text) && expected === "no bracket")
      return [
        { title: `Remove the \`${text}\``, safe: false, edits: [{ ...spanOf(document, at), newText: "" }] },
      ];
    if (literal === undefined) return [];
    return [
      { title: `Write \`${literal}\``, safe: true, edits: [{ ...spanOf(document, at), newText: literal }] },
    ];
  },
});

/** What a sign or value of another language, or in another case, is in JSON. */
function inJson(text: string, expected: string): string | undefined {
  if (/^=>?$/.test(text) && expected === '":"') return ":";
  if (/^(?:true|false|null)$/i.test(text)) return text.toLowerCase();
  return /^(?:none|nil|undefined)$/i.test(text) ? "null" : undefined;
}

const invalidNumber = defineRule<{ text: string }>({
  id: "syntax/invalid-number",
  severity: "error",
  summary: "A number is incomplete",
  why: "JSON numbers need digits after a decimal point and after an exponent.",
  guards: ["D2"],
  message: ({ text }) => `The number \`${text}\` is incomplete.`,
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
