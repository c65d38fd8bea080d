import { type App, compile } from "@configc/compiler";

export interface NumbersOptions {
  /** Items of each installation, and how many of them come at once. */
  readonly items: number;
  readonly page: number;
  /** Seconds between two cycles. */
  readonly frequency: number;
  /** Stands in each item. */
  readonly version: string;
  /** Whether all cycles but the first bring nothing. */
  readonly once?: boolean;
}

/** An app whose cycles count, and make no requests: only the engine and the platform have something to do. */
export function numbersApp({ items, page, frequency, version, once = false }: NumbersOptions): App {
  const request = `(\${polling_state}.n // 0) as $n | {results: [range($n; $n + ${page}) | ${once ? `select(. < ${items}) | ` : ""}{email: "p\\(.)@example.com", version: "${version}"}], iterate: ($n + ${page} < ${items}), polling_state: {n: ($n + ${page})}}`;
  return compile(
    JSON.stringify({
      $version: "2",
      data_intake: [{ type: "polling", name: "numbers", request: { "!jq": request } }],
      workflows: [
        {
          name: "numbers",
          label: "Numbers",
          type: "generic",
          data_intake: "numbers",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
