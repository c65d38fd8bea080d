/** What the shop's app is made of in a deployment: what differs from the usual one. */
export interface ShopVersion {
  /** Of the step that makes results of a page. */
  readonly page?: string;
  /** Query of the request for orders. */
  readonly query?: Readonly<Record<string, string>>;
  readonly secret?: string;
  /** Whether customers have to name a list. */
  readonly listNeeded?: boolean;
  readonly quota?: { readonly requests: number; readonly period: number };
}

const PAGE = "{results: [.orders[] | {id}], iterate: .more, polling_state: {since: .until}}";

/** An app that polls a shop for orders and is told of them, too. Of each order it asks for the rest, and an order needs an address. */
export function shopConfig(origin: string, version: ShopVersion = {}): string {
  const { page = PAGE, secret = "app-secret", listNeeded = false, query, quota } = version;
  const connect = {
    label: "Connect",
    describe_connection: {
      "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .account, description: .account}" }],
    },
  };
  const map = {
    label: "Map",
    describe_source: { label: "Shop", options: [{ id: "email", title: "E-mail" }] },
    describe_target: { label: "Platform", options: { "!resource": "PlatformContact.fields" } },
  };
  const select = {
    label: "Select",
    form_fields: [{ id: "list", label: "List", type: "textarea", required: listNeeded, personalize: false }],
    describe_selection: { resource_id: { "!jq": '"orders"' }, display: { "!jq": '"Orders"' } },
  };
  const data_pipeline = {
    source: {
      "!pipe": [
        { "!http": { path: "/orders/${piped_content.0.id}" } },
        { "!jq": '{email: (.email | if . == null then error("the order has no address") else . end)}' },
      ],
    },
    target: { "!resource": "PlatformContact" },
  };
  const workflow = { type: "generic", auth: "acme", data_pipeline };
  return `${JSON.stringify(
    {
      $version: "2",
      auth: {
        acme: {
          type: "oauth2",
          configuration: {
            authorization_base_url: `${origin}/authorize`,
            token_url: `${origin}/token`,
            refresh_url: `${origin}/token`,
            client_id: "shop",
            client_secret: secret,
            scopes: [],
          },
        },
      },
      api: {
        base_url: origin,
        ...(quota === undefined ? {} : { rate_limit: { app: { read: quota, write: quota } } }),
      },
      data_intake: [
        {
          type: "polling",
          name: "orders",
          initial_setup: { "!jq": "{polling_state: {since: 0}}" },
          request: {
            "!pipe": [
              { "!http": { path: "/orders", params: query ?? { since: "${polling_state.since}" } } },
              { "!jq": page },
            ],
          },
        },
        {
          type: "webhook",
          name: "order.created",
          scope: "workflow",
          create: {
            "!pipe": [
              { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
              { "!jq": "{hook_id: .id, signing_secret: .secret}" },
              { "!save": { scope: "workflow" } },
            ],
          },
          delete: { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
          delivery_id: { "!jq": '.headers["x-shop-delivery"]' },
          verification: {
            "!pipe": [
              { "!jq": "{value_to_encrypt: .raw_body}" },
              { "!sha": { algorithm: "sha256", secret: "${data.workflow.signing_secret}" } },
              { "!jq": '{genuine: (.hash == ${piped_content.0}.headers["x-shop-signature"])}' },
              {
                "!switch": {
                  jq: "if .genuine then 0 else 1 end",
                  cases: [
                    { "!respond": { process_payload: true, code: 200, body: "ok" } },
                    { "!respond": { process_payload: false, code: 401, body: "signature" } },
                  ],
                },
              },
            ],
          },
        },
      ],
      workflows: [
        {
          ...workflow,
          name: "import-orders",
          label: "Shop - Import orders",
          data_intake: "orders",
          setup: {
            connect,
            select,
            map,
            schedule: {
              label: "Schedule",
              description: "How often",
              import_options: [{ label: "Always", type: "recurring" }],
              frequency: 1800,
            },
          },
        },
        {
          ...workflow,
          name: "told-orders",
          label: "Shop - Told orders",
          data_intake: "order.created",
          setup: { connect, select, map },
        },
      ],
    },
    undefined,
    2,
  )}\n`;
}
