import type { Samples } from "@configc/compiler";
import { noSamples } from "@configc/compiler";
import { app12k, appWith } from "../../../../test/bench/generate.ts";
import { validConfigs } from "../support/configs.ts";

/** A document to edit, with what is known of its API. */
export interface Subject {
  readonly name: string;
  readonly uri: string;
  readonly text: string;
  readonly samples: Samples;
}

interface App {
  auth: Record<string, unknown>;
  data_intake?: unknown[];
  workflows: unknown[];
}

export function subjects(): readonly Subject[] {
  const examples = validConfigs().map(({ path, text, samples }) => ({
    name: path,
    uri: path,
    text,
    samples,
  }));
  const plain = (name: string, text: string) => ({ name, uri: "a.app.json", text, samples: noSamples });
  return [
    plain("generated", appWith(5)),
    plain("generated, of several stretches", appWith(30)),
    plain("generated, with an outbound workflow", app12k(1)),
    plain("tangled", JSON.stringify(tangled, undefined, 2)),
    plain("all examples in one", together(examples)),
    ...examples,
  ];
}

/** One app with the intakes and workflows of all. */
function together(examples: readonly Subject[]): string {
  const apps = examples.filter(({ uri }) => uri.endsWith(".json")).map(({ text }) => JSON.parse(text) as App);
  return JSON.stringify(
    {
      ...apps[0],
      auth: Object.assign({}, ...apps.map(({ auth }) => auth)) as unknown,
      data_intake: apps.flatMap(({ data_intake }) => data_intake ?? []),
      workflows: apps.flatMap(({ workflows }) => workflows),
    },
    undefined,
    2,
  );
}

/** Intakes that share workflows, saved values that depend on one another, states that depend on what is saved. */
const tangled = {
  $version: "2",
  auth: {
    acme: {
      type: "token",
      configuration: { header_key: "X-Key" },
      defined_fields: { token: { label: "Key" } },
    },
    other: { type: "basic", defined_fields: { subdomain: { label: "Shop" } } },
  },
  api: { base_url: "https://api.example.com/v1", rate_limit: { user: { requests: 10, period: 1 } } },
  data_intake: [
    webhook("first", "{hook_id: .id, cursor: ${data.workflow.token}}"),
    webhook("second", "{token: ${data.workflow.cursor}, hook_id: (.id | tostring)}"),
    {
      type: "polling",
      name: "third",
      initial_setup: { "!jq": "{polling_state: {page: 1, token: ${data.workflow.token}}}" },
      request: {
        "!pipe": [
          {
            "!http": { path: "/items/${custom_data.list.value}", params: { page: "${polling_state.page}" } },
          },
          {
            "!jq":
              "{results: [.items[] | {id, name}], iterate: .more, polling_state: {page: (${polling_state.page} + 1), token: .token}}",
          },
        ],
      },
      post_poll: {
        "!pipe": [
          { "!jq": "{count: (${data.workflow.count} + 1), seen: ${polling_state.token}}" },
          { "!save": { scope: "workflow" } },
          { "!jq": "{polling_state: {page: 1, token: ${data.workflow.seen}}}" },
        ],
      },
    },
  ],
  workflows: [
    workflow("one", "acme", "first", "list"),
    workflow("two", "other", "first", "list"),
    workflow("three", "acme", "third", "list"),
    { ...workflow("four", "acme", "second", "folder"), historical_data_intake: "third" },
    workflow("five", "acme", "third", "items"),
  ],
};

function webhook(name: string, program: string): unknown {
  return {
    type: "webhook",
    name,
    scope: "workflow",
    create: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: "/hooks/${custom_data.list.value}",
            body: { url: "${webhook.url}" },
          },
        },
        { "!jq": program },
        { "!save": { scope: "workflow" } },
      ],
    },
    delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
  };
}

function workflow(name: string, auth: string, intake: string, field: string): object {
  return {
    name: `acme-${name}`,
    label: `Acme - ${name}`,
    description: "Adds a contact for each item.",
    type: "generic",
    resource_type: "items",
    auth,
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
            label: "List",
            type: "dropdown",
            options: {
              "!pipe": [
                { "!http": { path: "/lists", params: { token: "${data.workflow.token}" } } },
                { "!jq": "[.items[] | {display: .title, value: .id}]" },
              ],
            },
          },
          { id: "note", label: "Note", type: "textarea", required: false },
        ],
        describe_selection: {
          resource_id: { "!jq": `.custom_data.${field}.value` },
          display: { "!jq": `.custom_data.${field}.display` },
        },
      },
      map: {
        label: "Map",
        describe_source: {
          label: "Item",
          options: [
            { title: "Name", id: "name" },
            { title: "Id", id: "id" },
          ],
        },
        describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      },
    },
    data_pipeline: {
      source: { "!jq": "{name, id: .id, note: ${custom_data.note.value | default:none}}" },
      target: { "!resource": "PlatformContact" },
    },
  };
}
