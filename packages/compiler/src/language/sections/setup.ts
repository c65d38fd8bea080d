import type { Section } from "../schema.ts";
import { command, integer, list, oneOf, section, text } from "../values.ts";
import { formField } from "./form-field.ts";
import { map } from "./map.ts";

const stepLabel = {
  value: text({ nonEmpty: true }),
  required: true,
  doc: "Name of the step.",
  example: "Connect",
} as const;

const connect: Section = {
  name: "connect step",
  title: "`connect`",
  doc: "Authorises with the service and verifies the connection.",
  source: "spec: setup object, connect",
  members: {
    label: stepLabel,
    describe_connection: {
      value: command("connect.describe_connection"),
      required: true,
      doc: "Gives `{account_id, description}` of the connected account.",
      example: {
        "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }],
      },
    },
    help_text: {
      value: text({ format: "markdown" }),
      doc: "Guidance under the step.",
      example: "You need to be an admin.",
    },
  },
};

const describeSelection: Section = {
  name: "selection description",
  title: "`describe_selection`",
  doc: "Says which external resource the customer selected.",
  source: "spec: setup object, select",
  members: {
    resource_id: {
      value: command("describe_selection.resource_id"),
      required: true,
      doc: "Identifies the selected resource.",
      example: { "!jq": ".custom_data.form.value" },
    },
    display: {
      value: command("describe_selection.display"),
      required: true,
      doc: "How the selection is shown.",
      example: { "!jq": ".custom_data.form.display" },
    },
  },
};

const select: Section = {
  name: "select step",
  title: "`select`",
  doc: "A form in which the customer chooses what to sync.",
  source: "spec: setup object, select",
  members: {
    label: stepLabel,
    description: {
      value: text(),
      tier: "ext",
      source: "D41",
      doc: "Text above the form.",
      example: "Choose a form.",
    },
    form_fields: {
      value: list(section(() => formField)),
      required: true,
      doc: "The fields of the form.",
      example: [{ id: "form", label: "Form", type: "dropdown" }],
    },
    describe_selection: {
      value: section(() => describeSelection),
      required: { direction: "inbound" },
      doc: "Inbound only: says which resource was selected.",
      example: {
        resource_id: { "!jq": ".custom_data.form.value" },
        display: { "!jq": ".custom_data.form.display" },
      },
    },
  },
};

const importOption: Section = {
  name: "import option",
  title: "An import option",
  doc: "A way to import that the customer may choose.",
  source: "spec: schedule object",
  members: {
    label: {
      value: text({ nonEmpty: true }),
      required: true,
      doc: "Shown label.",
      example: "Keep importing",
    },
    type: {
      value: oneOf("recurring", "single"),
      required: true,
      doc: "Import repeatedly, or once.",
      example: "recurring",
    },
  },
};

const schedule: Section = {
  name: "schedule step",
  title: "`schedule`",
  doc: "Polling workflows only: how often data is imported.",
  source: "spec: schedule object",
  members: {
    label: stepLabel,
    description: {
      value: text(),
      required: true,
      doc: "Explains the step.",
      example: "Choose how to import.",
    },
    import_options: {
      value: list(
        section(() => importOption),
        { minimum: 1, maximum: 2 },
      ),
      required: true,
      doc: "One or both types.",
      example: [{ label: "Keep importing", type: "recurring" }],
    },
    frequency: {
      value: integer({ only: 1800 }),
      required: true,
      doc: "Seconds between polling runs; fixed at 1800.",
      example: 1800,
    },
  },
};

const review = (what: string): Section => ({
  name: `review_${what} step`,
  title: `\`review_${what}\``,
  doc: `Shows the customer the ${what} that will be created. Only meaningful with custom objects.`,
  source: "spec: setup object, review_events / review_objects",
  members: {
    label: { value: text(), doc: "Text in the stepper.", example: "Review" },
    header: { value: text(), doc: "Heading of the review.", example: "What you get" },
    description: { value: text(), doc: "Explanatory text.", example: "These will be created." },
  },
});
const reviewEvents = review("events");
const reviewObjects = review("objects");

export const setup: Section = {
  name: "setup",
  title: "`setup`",
  doc: "The guided setup of a workflow.",
  source: "spec: setup object",
  members: {
    connect: {
      value: section(() => connect),
      required: true,
      doc: "Authorise and verify the connection.",
      example: { label: "Connect" },
    },
    select: {
      value: section(() => select),
      required: { direction: "inbound" },
      doc: "Choose the external resource.",
      example: { label: "Select", form_fields: [] },
    },
    map: {
      value: section(() => map),
      required: { direction: "inbound" },
      doc: "Map fields between the systems.",
      example: { label: "Map" },
    },
    schedule: {
      value: section(() => schedule),
      effective: { direction: "inbound", intake: "polling" },
      doc: "Polling inbound workflows only: how often to import.",
      example: { label: "Schedule", frequency: 1800 },
    },
    review_events: {
      value: section(() => reviewEvents),
      doc: "Shows the events that will be created.",
      example: { header: "Events" },
    },
    review_objects: {
      value: section(() => reviewObjects),
      doc: "Shows the objects that will be created.",
      example: { header: "Objects" },
    },
  },
};
