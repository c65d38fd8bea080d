import type { WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember } from "../../edits.ts";
import { keyOf, ownerOf } from "../../locate.ts";
import { hasMember, memberAt } from "../http/at.ts";
import { removeFix } from "../workflow/remove.ts";

type Kind = "outbound" | "historical" | "webhook";

const reasons: Readonly<Record<Kind, string>> = {
  outbound: "an outbound workflow runs when a contact reaches it",
  historical: "historical sync polls once, and then its webhook delivers new data",
  webhook: "the service sends to its webhook, and nothing is polled",
};

const misplacedSchedule = defineRule<{ kind: Kind }>({
  id: "setup/misplaced-schedule",
  severity: "error",
  summary: "A `schedule` step in a workflow that doesn't poll",
  why: "`schedule` asks the customer how often to poll. Outbound workflows, workflows with a webhook and historical sync don't poll, so the platform refuses the step.",
  guards: ["setup.schedule", "historical.3", "D43"],
  message: ({ kind }) => `This workflow can't have a \`schedule\` step: ${reasons[kind]}.`,
  help: ({ kind }) =>
    kind === "historical"
      ? "Remove it."
      : "Remove it. It belongs to inbound workflows whose intake is of type `polling`.",
  examples: [
    {
      title: "outbound",
      in: "outbound",
      at: "/workflows/0",
      bad: outbound(
        ', «"schedule"»: {"label": "Schedule", "description": "When", "import_options": [{"label": "Once", "type": "single"}], "frequency": 1800}',
      ),
      good: outbound(""),
      fixed: outbound(""),
    },
    {
      title: "historical sync",
      in: "historical-sync",
      at: "/workflows/0/setup",
      bad: setup(
        "shop",
        ', «"schedule"»: {"label": "Schedule", "description": "When", "import_options": [{"label": "Once", "type": "single"}], "frequency": 1800}',
      ),
      good: setup("shop", ""),
      fixed: setup("shop", ""),
    },
    {
      title: "a webhook",
      in: "inbound-webhook",
      at: "/workflows/0/setup",
      bad: setup(
        "form",
        ', «"schedule"»: {"label": "Schedule", "description": "When", "import_options": [{"label": "Once", "type": "single"}], "frequency": 1800}',
      ),
      good: setup("form", ""),
      fixed: setup("form", ""),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const suggestion = {
  label: "Schedule",
  description: "Choose how to import.",
  import_options: [
    { label: "Keep importing", type: "recurring" },
    { label: "Import once", type: "single" },
  ],
  frequency: 1800,
};

const missingSchedule = defineRule<{ intake: string }>({
  id: "setup/missing-schedule",
  severity: "error",
  summary: "A workflow that polls has no `schedule` step",
  why: "In the `schedule` step the customer chooses whether to import once or repeatedly. Without it the platform doesn't know when to poll and refuses the workflow.",
  guards: ["setup.schedule", "limit.frequency", "D43"],
  message: ({ intake }) => `The setup needs a \`schedule\` step, because \`${intake}\` is a polling intake.`,
  help: () => "Add `schedule` with `label`, `description`, `import_options` and a `frequency` of 1800.",
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0",
      bad: inbound(setup("list", "")),
      good: inbound(setup("list", `, "schedule": ${JSON.stringify(suggestion)}`), ""),
      fixed: inbound(setup("list", `, "schedule": ${JSON.stringify(suggestion)}`), ""),
    },
  ],
  fixes: ({ at }, { document }) => {
    const setup = memberAt(document, at)?.value;
    if (setup?.kind !== "object") return [];
    return [
      {
        title: "Add a `schedule` step",
        safe: false,
        edits: [addMember(document, setup, "schedule", suggestion)],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [misplacedSchedule, missingSchedule],
  checks: {
    workflow(workflow, report, { document }) {
      const setup = workflow.node.get("setup");
      if (setup?.kind !== "object") return;
      const member = setup.member("schedule");
      if (member !== undefined) {
        const kind = noSchedule(workflow);
        if (kind !== undefined) report(misplacedSchedule, keyOf(member), { kind });
        return;
      }
      const { direction, intake } = workflow;
      const polls = direction === "inbound" && intake?.target?.type === "polling";
      // That a polling workflow has no historical intake is said there.
      if (!polls || hasMember(workflow.node, "historical_data_intake") || hasMember(setup, "schedule"))
        return;
      if (mayBeIncomplete(document, workflow.node)) return;
      report(missingSchedule, ownerOf(setup), { intake: intake.target?.name ?? intake.name });
    },
  },
};
export default module;

/** Why a workflow has no schedule, if that is certain. */
function noSchedule({ direction, intake, node }: WorkflowSymbol): Kind | undefined {
  if (direction !== "inbound") return direction;
  const type = intake?.target?.type;
  if (type === "polling") return undefined;
  return node.member("historical_data_intake") === undefined ? type : "historical";
}

function setup(field: string, more: string): string {
  return `{"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}, "select": {"label": "Select", "form_fields": [{"id": "${field}", "label": "List", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}}], "describe_selection": {"resource_id": {"!jq": ".custom_data.${field}.value"}, "display": {"!jq": ".custom_data.${field}.display"}}}, "map": {"label": "Map", "describe_source": {"label": "Person", "options": [{"title": "Email", "id": "email"}]}, "describe_target": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}}${more}}`;
}

function inbound(setup: string, mark = "«»"): string {
  const key = `${mark.charAt(0)}"setup"${mark.charAt(1)}`;
  return `{"name": "acme-import", "label": "Acme - Import", "type": "generic", "auth": "acme", "data_intake": "customers", ${key}: ${setup}, "data_pipeline": {"source": {"!jq": "{email}"}, "target": {"!resource": "PlatformContact"}}}`;
}

function outbound(more: string): string {
  return `{"name": "acme-add", "label": "Acme - Add", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}${more}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;
}
