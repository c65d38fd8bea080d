import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { comparison } from "../comparison.ts";

const renamed = defineRule<{ intake: string; now: string }>({
  id: "breaking/intake-renamed",
  severity: "error",
  concerns: ["registrations", "state", "embedders"],
  summary: "An intake that published workflows use was renamed",
  why: "Registered webhooks and saved polling states are kept by the name of the intake. Under another name they aren't found: deliveries to registered addresses find no workflow, nobody removes the registrations, and polling begins from the start.",
  guards: ["webhook.name", "polling.name", "D5", "D32", "D40"],
  message: ({ intake, now }) =>
    `The intake \`${intake}\` isn't there any more, and its workflows use \`${now}\`: what is registered and saved for \`${intake}\` isn't found, so deliveries get lost or polling begins from the start.`,
  help: ({ intake }) => `Keep the name \`${intake}\`; customers never see it.`,
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
  why: "Customers who activated the workflow are registered for its intake, or polled by it. Another intake knows nothing of them: it isn't registered for them until they activate the workflow again, and the registrations of the old one go on at the third party.",
  guards: ["workflow.data_intake", "D32", "D40"],
  message: ({ workflow, before, now }) => {
    if (before === undefined)
      return `\`${workflow}\` was published without an intake, and uses \`${now}\` now: customers who activated it aren't registered there.`;
    const change = now === undefined ? "has no intake now" : `uses \`${now}\` now`;
    return `\`${workflow}\` was published with the intake \`${before}\`, and ${change}: customers who activated it are registered for \`${before}\`, and get nothing more.`;
  },
  help: () => "Keep the intake, and write a workflow of its own for the other one.",
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
  why: "Customers who activated the workflow are registered at the third party, or polled with a state of theirs. The other kind of intake has neither for them, and nobody removes what was registered.",
  guards: ["webhook.type", "polling.type", "D32", "D33", "D40"],
  message: ({ intake, before, now }) =>
    before === "webhook"
      ? `\`${intake}\` was published as a ${before}, and is a ${now} intake now: the webhooks of customers stay registered, and what they deliver is lost.`
      : `\`${intake}\` was published as a ${before} intake, and is a ${now} now: customers who activated it aren't registered, and get nothing more.`,
  help: () => "Keep the intake, and write one of the other kind, with a workflow of its own, beside it.",
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
  why: "The scope says whose one registration is: of a workflow, of a connection, or of all customers, and where its data is saved. In another scope the registrations that are there aren't found: deliveries are refused or come twice, and nobody removes them.",
  guards: ["webhook.scope", "D31", "D32", "D40"],
  message: ({ intake, before, now }) =>
    `\`${intake}\` was published with the scope \`${before}\`, and has \`${now}\` now: its registrations, and what they saved in \`data.${before}\`, aren't found, so deliveries get lost or come twice.`,
  help: () =>
    "Keep the scope, and write an intake of the other scope, with a workflow of its own, beside it.",
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
