import { type App, compile } from "@configc/compiler";
import { QUOTA } from "./source.ts";

export interface WorkerArguments {
  readonly database: string;
  readonly origin: string;
  /** Of the service of another app, which is dead or slow. */
  readonly beside: string;
  readonly slot: string;
  /** Milliseconds by which its clock is ahead. */
  readonly ahead: number;
}

export const KEY = new Uint8Array(32).fill(9);

/** Seconds between the beginnings of two cycles: far less than a published app may have. */
export const PERIOD = 4;

/** Polls a list that grows, and numbers its cycles for the third party. */
export function chaosApp(origin: string): App {
  const installation = "${custom_data.installation.value}";
  return compile(
    JSON.stringify({
      $version: "2",
      auth: {
        source: {
          type: "oauth2",
          configuration: {
            authorization_base_url: `${origin}/oauth/authorize`,
            client_id: "id",
            client_secret: "secret",
            scopes: [],
            token_url: `${origin}/oauth/token`,
            refresh_url: `${origin}/oauth/token`,
          },
        },
      },
      api: { base_url: origin, rate_limit: { user: { read: QUOTA } } },
      data_intake: [
        {
          type: "polling",
          name: "items",
          initial_setup: { "!jq": "{polling_state: {n: 0, since: 0}}" },
          pre_poll: {
            "!pipe": [
              { "!jq": "${polling_state} | .n += 1" },
              { "!http": { path: "/begin", params: { installation, n: "${piped_content.1.n}" } } },
              { "!jq": "{polling_state: ${piped_content.1}}" },
            ],
          },
          request: {
            "!pipe": [
              { "!http": { path: "/items", params: { installation, since: "${polling_state.since}" } } },
              {
                "!jq":
                  "{results: .items, iterate: .more, polling_state: (${polling_state} + {since: .next})}",
              },
            ],
          },
        },
      ],
      workflows: [
        {
          name: "import",
          label: "Import",
          type: "generic",
          auth: "source",
          data_intake: "items",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: PERIOD } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
