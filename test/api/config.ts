import { type App, compile } from "@configc/compiler";
import { CLIENT_ID, CLIENT_SECRET } from "./oauth.ts";

export const connectNode = "/workflows/0/setup/connect/describe_connection";
export const formNode = "/workflows/0/setup/select/form_fields/0/options";
export const sourceNode = "/workflows/0/data_pipeline/source";

export interface ConfigOptions {
  readonly pagination?: "page" | "limitoffset" | "cursor";
  readonly rateLimit?: object;
}

const paginations = {
  page: {
    style: {
      type: "page",
      page_number: { param: "page", value: 1 },
      page_size: { param: "per_page", value: 10 },
    },
    parser: { total_pages: { "!jq": ".pages" } },
  },
  limitoffset: {
    style: {
      type: "limitoffset",
      limit: { param: "limit", value: 10 },
      offset: { param: "offset", value: 0 },
    },
    parser: { total_items: { "!jq": ".total" } },
  },
  cursor: {
    style: {
      type: "cursor",
      limit: { param: "limit", value: 10 },
      ordering: { param: "order", value: "version" },
    },
    parser: { next_result_token: { "!jq": ".next" } },
  },
};

export const lists = {
  page: { path: "/people", items: ".items" },
  limitoffset: { path: "/people-by-offset", items: ".records" },
  cursor: { path: "/people-by-cursor", items: ".data" },
} as const;

/** A config for our service: connect, choose a person, import people by polling and by webhook. */
export function peopleConfig(origin: string, { pagination = "page", rateLimit }: ConfigOptions = {}): object {
  const { path, items } = lists[pagination];
  return {
    $version: "2",
    auth: {
      people: {
        type: "oauth2",
        configuration: {
          authorization_base_url: `${origin}/oauth/authorize`,
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          scopes: ["people"],
          token_url: `${origin}/oauth/token`,
          refresh_url: `${origin}/oauth/token`,
        },
      },
    },
    api: {
      base_url: origin,
      pagination: paginations[pagination],
      ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
    },
    data_intake: [
      {
        type: "polling",
        name: "changed-people",
        initial_setup: { "!jq": "{polling_state: {since: 0, cursor: null, latest: 0}}" },
        request: {
          "!pipe": [
            {
              "!http": {
                path: "/people-by-cursor",
                params: { limit: 100, cursor: "${polling_state.cursor}", since: "${polling_state.since}" },
              },
            },
            {
              "!jq":
                "{results: .data, iterate: (.next != null), polling_state: {cursor: .next, since: (if .next == null then ([${polling_state.latest}, .data[].version] | max) else ${polling_state.since} end), latest: ([${polling_state.latest}, .data[].version] | max)}}",
            },
          ],
        },
      },
      {
        type: "webhook",
        name: "person.created",
        scope: "workflow",
        create: {
          "!pipe": [
            {
              "!http": {
                method: "POST",
                path: "/hooks",
                body: { url: "${webhook.url}", event: "person.created" },
              },
            },
            { "!jq": "{hook_id: .hook.id, signing_secret: .secret}" },
            { "!save": { scope: "workflow" } },
          ],
        },
        update: {
          "!http": {
            method: "PUT",
            path: "/hooks/${data.workflow.hook_id}",
            body: { url: "${webhook.url}" },
          },
        },
        delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
      },
    ],
    workflows: [
      {
        name: "import-people",
        label: "People - Import people",
        type: "generic",
        auth: "people",
        data_intake: "changed-people",
        setup: {
          connect: {
            label: "Connect",
            describe_connection: {
              "!pipe": [
                { "!http": { path: "/me" } },
                { "!jq": "{account_id: .company.id, description: .name}" },
              ],
            },
          },
          select: {
            label: "Select",
            form_fields: [
              {
                id: "person",
                label: "Person",
                type: "dropdown",
                options: {
                  "!pipe": [
                    { "!http": { path, pagination: true } },
                    { "!jq": `[${items}[] | {display: .name, value: .id}]` },
                  ],
                },
              },
            ],
            describe_selection: {
              resource_id: { "!jq": "${custom_data.person.value} | tostring" },
              display: { "!jq": "${custom_data.person.display}" },
            },
          },
          map: {
            label: "Map",
            describe_source: {
              label: "Person",
              options: [
                { id: "email", title: "Email" },
                { id: "name", title: "Name" },
              ],
            },
            describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
          },
          schedule: {
            label: "Schedule",
            description: "Every half hour.",
            import_options: [{ label: "Keep importing", type: "recurring" }],
            frequency: 1800,
          },
        },
        data_pipeline: { source: { "!jq": "{email, name}" }, target: { "!resource": "PlatformContact" } },
      },
      {
        name: "receive-people",
        label: "People - Receive people",
        type: "generic",
        auth: "people",
        data_intake: "person.created",
        historical_data_intake: "changed-people",
        setup: {
          connect: {
            label: "Connect",
            describe_connection: {
              "!pipe": [
                { "!http": { path: "/me" } },
                { "!jq": "{account_id: .company.id, description: .name}" },
              ],
            },
          },
          map: {
            label: "Map",
            describe_source: {
              label: "Person",
              options: [
                { id: "email", title: "Email" },
                { id: "name", title: "Name" },
              ],
            },
            describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
          },
        },
        data_pipeline: { source: { "!jq": "{email, name}" }, target: { "!resource": "PlatformContact" } },
      },
      sendPeople,
    ],
  };
}

/** Outbound: finds the person by email, then changes or creates it. */
const sendPeople = {
  name: "send-people",
  label: "People - Send people",
  type: "automations",
  auth: "people",
  setup: {
    connect: {
      label: "Connect",
      describe_connection: {
        "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .company.id, description: .name}" }],
      },
    },
    select: {
      label: "Greeting",
      form_fields: [
        { id: "note", label: "Note", type: "textarea", required: false, personalize: "PlatformContact" },
      ],
    },
    map: {
      label: "Map",
      describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      describe_target: {
        label: "Person",
        options: [
          { id: "email", title: "Email", required: true },
          { id: "name", title: "Name" },
        ],
      },
    },
  },
  data_pipeline: {
    source: { "!resource": "PlatformContact" },
    target: {
      "!pipe": [
        { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
        { "!jq": "{id: .items[0].id}" },
        { "!jq": "{id, person: (${piped_content.0} + {note: ${custom_data.note.value | default}})}" },
        {
          "!switch": {
            jq: "if .id == null then 0 else 1 end",
            cases: [
              { "!http": { method: "POST", path: "/people", body: "${piped_content.3.person}" } },
              {
                "!http": {
                  method: "PUT",
                  path: "/people/${piped_content.3.id}",
                  body: "${piped_content.3.person}",
                },
              },
            ],
          },
        },
      ],
    },
  },
};

export function peopleApp(origin: string, options?: ConfigOptions): App {
  return compile(JSON.stringify(peopleConfig(origin, options))).app;
}
