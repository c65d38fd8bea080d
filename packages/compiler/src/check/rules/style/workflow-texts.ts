import { textOf } from "../../../bind/model.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const workflowSlug = defineRule<{ name: string; slug: string }>({
  id: "style/workflow-name",
  severity: "hint",
  summary: "A workflow's name that isn't the slug of its label",
  why: "A name can't be changed once the workflow is published, so it pays to choose it well: the label in lower case, with dashes for all that isn't a letter or digit, is what others expect to find in logs and saved setups.",
  guards: ["workflow.name"],
  message: ({ name, slug }) => `\`${name}\` isn't the slug of the label: \`${slug}\`.`,
  help: () => "Change it only before the workflow is published: customers' setups refer to it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/name",
      bad: '«"AcmeImport"»',
      good: '"acme-import-submissions"',
      fixed: '"acme-import-submissions"',
    },
  ],
  fixes: ({ at, args }, { document }) => [
    {
      title: `Change to \`${args.slug}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(args.slug) }],
    },
  ],
});

const workflowLabel = defineRule<{ label: string }>({
  id: "style/workflow-label",
  severity: "hint",
  summary: "A workflow's label that isn't \"Brand - What it does\"",
  why: "Customers see the labels of many apps in one list. The brand first, then what the workflow does, tells them apart.",
  guards: ["workflow.label"],
  message: ({ label }) => `\`${label}\` isn't of the recommended form "Brand - What it does".`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/label",
      bad: '«"Import submissions"»',
      good: '"Acme - Import submissions"',
    },
  ],
});

const descriptionSentence = defineRule<Record<string, never>>({
  id: "style/description",
  severity: "hint",
  summary: "A workflow's description that isn't one sentence with a period",
  why: "Descriptions stand below each other; one sentence each, ending with a period, reads as one text.",
  guards: ["workflow.description"],
  message: () => "A description is one sentence that ends with a period.",
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
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    if (
      !/[\p{L}\p{N})]"$/u.test(document.text.slice(start, end)) ||
      /[.!?]\s/.test(document.text.slice(start, end))
    )
      return [];
    return [{ title: "Add the period", safe: true, edits: [{ start: end - 1, end: end - 1, newText: "." }] }];
  },
});

const pluralResource = defineRule<{ type: string }>({
  id: "style/resource-type",
  severity: "hint",
  summary: "A `resource_type` in the singular",
  why: "The platform shows it as a heading over the resources that customers can choose as a trigger: `forms`, `pages`.",
  guards: ["workflow.resource_type"],
  message: ({ type }) =>
    `\`resource_type\` is a plural, such as \`forms\`; \`${type}\` looks like a singular.`,
  examples: [{ in: "inbound-webhook", at: "/workflows/0/resource_type", bad: '«"form"»', good: '"forms"' }],
});

const module: RuleModule = {
  rules: [workflowSlug, workflowLabel, descriptionSentence, pluralResource],
  checks: {
    workflow({ node, name, nameNode }, report) {
      const label = textOf(node, "label");
      if (name && label && nameNode !== undefined) {
        const slug = slugOf(label);
        if (slug !== "" && name !== slug) report(workflowSlug, nameNode, { name, slug });
      }
      if (label && !/^\S.* - \S/.test(label)) report(workflowLabel, node.get("label")!, { label });
      const description = textOf(node, "description");
      if (description && !isSentence(description)) report(descriptionSentence, node.get("description")!, {});
      const type = textOf(node, "resource_type");
      if (type && isSingular(type)) report(pluralResource, node.get("resource_type")!, { type });
    },
  },
};
export default module;

/** Lower case, with one dash for each run of other characters. */
function slugOf(label: string): string {
  return label
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

function isSentence(text: string): boolean {
  const trimmed = text.trim();
  // A period inside a word, as in "example.com" or "v1.2", doesn't end a sentence.
  return (
    /[.!?]$/.test(trimmed) &&
    !/[.!?]\s+\p{Lu}/u.test(trimmed.replace(/\b(?:e\.g|i\.e|etc|vs|Inc|Ltd|Dr|Mr|Ms|No)\.\s/g, ""))
  );
}

/** English words that certainly aren't plurals; anything unusual stays silent. */
function isSingular(word: string): boolean {
  return (
    /^[a-z][a-z_ -]*[a-z]$/i.test(word) &&
    !/(?:s|men|people|children|data|media|news|feet|teeth|mice|geese|criteria|sheep|series|stuff|staff|equipment|information|feedback)$/i.test(
      word,
    )
  );
}
