import type { Member, Section, VariantValue } from "../schema.ts";
import { command, integer, oneOf, text } from "../values.ts";

const type: Member = {
  value: oneOf("webhook", "polling"),
  required: true,
  doc: "`webhook`: the service pushes. `polling`: the platform pulls.",
  example: "webhook",
};

const name: Member = {
  value: text({ nonEmpty: true, format: "name" }),
  required: true,
  doc: "Unique among all intakes. Recommended: for a webhook the event's name, for polling the resource's.",
  example: "contact.created",
};

const webhook: Section = {
  name: "webhook intake",
  title: "A webhook intake",
  doc: "A URL of the platform that the service sends data to, and the commands that register it.",
  source: "spec: data_intake entry: webhook",
  declares: "intake",
  members: {
    type,
    name,
    scope: {
      value: oneOf("workflow", "connection", "application"),
      required: true,
      doc: "One registration per workflow installation (`workflow`), per connected account (`connection`), or one for all (`application`).",
      example: "workflow",
      source: "D31",
    },
    create: {
      value: command("intake.create"),
      required: true,
      doc: "Registers `${webhook.url}` with the service and saves the registration's id.",
      example: {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "workflow" } },
        ],
      },
    },
    update: {
      value: command("intake.update"),
      doc: "Changes a registration when the setup changes.",
      example: {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
    },
    delete: {
      value: command("intake.delete"),
      required: true,
      tolerated: "warning",
      doc: "Deletes the registration, so that the service stops sending.",
      example: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    },
    resource_id: {
      value: command("intake.resource_id"),
      tier: "ext",
      source: "D31, D47",
      required: { sibling: "scope", is: ["connection"] },
      doc: "Picks from the payload which resource it is about; compared with describe_selection's `resource_id`.",
      example: { "!jq": ".form_id" },
    },
    account_id: {
      value: command("intake.account_id"),
      tier: "ext",
      source: "D31",
      required: { sibling: "scope", is: ["application"] },
      doc: "Picks from the payload whose account it is; compared with describe_connection's `account_id`.",
      example: { "!jq": ".account.id" },
    },
    verification: {
      value: command("intake.verification"),
      tier: "ext",
      source: "D31",
      doc: "Answers a validation request of the service, or checks a signature.",
      example: { "!respond": { code: 200, body: "ok" } },
    },
    delivery_id: {
      value: command("intake.delivery_id"),
      tier: "ext",
      source: "D51",
      doc: "The sender's id of a delivery, which identifies one that is sent again: a string or number that names one event and stays the same on each retry. Not the id of a record, a subscription or an attempt.",
      example: { "!jq": '.headers["x-acme-message"]' },
    },
  },
};

const polling: Section = {
  name: "polling intake",
  title: "A polling intake",
  doc: "Requests at intervals, with a state that is saved between them.",
  source: "spec: data_intake entry: polling",
  declares: "intake",
  members: {
    type,
    name,
    initial_setup: {
      value: command("intake.initial_setup"),
      doc: "Runs once when a customer configures or resets the workflow; usually sets `polling_state`.",
      example: { "!jq": "{polling_state: {page: 1}}" },
    },
    pre_poll: {
      value: command("intake.pre_poll"),
      doc: "Runs once per cycle before `request`.",
      example: { "!jq": "{polling_state: {page: 1}}" },
    },
    request: {
      value: command("intake.request"),
      required: true,
      doc: "Fetches one portion; repeated while `iterate` is true. Gives `{results, iterate, polling_state}`.",
      example: {
        "!pipe": [
          { "!http": { path: "/contacts", params: { page: "${polling_state.page}" } } },
          {
            "!jq":
              "{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}",
          },
        ],
      },
    },
    post_poll: {
      value: command("intake.post_poll"),
      doc: "Runs once per cycle after the last request.",
      example: { "!jq": "{polling_state: {page: 1}}" },
    },
    frequency: {
      value: integer({ minimum: 60 }),
      doc: "Custom-object workflows only: seconds between cycles, 1800 recommended.",
      example: 1800,
    },
    import_option: {
      value: oneOf("single", "recurring"),
      doc: "Custom-object workflows only: import once or repeatedly.",
      example: "recurring",
    },
  },
};

const unknownIntake: Section = {
  name: "intake",
  title: "An intake",
  doc: "Where inbound data comes from.",
  source: "spec: data_intake entry: webhook",
  declares: "intake",
  open: true,
  members: { type, name },
};

export const intake: VariantValue = {
  kind: "variant",
  by: "type",
  toldByMembers: true,
  variants: { webhook: () => webhook, polling: () => polling },
  otherwise: () => unknownIntake,
};
