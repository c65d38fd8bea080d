import { type App, compile } from "@configc/compiler";
import { createRuntime, type Effects, memoryStore, type Runtime, type Store } from "@configc/runtime";
import { testEffects } from "../support/effects.ts";

/** An app whose workflows have every kind of step and field; nothing of it needs a network. */
export function setupApp(base = "http://127.0.0.1:1"): App {
  const jq = (program: string) => ({ "!jq": program });
  const connect = {
    label: "Connect",
    help_text: "With *care*",
    describe_connection: jq('{account_id: (.data.connection.account // 7), description: "Ada"}'),
  };
  const fixed = (ids: readonly unknown[]) => ids.map((id) => ({ id, title: `Is ${id}` }));
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      auth: { acme: { type: "token", configuration: { header_key: "x-key", verify_url: `${base}/me` } } },
      api: { base_url: base },
      data_intake: [
        { type: "polling", name: "rows", request: jq("{results: [], iterate: false, polling_state: {}}") },
      ],
      workflows: [
        {
          name: "in",
          label: "In",
          type: "generic",
          auth: "acme",
          data_intake: "rows",
          setup: {
            connect,
            select: {
              label: "Select",
              form_fields: [
                {
                  id: "form",
                  label: "Form",
                  type: "dropdown",
                  options: jq('[{display: "One", value: 1}, {display: "Two", value: "2"}]'),
                },
                {
                  id: "part",
                  label: "Part",
                  type: "dropdown",
                  options: jq('[1, 2 | {display: "Part \\(.)", value: "${custom_data.form.value}-\\(.)"}]'),
                },
                {
                  id: "kinds",
                  label: "Kinds",
                  type: "multiselect",
                  required: false,
                  options: [
                    { display: "A", value: "a" },
                    { display: "B", value: "b" },
                  ],
                },
                { id: "note", label: "Note", type: "textarea", required: false, personalize: false },
                {
                  id: "found",
                  label: "Found",
                  type: "dropdown",
                  required: false,
                  search_term: "q",
                  options: {
                    "!pipe": [{ "!http": { path: "/found" } }, jq("[.found[] | {display: ., value: .}]")],
                  },
                },
              ],
              describe_selection: {
                resource_id: jq("${custom_data.part.value}"),
                display: jq('"${custom_data.form.display}: ${custom_data.part.display}"'),
              },
            },
            map: {
              label: "Map",
              default_group: "contact",
              describe_source: {
                label: "Rows",
                options: jq(
                  '[{id: "mail", title: "Mail"}, {id: 5, title: "Five"}, {id: "of ${custom_data.form.value}", title: "Own"}]',
                ),
              },
              describe_target: {
                label: "Fields",
                options: [
                  { group: "contact", id: "email", title: "Email" },
                  { group: "contact", id: "name", title: "Name" },
                  { group: "deal", id: "name", title: "Deal", required: true },
                  { group: "deal", id: "stage", title: "Stage", source_fields: fixed([1, "won"]) },
                ],
              },
            },
            schedule: {
              label: "Schedule",
              description: "When",
              import_options: [{ label: "Always", type: "recurring" }],
              frequency: 1800,
            },
            review_events: { header: "Events" },
            review_objects: { label: "Objects" },
          },
          data_pipeline: { source: jq("."), target: jq(".") },
        },
        {
          name: "out",
          label: "Out",
          type: "automations",
          auth: "acme",
          setup: {
            connect,
            map: {
              label: "Map",
              describe_source: { label: "Contact", options: [{ id: "email", title: "Email" }] },
              describe_target: { label: "Row", options: [{ id: "a", title: "A" }] },
            },
          },
          data_pipeline: { source: jq("."), target: jq(".") },
        },
      ],
      objects: [{ name: "o" }],
    }),
  );
  return app;
}

export function setupRuntime(options: { base?: string; effects?: Effects; store?: Store } = {}): Runtime {
  const { base, effects = testEffects(), store = memoryStore() } = options;
  return createRuntime(setupApp(base), effects, { store, name: "shop" });
}

export const mapping = {
  v: 1,
  entries: [
    { source: { id: "mail" }, target: { group: "contact", id: "email" } },
    { source: { id: 5 }, target: { group: "deal", id: "name" } },
    { value: 1, target: { group: "deal", id: "stage" } },
  ],
} as const;
