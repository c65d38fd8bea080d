import { type App, compile } from "@configc/compiler";

/** An app that fetches items and sends each one on: a request for a cycle and one for each item. */
export function loadApp(thirdParty: string): App {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: thirdParty },
      data_intake: [
        {
          type: "polling",
          name: "items",
          request: {
            "!pipe": [
              { "!http": { path: "/items/${custom_data.id.value}" } },
              { "!jq": "{results: .items, iterate: false}" },
            ],
          },
        },
      ],
      workflows: [
        {
          name: "forward",
          label: "Forward",
          type: "generic",
          data_intake: "items",
          setup: {},
          data_pipeline: {
            source: { "!jq": "{id, owner, text: (.text | ascii_upcase)}" },
            target: { "!http": { method: "POST", path: "/sink", body: "${piped_content.0}" } },
          },
        },
      ],
    }),
  );
  return app;
}
