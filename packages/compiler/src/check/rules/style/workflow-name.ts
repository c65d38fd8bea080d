import { defineRule } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { isSlugOf, slugOf } from "./slug.ts";

const workflowName = defineRule<{ name: string; slug: string }>({
  id: "style/workflow-name",
  severity: "hint",
  summary: "A workflow's name isn't the slug of its label",
  why: "You can't change the name of a published workflow, so choose it well. In logs and saved setups others expect the slug of the label: lower case, with dashes between letters and digits. If the workflow is published, keep its name.",
  guards: ["workflow.name", "limit.workflow-name", "versioning.3"],
  message: ({ name, slug }) =>
    `\`${excerpt(name)}\` isn't the slug of the label, which would be \`${excerpt(slug)}\`.`,
  help: () => "Change it only before you publish the workflow: customers' setups refer to it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/name",
      bad: '«"AcmeImport"»',
      good: '"acme-import-submissions"',
      fixed: '"acme-import-submissions"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const edits = [{ ...spanOf(document, at), newText: JSON.stringify(args.slug) }];
    return [{ title: `Change to \`${excerpt(args.slug)}\``, safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [workflowName],
  checks: {
    document(model, report) {
      const others = otherNames(model);
      if (others.length === 0) return;
      const names = new Set(model.workflows.map(({ name }) => name));
      // A slug that another workflow has can't be recommended.
      for (const { at, name, slug } of others) if (!names.has(slug)) report(workflowName, at, { name, slug });
    },
  },
};
export default module;

/** Names that aren't the slugs of their labels. */
const otherNames = derivedByPart(({ workflows }) =>
  workflows.flatMap(({ node, nameNode }) => {
    const label = textOf(node, "label");
    const name = nameNode?.valid === true ? nameNode.value : "";
    if (nameNode === undefined || name === "" || !label || isSlugOf(name, label)) return [];
    const slug = slugOf(label);
    return slug === "" ? [] : [{ at: nameNode, name, slug }];
  }),
);
