import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { valueAt } from "../http/at.ts";

const problems = {
  unfinished: "This description doesn't end with a period.",
  exclaimed: "This description ends with another mark than a period.",
  several: "This description is more than one sentence.",
} as const;

const description = defineRule<{ problem: keyof typeof problems }>({
  id: "style/description",
  severity: "hint",
  summary: "A workflow's description should be one sentence with a period",
  why: "Customers see descriptions in a list. They read best as one sentence each, with a period.",
  guards: ["workflow.description"],
  message: ({ problem }) => problems[problem],
  help: () => "Write one sentence, ending with a period.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/description",
      bad: '«"Adds a contact for each submission"»',
      good: '"Adds a contact for each submission."',
      fixed: '"Adds a contact for each submission."',
    },
    {
      title: "two sentences",
      in: "inbound-webhook",
      at: "/workflows/0/description",
      bad: '«"Adds a contact. Then adds a tag."»',
      good: '"Adds a contact with a tag."',
      fixed: '"Adds a contact. Then adds a tag."',
    },
    {
      title: "another mark",
      in: "inbound-webhook",
      at: "/workflows/0/description",
      bad: '«"Adds a contact for each submission!"»',
      good: '"Adds a contact for each submission, e.g. to acme.com."',
      fixed: '"Adds a contact for each submission!"',
    },
  ],
  fixes: ({ at }, { document }) => {
    const node = valueAt(document, at);
    if (node?.kind !== "string" || !isCertainlyOne(node.value)) return [];
    const end = node.value.trimEnd().length;
    const edits = [replaceInString(document, node, end, node.value.length, ".")];
    return [{ title: "Add the period", safe: true, edits }];
  },
});

const module: RuleModule = {
  rules: [description],
  checks: {
    workflow({ node }, report) {
      const value = node.get("description");
      if (value?.kind !== "string" || !value.valid) return;
      const problem = problemOf(value.value.trim());
      if (problem !== undefined) report(description, value, { problem });
    },
  },
};
export default module;

/** Full stops that end no sentence: "e.g.", "Inc.", initials. */
const abbreviation =
  /(?<!\p{L})(?:\p{L}|e\.g|i\.e|etc|vs|resp|incl|approx|inc|ltd|co|corp|dr|mr|mrs|ms|st|no)\.(?=\s)/giu;

function problemOf(text: string): keyof typeof problems | undefined {
  if (text === "") return undefined;
  if (/[.?]["'”’)\]]*\s+\p{Lu}/u.test(text.replace(abbreviation, ""))) return "several";
  if (/[.…。]["'”’)\]]*$/u.test(text)) return undefined;
  return /[!?！？]["'”’)\]]*$/u.test(text) ? "exclaimed" : "unfinished";
}

/** One line of several words that ends as a word does, without anything inside that may end a sentence. */
function isCertainlyOne(text: string): boolean {
  const line = text.trim();
  return /^\S+(?: \S+){2,}$/.test(line) && /[\p{L}\p{N}]$/u.test(line) && !/[.!?…:;。](?:\s|$)/u.test(line);
}
