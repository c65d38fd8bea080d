import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const workflowLabel = defineRule<{ label: string; suggestion: string | undefined }>({
  id: "style/workflow-label",
  severity: "hint",
  summary: "A workflow's label isn't “Brand - What it does”",
  why: "Customers see the labels of many apps in one list. The brand and then what the workflow does tell them apart. You can change a label at any time.",
  guards: ["workflow.label", "versioning.5"],
  message: ({ label, suggestion }) =>
    `\`${excerpt(label)}\` doesn't have the recommended form "Brand - What it does"${suggestion === undefined ? "" : `: \`${excerpt(suggestion)}\``}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/label",
      bad: '«"Import submissions"»',
      good: '"Acme - Import submissions"',
      fixed: '"Import submissions"',
    },
    {
      title: "with another separator",
      in: "inbound-webhook",
      at: "/workflows/0/label",
      bad: '«"Acme: Import submissions"»',
      good: '"Acme - Import submissions"',
      fixed: '"Acme - Import submissions"',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => {
    if (suggestion === undefined) return [];
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(suggestion) }];
    return [{ title: `Change to \`${excerpt(suggestion)}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [workflowLabel],
  checks: {
    workflow({ node }, report) {
      const label = node.get("label");
      if (label?.kind !== "string" || !label.valid || label.value === "") return;
      // A longer dash is taste within taste.
      if (/\S\s+[-–—]\s+\S/.test(label.value)) return;
      report(workflowLabel, label, { label: label.value, suggestion: separated(label.value) });
    },
  },
};
export default module;

/** The recommended form of a label that has another separator, or one blank of it only. */
function separated(label: string): string | undefined {
  const [, brand, task] = /^([^:|]{1,80}?)(?:\s*[:|]\s+|\s+[-–—]|[-–—]\s+)(\S.*)$/.exec(label.trim()) ?? [];
  return brand === undefined || task === undefined ? undefined : `${brand} - ${task}`;
}
