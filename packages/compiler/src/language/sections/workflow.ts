import type { Section } from "../schema.ts";
import { command, list, oneOf, section, text } from "../values.ts";
import { setup } from "./setup.ts";

const labels = (what: string): { value: ReturnType<typeof list>; doc: string; example: unknown } => ({
  value: list(text()),
  doc: `Customer-visible labels of ${what}.`,
  example: ["Contact created"],
});

const resourceLabels: Section = {
  name: "resource labels",
  title: "`resource_labels`",
  doc: "Label overrides that customers see.",
  source: "spec: workflow entry",
  members: {
    webhook_events: labels("webhook events"),
    webhook_objects_updated: labels("the objects that webhooks update"),
    historical_sync_events: labels("events of the historical sync"),
    historical_sync_objects_updated: labels("the objects that the historical sync updates"),
  },
};

const dataPipeline: Section = {
  name: "data pipeline",
  title: "`data_pipeline`",
  doc: "What happens to each item: `source` shapes it, the customer's mapping transforms it, `target` sends it.",
  source: "spec: data_pipeline object",
  members: {
    source: {
      value: command("data_pipeline.source"),
      required: true,
      doc: "Turns the payload or result item into an object with the fields at its root; `null` skips the item.",
      example: { "!jq": "{email: .email, name: .full_name}" },
    },
    target: {
      value: command("data_pipeline.target"),
      required: true,
      doc: "Sends the mapped object to its destination.",
      example: { "!resource": "PlatformContact" },
    },
  },
};

export const workflow: Section = {
  name: "workflow",
  title: "A workflow",
  doc: "One task that customers can set up: a guided setup and a data pipeline.",
  source: "spec: workflow entry",
  declares: "workflow",
  members: {
    name: {
      value: text({ nonEmpty: true, format: "name" }),
      required: true,
      doc: "Unique within the app, immutable once published. Recommended: the slug of the label.",
      example: "acme-import-contacts",
    },
    description: {
      value: text({ format: "sentence" }),
      doc: "One sentence, ending with a period.",
      example: "Adds new contacts from Acme.",
    },
    label: {
      value: text({ nonEmpty: true, format: "label" }),
      required: true,
      doc: 'Customer-visible name, recommended as "Brand Name - What it does". May change at any time.',
      example: "Acme - Import contacts",
    },
    type: {
      value: oneOf("automations", "generic"),
      required: true,
      doc: "`automations` for outbound (the platform to the service), `generic` for inbound.",
      example: "generic",
    },
    resource_type: {
      value: text({ nonEmpty: true }),
      where: { sibling: "type", is: ["generic"] },
      doc: "Inbound only: plural of the resource that sends data. Lets the app be an automation trigger.",
      example: "forms",
    },
    auth: {
      value: text({ refersTo: "auth" }),
      required: true,
      doc: "Name of an entry of top-level `auth`.",
      example: "acme",
    },
    data_intake: {
      value: text({ refersTo: "intake" }),
      required: { direction: "inbound" },
      doc: "Name of the intake that the workflow reads.",
      example: "contact.created",
    },
    historical_data_intake: {
      value: text({ refersTo: "intake", intakeType: "polling" }),
      where: { sibling: "type", is: ["generic"] },
      effective: { intake: "webhook" },
      doc: "Name of a polling intake for a one-time import before the webhook takes over.",
      example: "contacts",
    },
    resource_labels: {
      value: section(() => resourceLabels),
      doc: "Label overrides.",
      example: { webhook_events: ["Contact created"] },
    },
    setup: {
      value: section(() => setup),
      required: true,
      doc: "The guided setup: connect, select, map, schedule.",
      example: { connect: {} },
    },
    data_pipeline: {
      value: section(() => dataPipeline),
      required: true,
      doc: "What happens to each item.",
      example: { source: {}, target: {} },
    },
  },
};
