import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import { escaped } from "../../../parse/recovery/escaped.ts";
import { type LineEdit, otherQuotes } from "../../../parse/recovery/other-quotes.ts";
import type { Span } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const unclosedString = defineRule<{ repaired: boolean }>({
  id: "syntax/unclosed-string",
  severity: "error",
  summary: "A string isn't closed on its line",
  why: "A string must end on its own line; write a line break in it as `\\n`. If the line shows where the string should end, configc checks the rest as if it ended there.",
  guards: ["D2"],
  message: () => 'This string has no closing `"` on its line.',
  help: () => 'Add the closing `"`. Write a line break inside a string as `\\n`.',
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
  summary: "A string has no opening quote",
  why: "Without it the document isn't JSON, so the platform can't read any of it. configc checks the rest as if it were there.",
  guards: ["D2"],
  message: () => 'This string has no opening `"`.',
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
  summary: "A string spans several lines",
  why: "In JSON, a line break inside a string is written `\\n`. In a jq program a space usually works as well.",
  guards: ["D2"],
  message: () => "This string contains a line break. Write it as `\\n`.",
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
  why: 'A `"` ends a string. Inside a string, write it as `\\"`. This often happens to jq programs that were tried out elsewhere.',
  guards: ["D2"],
  message: () => 'A `"` ends this string too early. Inside a string, write it as `\\"`.',
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

const invalidString = defineRule<{ found: string }>({
  id: "syntax/invalid-string",
  severity: "error",
  summary: "A string has an escape or a character that JSON doesn't allow",
  why: 'JSON knows the escapes `\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\uXXXX`, and control characters must be written as one of them. Write a literal backslash twice: `\\(.name)` in jq is `\\\\(.name)` in a config.',
  guards: ["D2"],
  message: ({ found }) =>
    found.startsWith("\\")
      ? `JSON has no escape \`${found}\`.`
      : `A string can't contain ${found === "\t" ? "a tab" : "a control character"}.`,
  help: ({ found }) =>
    found.startsWith("\\") ? "Write a literal backslash as `\\\\`." : `Write it as \`${inString(found)}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": ["Created «\\d»"]}',
      good: '{"webhook_events": ["Created \\\\d"]}',
      fixed: '{"webhook_events": ["Created \\\\d"]}',
    },
    {
      title: "D2: what jq fills in",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display/!jq",
      bad: '"\\"Form «\\(».custom_data.form.display)\\u0021\\""',
      good: '"\\"Form \\\\(.custom_data.form.display)\\u0021\\""',
      fixed: '"\\"Form \\\\(.custom_data.form.display)\\u0021\\""',
    },
  ],
  fixes: ({ at }, { document: { text, problems } }) => {
    const { start } = at as Span;
    const string = problems.find(({ span }) => span.start <= start && start < span.end);
    const edits = misfitsIn(text, string!.span).map(({ start, found }) => ({
      start,
      end: start + found.length,
      newText: inString(found),
    }));
    // Only jq writes `\\(`; another letter may have been meant without its backslash.
    const safe = edits.every(({ newText }) => newText === "\\\\(" || !newText.startsWith("\\\\"));
    return [{ title: "Write it as a JSON escape", safe, edits }];
  },
});

/** Escapes of JSON, or what is none: a backslash with the letter behind it, or a control character. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|(\\[^\u0000-\u001f]?|[\u0000-\u001f])/gu;

/** What can't stand in a string as it does. */
function misfitsIn(text: string, { start, end }: Span): { start: number; found: string }[] {
  return [...text.slice(start, end).matchAll(ESCAPE)].flatMap(({ 1: found, index }) =>
    found === undefined ? [] : [{ start: start + index, found }],
  );
}

/** The same, as JSON writes it. */
function inString(found: string): string {
  return found.startsWith("\\") ? `\\${found}` : JSON.stringify(found).slice(1, -1);
}

const otherQuotesRule = defineRule<Record<string, never>>({
  id: "syntax/other-quotes",
  severity: "error",
  summary: "A string is in quotes that JSON doesn't allow",
  why: 'JSON has one kind of quote, `"`. Single quotes come from other languages, and “typographic” ones from word processors and chats. configc checks the rest as if they were `"`.',
  guards: ["D2"],
  message: () => 'JSON strings need double quotes, `"`.',
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
    return edits.length === 0 ? [] : [{ title: "Change to double quotes", safe: true, edits }];
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
    syntax({ kind, span, expected }, report, { document }) {
      if (kind === "unclosed-string") report(unclosedString, span, { repaired: expected !== undefined });
      else if (kind === "unopened-string") report(unopenedString, span, {});
      else if (kind === "line-break-in-string") report(lineBreakInString, span, {});
      else if (kind === "unescaped-quote") report(unescapedQuote, span, {});
      else if (kind === "other-quotes") report(otherQuotesRule, span, {});
      else if (kind === "invalid-string") {
        const [{ start, found } = { start: span.start, found: "\\" }] = misfitsIn(document.text, span);
        report(invalidString, { start, end: start + found.length }, { found });
      }
    },
  },
};
export default module;
