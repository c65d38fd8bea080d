import type { WorkflowSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { textOf } from "../../parse/syntax-tree.ts";
import { comparison } from "../comparison.ts";
import { likelyRename } from "../versions.ts";

const removed = defineRule<{ workflow: string; renamedTo: string | undefined }>({
  id: "breaking/workflow-removed",
  severity: "error",
  concerns: ["setups", "embedders"],
  summary: "A published workflow was removed",
  why: "Customers' automations name the workflow, so a published name can't change. Those who use it stay on the old version forever and get no corrections, and hosts that embed the app find nothing under that name. You can change the label at any time.",
  guards: ["workflow.name", "versioning.2", "versioning.3", "versioning.4", "D40"],
  message: ({ workflow, renamedTo }) =>
    renamedTo === undefined
      ? `The published workflow \`${workflow}\` was removed. Customers who use it stay on the old version and get no more updates.`
      : `The published workflow \`${workflow}\` was removed, and \`${renamedTo}\` is new. Customers who use \`${workflow}\` stay on the old version and get no more updates.`,
  help: ({ workflow, renamedTo }) =>
    renamedTo === undefined
      ? `Keep \`${workflow}\`, and mark it as retired in its \`label\`.`
      : `If you renamed it, keep the name \`${workflow}\` and change its \`label\`.`,
  examples: [
    {
      title: "D40: a workflow renamed",
      in: "outbound",
      at: "/workflows/0/name",
      published: '"acme-add-to-list"',
      bad: '«"acme-add-contact-to-list"»',
      good: '"acme-add-to-list"',
    },
  ],
});

const type = defineRule<{ workflow: string; before: string; now: string }>({
  id: "breaking/workflow-type",
  severity: "error",
  concerns: ["setups"],
  summary: "A published workflow changed its type",
  why: "The type is the direction. Customers set up the workflow to bring records in or to send contacts out. Their selection and mapping mean nothing in the other direction.",
  guards: ["workflow.type", "versioning.4", "D40"],
  message: ({ workflow, before, now }) =>
    `The type of \`${workflow}\` changed from \`${before}\` to \`${now}\`. Customers' selections and mappings are for the other direction.`,
  help: ({ before }) => `Keep \`${before}\`, and add a new workflow for the other direction.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/type",
      published: '"automations"',
      bad: '«"generic"»',
      good: '"automations"',
    },
  ],
});

export const workflowRules = comparison([removed, type], ({ workflows, current }, report) => {
  for (const workflow of workflows.removed) {
    const renamed = likelyRename(workflow, workflows, sameKind);
    const root = current.document.root;
    const at =
      renamed?.nameNode ??
      (root?.kind === "object" ? (root.member("workflows")?.key ?? ownerOf(root)) : undefined);
    if (at !== undefined) report(removed, at, { workflow: workflow.name ?? "", renamedTo: renamed?.name });
  }
  for (const { previous, current: now, name } of workflows.pairs) {
    const before = textOf(previous.node, "type");
    const after = textOf(now.node, "type");
    // A misspelled or missing type is a finding of `check`.
    if (before === after || !isType(before) || !isType(after)) continue;
    report(type, now.node.get("type") ?? ownerOf(now.node), { workflow: name, before, now: after });
  }
});

function isType(text: string | undefined): text is string {
  return text === "automations" || text === "generic";
}

function sameKind(previous: WorkflowSymbol, current: WorkflowSymbol): boolean {
  return previous.direction === current.direction;
}
