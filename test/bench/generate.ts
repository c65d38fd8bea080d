/**
 * Realistic configs of a wanted size, none equal to another, with every kind of thing that the rules look at.
 *
 * Per kilobyte they have as much of it as the examples: 3 commands, 1.3 programs, 2 expansions.
 */

/** One app of about 12 kB: an inbound workflow, by webhook or polling, and an outbound one; `seed` changes names and texts. */
export function app12k(seed: number): string {
  const { intake, workflow: inboundWorkflow } = workflow(seed, seed % 2);
  const document = app([{ intake, workflow: inboundWorkflow }], seed) as { workflows: unknown[] };
  document.workflows.push(outbound(`${seed}-out`));
  return JSON.stringify(document, undefined, 2);
}

/**
 * One app with so many workflows, each with an intake of its own.
 *
 * @param from which of all that there are is the first
 */
export function appWith(workflows: number, from = 0): string {
  const all = Array.from({ length: workflows }, (_, index) => workflow(7, from + index));
  return JSON.stringify(app(all, 7), undefined, 2);
}

interface Generated {
  readonly intake: unknown;
  readonly workflow: unknown;
}

function app(parts: readonly Generated[], seed: number): unknown {
  return {
    $version: "2",
    auth: {
      acme: {
        type: "oauth2",
        configuration: {
          authorization_base_url: "https://auth.example.com/authorize",
          token_url: "https://auth.example.com/token",
          client_id: "<CLIENT_ID>",
          client_secret: "<CLIENT_SECRET>",
          scopes: ["forms:read", `scope-${seed}`],
        },
      },
    },
    api: {
      base_url: `https://api-${seed}.example.com/v1`,
      rate_limit: { user: { read: { requests: 100, period: 60 }, write: { requests: 20, period: 60 } } },
      pagination: {
        style: {
          type: "page",
          page_number: { param: "page", value: 1 },
          page_size: { param: "per_page", value: 100 },
        },
        parser: { total_pages: { "!jq": ".meta.page_count" } },
      },
    },
    data_intake: parts.map(({ intake }) => intake),
    workflows: parts.map(({ workflow }) => workflow),
  };
}

function workflow(seed: number, index: number): Generated {
  const polling = index % 2 === 1;
  const id = `${seed}-${index}`;
  return { intake: polling ? pollingIntake(id) : webhookIntake(id), workflow: inbound(id, polling) };
}

function webhookIntake(id: string): unknown {
  return {
    type: "webhook",
    name: `submission.created.${id}`,
    scope: "workflow",
    create: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: `/forms/\${custom_data.form-${id}.value}/hooks`,
            body: { event: "created", url: "${webhook.url}" },
          },
        },
        { "!jq": `{hook_id: .id, secret: (.secret // "none-${id}")}` },
        { "!save": { scope: "workflow" } },
      ],
    },
    update: {
      "!http": {
        method: "PUT",
        path: "/hooks/${data.workflow.hook_id}",
        body: { url: "${webhook.url}", secret: "${data.workflow.secret}" },
      },
    },
    delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
  };
}

function pollingIntake(id: string): unknown {
  return {
    type: "polling",
    name: `customers.${id}`,
    initial_setup: { "!jq": '{polling_state: {cursor: null, since: "2000-01-01T00:00:00Z"}}' },
    request: {
      "!pipe": [
        {
          "!http": {
            method: "GET",
            path: `/lists/\${custom_data.form-${id}.value}/customers`,
            params: { cursor: "${polling_state.cursor}", since: "${polling_state.since}", kind: id },
          },
        },
        {
          "!jq": `{results: [.items[] | {id, email, name: "\\(.first) \\(.last)"}], iterate: (.next != null), polling_state: {cursor: .next, since: (if .next != null then \${polling_state.since} else ([.items[].updated_at] | max // \${polling_state.since}) end)}}`,
        },
      ],
    },
    post_poll: {
      "!jq": "{polling_state: {cursor: ${polling_state.cursor}, since: ${polling_state.since}}}",
    },
  };
}

/** A workflow with long static lists, as many apps have. */
function outbound(id: string): unknown {
  const names = [
    "Email",
    "First name",
    "Last name",
    "Phone",
    "Company",
    "Street",
    "City",
    "Country",
    "Language",
    "Birthday",
    "Notes",
    "Source",
    "Score",
    "Owner",
  ];
  return {
    name: `acme-add-a-person-${id}`,
    label: `Acme - Add a person ${id}`,
    description: "Adds the contact as a person, or changes the person with the same email address.",
    type: "automations",
    auth: "acme",
    setup: {
      connect: {
        label: "Connect your account",
        describe_connection: {
          "!pipe": [
            { "!http": { method: "GET", path: "/me" } },
            { "!jq": "{account_id: .id, description: .name}" },
          ],
        },
        help_text:
          "You need to be an **admin** of the account, and the account needs a plan with access to the API.",
      },
      select: {
        label: "Choose a list",
        form_fields: [
          {
            id: `list-${id}`,
            label: "List",
            type: "dropdown",
            placeholder: "Choose a list",
            options: {
              "!pipe": [
                { "!http": { method: "GET", path: "/lists", pagination: true } },
                { "!jq": "[.items[] | {display: .title, value: .id}]" },
              ],
            },
          },
          {
            id: `note-${id}`,
            label: "Note",
            type: "textarea",
            required: false,
            personalize: "PlatformContact",
            help_text: "Added to the person's history each time.",
          },
        ],
      },
      map: {
        label: "Map fields",
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: {
          label: "Person",
          options: names.map((title, index) => ({
            title,
            id: `${title.toLowerCase().replace(" ", "_")}_${id}`,
            required: index === 0,
          })),
        },
      },
    },
    data_pipeline: {
      source: { "!resource": "PlatformContact" },
      target: {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: `/lists/\${custom_data.list-${id}.value}/people`,
              body: { fields: "${piped_content.0}", source: `app ${id}` },
            },
          },
          {
            "!http": {
              method: "POST",
              path: "/people/${piped_content.1.id}/notes",
              body: { text: `\${custom_data.note-${id}.value | default:Added by an automation}` },
            },
          },
        ],
      },
    },
  };
}

function inbound(id: string, polling: boolean): unknown {
  return {
    name: `acme-import-submissions-${id}`,
    label: `Acme - Import submissions ${id}`,
    description: "Adds a contact for each new form submission.",
    type: "generic",
    resource_type: "forms",
    auth: "acme",
    data_intake: polling ? `customers.${id}` : `submission.created.${id}`,
    setup: {
      connect: {
        label: "Connect",
        describe_connection: {
          "!pipe": [
            { "!http": { method: "GET", path: "/me" } },
            { "!jq": "{account_id: .id, description: .name}" },
          ],
        },
        help_text: "You need to be an **admin** of the account.",
      },
      select: {
        label: "Select a form",
        form_fields: [
          {
            id: `form-${id}`,
            label: "Form",
            type: "dropdown",
            options: {
              "!pipe": [
                { "!http": { method: "GET", path: "/forms", pagination: true } },
                { "!jq": "[.items[] | {display: .title, value: .id}]" },
              ],
            },
          },
          {
            id: `folder-${id}`,
            label: "Folder",
            type: "dropdown",
            required: false,
            search_term: "q",
            options: {
              "!pipe": [
                { "!http": { method: "GET", path: `/forms/\${custom_data.form-${id}.value}/folders` } },
                { "!jq": "[.items[] | {display: .title, value: .id}]" },
              ],
            },
          },
          {
            id: `note-${id}`,
            label: "Note",
            type: "textarea",
            required: false,
            placeholder: "Anything to add",
            help_text: "Shown to your team.",
          },
        ],
        describe_selection: {
          resource_id: { "!jq": `.custom_data."form-${id}".value` },
          display: { "!jq": `.custom_data."form-${id}".display` },
        },
      },
      map: {
        label: "Map fields",
        describe_source: {
          label: "Form",
          options: {
            "!pipe": [
              { "!http": { method: "GET", path: `/forms/\${custom_data.form-${id}.value}` } },
              { "!jq": "[.questions[] | {title: .label, id: .id, required: (.required // false)}]" },
            ],
          },
        },
        describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      },
      ...(polling
        ? {
            schedule: {
              label: "Schedule",
              description: "Choose how to import.",
              import_options: [
                { label: "Import once", type: "single" },
                { label: "Keep importing", type: "recurring" },
              ],
              frequency: 1800,
            },
          }
        : {}),
    },
    data_pipeline: {
      source: {
        "!pipe": [
          {
            "!http": {
              method: "GET",
              path: "/customers/${piped_content.0.id}",
              params: { folder: `\${custom_data.folder-${id}.value | default}` },
            },
          },
          {
            "!jq": `([.answers[] | {key: .question_id, value: .text}] | from_entries) + {note: \${custom_data.note-${id}.value | default:none}, _tags: ["form-${id}", "imported"]}`,
          },
        ],
      },
      target: { "!resource": "PlatformContact" },
    },
  };
}
