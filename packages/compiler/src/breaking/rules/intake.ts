import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { comparison } from "../comparison.ts";

const renamed = defineRule<{ intake: string; now: string }>({
  id: "breaking/intake-renamed",
  severity: "error",
  concerns: ["registrations", "state", "embedders"],
  summary: "An intake that published workflows use was renamed",
  why: "Registered webhooks and polling states are saved under the intake's name. Under a new name they aren't found: deliveries to registered URLs find no workflow, nobody deletes the registrations, and polling starts from the beginning.",
  guards: ["webhook.name", "polling.name", "D5", "D32", "D40"],
  message: ({ intake, now }) =>
    `The intake \`${intake}\` was removed, and its workflows use \`${now}\`. Registrations and states of \`${intake}\` aren't found, so deliveries are lost or polling starts from the beginning.`,
  help: ({ intake }) => `Keep the name \`${intake}\`. Customers never see it.`,
  examples: [
    {
      title: "D40",
      in: "inbound-webhook",
      at: "",
      published:
        '{"data_intake": [{"type": "webhook", "name": "created"}], "workflows": [{"name": "import", "type": "generic", "data_intake": "created"}]}',
      bad: '{"data_intake": [{"type": "webhook", "name": «"form.created"»}], "workflows": [{"name": "import", "type": "generic", "data_intake": "form.created"}]}',
      good: '{"data_intake": [{"type": "webhook", "name": "created"}], "workflows": [{"name": "import", "type": "generic", "data_intake": "created"}]}',
    },
  ],
});

const otherIntake = defineRule<{ workflow: string; before: string | undefined; now: string | undefined }>({
  id: "breaking/workflow-intake",
  severity: "error",
  concerns: ["registrations", "state"],
  summary: "A published workflow takes its data from another intake",
  why: "Customers who activated the workflow have a registration or a polling state of its intake. Another intake has neither until they activate the workflow again, and the old registrations stay at the service.",
  guards: ["workflow.data_intake", "D32", "D40"],
  message: ({ workflow, before, now }) => {
    if (before === undefined)
      return `\`${workflow}\` now uses the intake \`${now}\`. It had none before, so customers who activated it aren't registered there.`;
    const change = now === undefined ? "has no intake now" : `uses \`${now}\` now`;
    return `\`${workflow}\` was published with the intake \`${before}\` and ${change}. Customers who activated it are registered for \`${before}\` and get no more data.`;
  },
  help: () => "Keep the intake, and add a new workflow for the other one.",
  examples: [
    {
      title: "D40",
      in: "historical-sync",
      at: "/workflows/0/data_intake",
      published: '"order.created"',
      bad: '«"past-orders"»',
      good: '"order.created"',
    },
  ],
});

const type = defineRule<{ intake: string; before: string; now: string }>({
  id: "breaking/intake-type",
  severity: "error",
  concerns: ["registrations", "state"],
  summary: "A published intake switched between webhook and polling",
  why: "Customers who activated the workflow are registered at the service, or have a polling state. The other type of intake has neither for them, and nobody deletes the registrations.",
  guards: ["webhook.type", "polling.type", "D32", "D33", "D40"],
  message: ({ intake, before, now }) =>
    before === "webhook"
      ? `\`${intake}\` changed from a ${before} to a ${now} intake. Customers' webhooks stay registered, and their deliveries are lost.`
      : `\`${intake}\` changed from a ${before} intake to a ${now}. Customers who activated it aren't registered and get no more data.`,
  help: () => "Keep the intake, and add one of the other type with a new workflow.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0",
      published: '{"type": "webhook", "name": "submission.created", "create": {"!http": {"path": "/hooks"}}}',
      bad: '{"type": «"polling"», "name": "submission.created", "request": {"!http": {"path": "/forms"}}}',
      good: '{"type": "webhook", "name": "submission.created", "create": {"!http": {"path": "/webhooks"}}}',
    },
  ],
});

const scope = defineRule<{ intake: string; before: string; now: string }>({
  id: "breaking/intake-scope",
  severity: "error",
  concerns: ["registrations", "state"],
  summary: "A published webhook intake changed its scope",
  why: "The scope says whether a registration belongs to a workflow, a connection or all customers, and where its data is saved. In another scope existing registrations aren't found: deliveries are refused or arrive twice, and nobody deletes the registrations.",
  guards: ["webhook.scope", "D31", "D32", "D40"],
  message: ({ intake, before, now }) =>
    `The scope of \`${intake}\` changed from \`${before}\` to \`${now}\`. Its registrations and their data in \`data.${before}\` aren't found, so deliveries are lost or arrive twice.`,
  help: () => "Keep the scope, and add an intake of the other scope with a new workflow.",
  examples: [
    {
      title: "D40",
      in: "inbound-webhook",
      at: "/data_intake/0/scope",
      published: '"workflow"',
      bad: '«"connection"»',
      good: '"workflow"',
    },
  ],
});

export const intakeRules = comparison(
  [renamed, otherIntake, type, scope],
  ({ workflows, intakes }, report) => {
    const removed = new Set(intakes.removed.map(({ name }) => name));
    const added = new Map(intakes.added.map((intake) => [intake.name, intake]));
    const told = new Set<IntakeSymbol>();
    for (const { previous, current, name: workflow } of workflows.pairs) {
      const before = previous.intake?.name;
      const now = current.intake?.name;
      if (before === now) continue;
      const successor = removed.has(before) ? added.get(now) : undefined;
      if (before !== undefined && now !== undefined && successor !== undefined) {
        // Several workflows with one intake: one mistake.
        if (!told.has(successor))
          report(renamed, successor.nameNode ?? ownerOf(successor.node), { intake: before, now });
        told.add(successor);
        continue;
      }
      report(otherIntake, current.intake?.node ?? ownerOf(current.node), { workflow, before, now });
    }
    for (const { previous, current, name: intake } of intakes.pairs) {
      if (previous.references.length === 0) continue;
      if (previous.type !== undefined && current.type !== undefined && previous.type !== current.type) {
        const at = current.node.get("type") ?? ownerOf(current.node);
        report(type, at, { intake, before: previous.type, now: current.type });
      }
      if (previous.scope !== undefined && current.scope !== undefined && previous.scope !== current.scope) {
        const at = current.node.get("scope") ?? ownerOf(current.node);
        report(scope, at, { intake, before: previous.scope, now: current.scope });
      }
    }
  },
);
