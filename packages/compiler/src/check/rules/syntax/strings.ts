import { spanOf } from "../../../parse/document.ts";
import { escaped } from "../../../parse/recovery/escaped.ts";
import { type LineEdit, otherQuotes } from "../../../parse/recovery/other-quotes.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const unclosedString = defineRule<{ repaired: boolean }>({
  id: "syntax/unclosed-string",
  severity: "error",
  summary: "A string isn't closed on its line",
  why: "A string ends on the line where it begins; a line break in it is written `\\n`. If the rest of the line shows where its end was meant, all else is checked as if it were there.",
  guards: ["D2"],
  message: () => "This string isn't closed: its `\"` is missing on this line.",
  help: () => 'Add the closing `"`; write a line break inside a string as `\\n`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{«"webhook_events»: ["Created"]\n}',
      good: '{"webhook_events": ["Created"]\n}',
      fixed: '{"webhook_events": ["Created"]\n}',
    },
    {
      title: "Nothing tells where it should end",
      in: "document",
      bad: '{"$version": «"2, {]»\n]',
      good: '{"$version": "2"}',
      also: ["structure/missing-member"],
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (!args.repaired) return [];
    const { end } = spanOf(document, at);
    return [{ title: "Add the closing quote", safe: false, edits: [{ start: end, end, newText: '"' }] }];
  },
});

const unopenedString = defineRule<Record<string, never>>({
  id: "syntax/unopened-string",
  severity: "error",
  summary: "A string lacks its opening quote",
  why: "Without it the document isn't JSON, and the platform can't read any of it. All else is checked as if it were there.",
  guards: ["D2"],
  message: () => 'The opening `"` of this string is missing.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«Created"»]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start } = spanOf(document, at);
    return [{ title: "Add the opening quote", safe: false, edits: [{ start, end: start, newText: '"' }] }];
  },
});

const lineBreakInString = defineRule<Record<string, never>>({
  id: "syntax/line-break-in-string",
  severity: "error",
  summary: "A string goes over several lines",
  why: "JSON wants a line break inside a string written as `\\n`. A jq program can mostly do without: a blank serves as well.",
  guards: ["D2"],
  message: () => "This string has a line break in it; JSON wants `\\n` there.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«"Created\nor changed"»]}',
      good: '{"webhook_events": ["Created\\nor changed"]}',
      fixed: '{"webhook_events": ["Created\\nor changed"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    const edits = textEdits(escaped(document.text, start + 1, end - 1));
    // Quotes of its own may end the string elsewhere than where its end was guessed.
    const safe = edits.every(({ start, end }) => end > start);
    const title = `Write the line breaks as \`\\n\`${safe ? "" : ', and the quotes inside as `\\"`'}`;
    return [{ title, safe, edits }];
  },
});

const unescapedQuote = defineRule<Record<string, never>>({
  id: "syntax/unescaped-quote",
  severity: "error",
  summary: "A quote inside a string isn't escaped",
  why: 'A `"` ends a string; one that belongs to it is written `\\"`. This often happens to jq programs that were tried out elsewhere.',
  guards: ["D2"],
  message: () => 'This string has a `"` in it that ends it too early; inside a string it is written `\\"`.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«"Created "by hand" today"»]}',
      good: '{"webhook_events": ["Created \\"by hand\\" today"]}',
      fixed: '{"webhook_events": ["Created \\"by hand\\" today"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    const edits = textEdits(escaped(document.text, start + 1, end - 1));
    return [{ title: "Escape the quotes inside", safe: false, edits }];
  },
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

const otherQuotesRule = defineRule<Record<string, never>>({
  id: "syntax/other-quotes",
  severity: "error",
  summary: "A string in quotes that JSON doesn't know",
  why: "JSON has one kind of quote, `\"`. Single quotes come from other languages, and “typographic” ones from word processors and chats. All else is checked as if the quotes were JSON's.",
  guards: ["D2"],
  message: () => "This string isn't in JSON's quotes: a string stands between `\"` and `\"`.",
  examples: [
    {
      title: "D2: single quotes",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«\'Created "by hand"\'»]}',
      good: '{"webhook_events": ["Created \\"by hand\\""]}',
      fixed: '{"webhook_events": ["Created \\"by hand\\""]}',
    },
    {
      title: "D2: typographic quotes",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [«“Created, or changed”»]}',
      good: '{"webhook_events": ["Created, or changed"]}',
      fixed: '{"webhook_events": ["Created, or changed"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { text } = document;
    const from = text.lastIndexOf("\n", spanOf(document, at).start - 1) + 1;
    const line = /[^\r\n]*/.exec(text.slice(from))![0];
    const edits = textEdits(otherQuotes(line) ?? [], from);
    return edits.length === 0 ? [] : [{ title: "Write the quotes of JSON", safe: true, edits }];
  },
});

/** @param from where in the document the offsets of the edits are counted from */
function textEdits(edits: readonly LineEdit[], from = 0) {
  return edits.map(({ at, remove, insert }) => ({
    start: from + at,
    end: from + at + remove,
    newText: insert,
  }));
}

const module: RuleModule = {
  rules: [unclosedString, unopenedString, lineBreakInString, unescapedQuote, otherQuotesRule, invalidString],
  checks: {
    syntax({ kind, span, text, expected }, report) {
      if (kind === "unclosed-string") report(unclosedString, span, { repaired: expected !== undefined });
      else if (kind === "unopened-string") report(unopenedString, span, {});
      else if (kind === "line-break-in-string") report(lineBreakInString, span, {});
      else if (kind === "unescaped-quote") report(unescapedQuote, span, {});
      else if (kind === "other-quotes") report(otherQuotesRule, span, {});
      else if (kind === "invalid-string") report(invalidString, span, { text });
    },
  },
};
export default module;
