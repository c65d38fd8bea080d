import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const foreignBlank = defineRule<{ code: string }>({
  id: "syntax/foreign-blank",
  severity: "error",
  summary: "JSON doesn't allow this invisible character",
  why: "Text copied from a page or a chat may contain no-break or zero-width spaces. Nobody sees them, but the platform can't read the document.",
  guards: ["D2"],
  message: ({ code }) =>
    `JSON doesn't allow this invisible character (${code}). Use a space, tab or line break.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events":«\u00a0»["Created"]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    const newText = document.text.slice(start, end).replace(/[\u200b-\u200f\u2060\ufeff]/g, "");
    return [
      {
        title: "Change to a space",
        safe: true,
        edits: [{ start, end, newText: newText.replace(/./gsu, " ") }],
      },
    ];
  },
});

const mergeConflict = defineRule<{ isWhole: boolean }>({
  id: "syntax/merge-conflict",
  severity: "error",
  summary: "A merge conflict isn't resolved",
  why: "git leaves both sides in the file, between lines that aren't JSON. configc checks only the first side.",
  guards: ["D2"],
  message: ({ isWhole }) =>
    isWhole ? "This merge conflict isn't resolved." : "This line is left over from a merge conflict.",
  help: ({ isWhole }) =>
    isWhole
      ? "Keep one side, or the right parts of both, and remove the lines with the markers."
      : "Remove it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [\n«<<<<<<<» HEAD\n"Created"\n=======\n"Added"\n>>>>>>> changes\n]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": [\n"Created"\n]}',
    },
    {
      title: "D2: with the ancestor of both",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [\n«<<<<<<<» HEAD\n"Created"\n||||||| base\n"New"\n=======\n"Added"\n>>>>>>> changes\n]}',
      good: '{"webhook_events": ["Created"]}',
      fixed: '{"webhook_events": [\n"Created"\n]}',
    },
    {
      title: "D2: without the line between its sides",
      in: "inbound-webhook",
      at: "/workflows/0/resource_labels",
      bad: '{"webhook_events": [\n«<<<<<<<» HEAD\n"Created"\n>>>>>>> changes\n]}',
      good: '{"webhook_events": ["Created"]}',
    },
  ],
  fixes: ({ at, args: { isWhole } }, { document }) => {
    const { start } = spanOf(document, at);
    const { text } = document;
    if (!isWhole) return [{ title: "Remove the line", safe: false, edits: [without(text, start, start)] }];
    const line = (mark: string): number => text.indexOf(`\n${mark}`, start) + 1;
    const [base, second, end] = [line("|||||||"), line("======="), line(">>>>>>>")];
    // Somebody began to resolve it: which lines are whose can't be told any more.
    if (second === 0 || second > end) return [];
    const middle = base > 0 && base < second ? base : second;
    return [
      { title: "Keep the first side", edits: [without(text, start, start), without(text, middle, end)] },
      { title: "Keep the second side", edits: [without(text, start, second), without(text, end, end)] },
    ].map((fix) => ({ ...fix, safe: false }));
  },
});

/** Takes away the lines from one to another, given by where they begin. */
function without(text: string, from: number, to: number) {
  const end = text.indexOf("\n", to);
  return { start: from, end: end < 0 ? text.length : end + 1, newText: "" };
}

/** What people call the invisible characters that come along most, else their numbers. */
function codeOf(text: string): string {
  const code = text.codePointAt(0)!;
  const name = code === 0xa0 ? "no-break space" : code === 0x200b ? "zero-width space" : undefined;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return name === undefined ? number : `${name}, ${number}`;
}

const module: RuleModule = {
  rules: [foreignBlank, mergeConflict],
  checks: {
    syntax({ kind, span, text, other }, report) {
      if (kind === "foreign-blank") report(foreignBlank, span, { code: codeOf(text) });
      else if (kind === "merge-conflict")
        report(
          mergeConflict,
          span,
          { isWhole: other !== undefined },
          other && [{ message: "ends here", at: other }],
        );
    },
  },
};
export default module;
