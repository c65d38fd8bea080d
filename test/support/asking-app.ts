import { type App, compile } from "@configc/compiler";

/** An app whose cycle asks its service once and takes what it lists. @param frequency seconds between two cycles of an installation */
export function askingApp(origin: string, frequency: number): App {
  const request = { "!pipe": [{ "!http": { path: "/" } }, { "!jq": "{results: .items, iterate: false}" }] };
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      data_intake: [{ type: "polling", name: "items", request }],
      workflows: [
        {
          name: "items",
          label: "Items",
          type: "generic",
          data_intake: "items",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
