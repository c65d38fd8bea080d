/** For examples: the JSON of another intake, `other.created`. */
export const otherIntake = JSON.stringify({
  type: "webhook",
  name: "other.created",
  scope: "workflow",
  create: {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id}" },
      { "!save": { scope: "workflow" } },
    ],
  },
  delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
});

/**
 * For examples: the JSON of another inbound workflow.
 *
 * @param field id of its only form field
 * @param intake the `data_intake` that it uses
 */
export function secondWorkflow(field: string, intake: string, required = true): string {
  return JSON.stringify({
    name: "acme-import-others",
    label: "Acme - Import others",
    type: "generic",
    auth: "acme",
    data_intake: intake,
    setup: {
      connect: {
        label: "Connect",
        describe_connection: {
          "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }],
        },
      },
      select: {
        label: "Select",
        form_fields: [
          {
            id: field,
            label: "Choice",
            type: "dropdown",
            required,
            options: {
              "!pipe": [
                { "!http": { path: "/choices" } },
                { "!jq": "[.items[] | {display: .title, value: .id}]" },
              ],
            },
          },
        ],
        describe_selection: {
          resource_id: { "!jq": `.custom_data.${field}.value` },
          display: { "!jq": `.custom_data.${field}.display` },
        },
      },
      map: {
        label: "Map fields",
        describe_source: { label: "Source", options: [{ title: "Email", id: "email" }] },
        describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      },
    },
    data_pipeline: { source: { "!jq": "{email: .email}" }, target: { "!resource": "PlatformContact" } },
  });
}

/** For examples with two inbound workflows: a platform that takes any number (D47). */
export const severalInbound = { dialect: { limits: { inboundWorkflows: null } } } as const;
