import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const emptyDocument = defineRule<Record<string, never>>({
  id: "syntax/empty-document",
  severity: "error",
  summary: "The document is empty",
  why: "A config is one JSON object. `configc init` writes one to start from.",
  guards: ["D1"],
  message: () => "The document is empty. A config is one JSON object.",
  help: () => "Run `configc init` to create one.",
  examples: [{ in: "document", bad: "«»", good: '{"$version": "2"}' }],
});

const contentAfterEnd = defineRule<{ text: string }>({
  id: "syntax/content-after-end",
  severity: "error",
  summary: "Something follows the end of the document",
  why: "A config is one JSON value. A second one makes the whole file unreadable.",
  guards: ["D1"],
  message: ({ text }) => `The document ends before \`${text}\`.`,
  help: () => "Remove it, or check whether an earlier bracket closes too early.",
  examples: [
    {
      in: "document",
      bad: '{"$version": "2"}\n«{»"auth": {}}',
      good: '{"$version": "2"}',
      also: ["structure/missing-member"],
    },
  ],
});

const encoding = defineRule<Record<string, never>>({
  id: "syntax/encoding",
  severity: "error",
  summary: "The file isn't UTF-8",
  why: "Configs are UTF-8 (D1). In another encoding, customers see wrong characters instead of letters with accents.",
  guards: ["D1"],
  message: () => "The file isn't valid UTF-8 from here on.",
  help: () => "Save it as UTF-8 in your editor.",
  // The example is text; a test feeds the bytes.
  examples: [{ in: "document", bad: '{"$version": "2"}', good: '{"$version": "2"}', also: ["bytes"] }],
});

const module: RuleModule = {
  rules: [emptyDocument, contentAfterEnd, encoding],
  checks: {
    syntax({ kind, span, text }, report) {
      if (kind === "empty-document") report(emptyDocument, span, {});
      else if (kind === "content-after-end") report(contentAfterEnd, span, { text: excerpt(text, 30) });
      else if (kind === "encoding") report(encoding, span, {});
    },
  },
};
export default module;
