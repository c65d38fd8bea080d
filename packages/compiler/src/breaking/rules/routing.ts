import type { Command, IntakeSymbol, WorkflowSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { canonicalCommand, canonicalMember } from "../canonical.ts";
import { comparison } from "../comparison.ts";

const routing = defineRule<{ intake: string; member: string; change: "changed" | "added" | "removed" }>({
  id: "breaking/routing",
  severity: "error",
  concerns: ["registrations"],
  summary: "A published intake routes its payloads by a different value",
  why: "`resource_id` and `account_id` of an intake say whose each payload is: their values are compared with those saved in each customer's setup. A different command gives different values, which match no existing customer, so their payloads are refused.",
  guards: ["webhook.resource_id", "webhook.account_id", "D31", "D40"],
  message: ({ intake, member, change }) => {
    const what =
      change === "changed" ? "has a different command" : change === "added" ? "is new" : "was removed";
    return `\`${member}\` of the intake \`${intake}\` ${what}. Payloads are compared with what the published version saved for customers, and may match nobody, or the wrong customer.`;
  },
  help: ({ member }) => `Keep \`${member}\` as published, unless it certainly gives the same values.`,
  examples: [
    {
      title: "D40",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      published: '{"!jq": ".form.id"}',
      bad: '{«"!jq"»: ".form.slug"}',
      good: '{"!jq": " .form .id "}',
    },
  ],
});

const saved = defineRule<{ workflow: string; member: string }>({
  id: "breaking/saved-identity",
  severity: "warning",
  concerns: ["setups", "registrations"],
  summary: "A published workflow identifies the account or the selection by a different value",
  why: "The `account_id` of `describe_connection` and the `resource_id` of `describe_selection` were saved when the customer set up the workflow, and aren't read again. New setups save different values for the same account or form, so the same account counts as two, and payloads match only one of them.",
  guards: ["connect.describe_connection", "describe_selection.resource_id", "D31", "D40"],
  message: ({ workflow, member }) =>
    `\`${member}\` of \`${workflow}\` now comes from a different value. Existing customers have the old value saved, so the same ${member === "account_id" ? "account" : "selection"} may count as a different one.`,
  help: ({ member }) =>
    `Keep the source of \`${member}\` as published, unless it certainly gives the same values.`,
  examples: [
    {
      title: "D40: account_id",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      published: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
      bad: '{«"!pipe"»: [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .login, description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{description: \\"Signed in as \\\\(.name)\\", account_id: .id}"}]}',
    },
    {
      title: "D40: resource_id",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/resource_id",
      published: '{"!jq": ".custom_data.form.value"}',
      bad: '{«"!jq"»: ".custom_data.form.display"}',
      good: '{"!jq": ".custom_data.form.value # its id"}',
    },
  ],
});

export const routingRules = comparison(
  [routing, saved],
  ({ intakes, workflows, previous, current }, report) => {
    for (const { previous: old, current: now, name: intake } of intakes.pairs) {
      // In another scope nothing is routed as before, which is a finding.
      if (old.references.length === 0 || old.scope !== now.scope || old.type !== now.type) continue;
      for (const member of ["resource_id", "account_id"]) {
        const before = textOfCommand(old.commands.get(member), previous);
        const after = textOfCommand(now.commands.get(member), current);
        if (before === after) continue;
        const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
        report(routing, now.commands.get(member)?.member.key ?? placeOf(now, member), {
          intake,
          member,
          change,
        });
      }
    }
    for (const { previous: old, current: now, name: workflow } of workflows.pairs) {
      const connection = commandOf(now, "connect.describe_connection", current);
      const known = commandOf(old, "connect.describe_connection", previous);
      if (connection !== undefined && known !== undefined) {
        const before = canonicalMember(known, "account_id", previous);
        if (before !== canonicalMember(connection, "account_id", current))
          report(saved, connection.member.key, { workflow, member: "account_id" });
      }
      const selection = commandOf(now, "describe_selection.resource_id", current);
      const before = textOfCommand(commandOf(old, "describe_selection.resource_id", previous), previous);
      if (selection === undefined || before === undefined || readsRenamedField(selection, old, now)) continue;
      if (before !== canonicalCommand(selection, current))
        report(saved, selection.member.key, { workflow, member: "resource_id" });
    }
  },
);

/** Whether a command reads a field whose id changed: that is the finding then. */
function readsRenamedField(command: Command, old: WorkflowSymbol, now: WorkflowSymbol): boolean {
  const known = new Set(old.fields.map(({ id }) => id));
  const { start, end } = command.node;
  return now.fields.some(
    ({ id, references }) =>
      !known.has(id) && references.some(({ node }) => start <= node.start && node.end <= end),
  );
}

function textOfCommand(command: Command | undefined, model: Model): string | undefined {
  return command === undefined ? undefined : canonicalCommand(command, model);
}

function commandOf(workflow: WorkflowSymbol, place: Command["place"]["name"], { commands }: Model) {
  return commands.find(
    (command) => command.unit === workflow && command.parent === undefined && command.place.name === place,
  );
}

function placeOf({ node }: IntakeSymbol, member: string) {
  return node.member(member)?.key ?? ownerOf(node);
}
