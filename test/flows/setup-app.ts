import { type App, compile } from "@configc/compiler";

/** An app with every step of a setup, for the tests of the rows of its tables. */
const options = [
  { display: "One", value: 1 },
  { display: "Two", value: 2 },
];
const form_fields = [
  { id: "name", label: "Name", type: "text", placeholder: "Your name", help_text: "**Any**", options: [] },
  {
    id: "list",
    label: "List",
    type: "dropdown",
    search_term: "q",
    options: {
      "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
    },
  },
  { id: "tags", label: "Tags", type: "multiselect", required: false, options },
];
export const workflow = {
  name: "import",
  label: "Acme - Import",
  type: "generic",
  auth: "acme",
  data_intake: "items",
  setup: {
    connect: {
      label: "Connect",
      help_text: "*Log in*",
      describe_connection: {
        "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }],
      },
    },
    select: {
      label: "Select",
      form_fields,
      describe_selection: {
        resource_id: { "!jq": '"list-\\(.custom_data.list.value)"' },
        display: { "!jq": ".custom_data.list.display" },
      },
    },
    map: {
      label: "Map",
      describe_source: {
        label: "Acme's fields",
        options: [
          { title: "E-mail", id: "mail", group: "person" },
          { title: "Number", id: 7, group: "order" },
        ],
      },
      describe_target: {
        label: "Ours",
        options: [
          { title: "Email", id: "email", required: true, group: "contact" },
          { title: "Kind", id: "kind", group: "contact", source_fields: [{ title: "Lead", id: "lead" }] },
        ],
      },
      default_group: "contact",
    },
    schedule: {
      label: "Schedule",
      description: "How often",
      import_options: [
        { label: "Always", type: "recurring" },
        { label: "Once", type: "single" },
      ],
      frequency: 1800,
    },
    review_events: { label: "Events", header: "What happened", description: "All of it" },
    review_objects: { label: "Objects", header: "What there is", description: "All of that" },
  },
  data_pipeline: { source: { "!jq": "." }, target: { "!jq": "{sent: .}" } },
};

/** @param more members of the workflow, instead of its own */
export function appOf(origin: string, more: object = {}): App {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      auth: { acme: { type: "oauth2", configuration: {} } },
      api: { base_url: origin },
      data_intake: [{ type: "polling", name: "items", request: { "!jq": "{results: []}" } }],
      workflows: [{ ...workflow, ...more }],
      objects: [],
    }),
  );
  return app;
}
