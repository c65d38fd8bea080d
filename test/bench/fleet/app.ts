import { type App, compile } from "@configc/compiler";

/** Items of one installation, in pages of ten. */
export const ITEMS = 50;

/** Polls a list that makes no requests, so that only the engine and the platform count. */
export function benchApp(): App {
  const page = `(\${polling_state}.n // 0) as $n | {results: [range($n; $n + 10) | {email: "p\\(.)@example.com"}], iterate: ($n + 10 < ${ITEMS}), polling_state: {n: ($n + 10)}}`;
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
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 86_400 } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
