import { type App, compile } from "@configc/compiler";

/** Polls three pages of two; the version is in each item. */
export function numbers(version: string): App {
  const page = `(\${polling_state}.n // 0) as $n | {results: [range($n; $n + 2) | {email: "p\\(.)@example.com", version: "${version}"}], iterate: ($n < 4), polling_state: {n: ($n + 2)}}`;
  return compile(
    JSON.stringify({
      $version: "2",
      data_intake: [{ type: "polling", name: "numbers", request: { "!jq": page } }],
      workflows: [
        {
          name: "numbers",
          label: "Numbers",
          type: "generic",
          data_intake: "numbers",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
