import type { VerbSpec } from "../../command-line/verb.ts";

export const capacity: VerbSpec = {
  name: "capacity",
  summary: "Estimates how many requests an app sends, how long an import takes, and how many customers fit",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "The runtime polls a few pages from a simulated service, and the rest is estimated from them; for pipelines, requests are counted. Times assume `api.rate_limit`, or one request after another if none is declared. Nothing is sent.",
    "The assumptions are printed below each workflow.",
  ],
  options: [
    {
      name: "items",
      value: "N",
      summary: "Records or contacts that one customer imports at first. Default: 10000.",
    },
    {
      name: "changes",
      value: "N",
      summary: "Records or contacts of one customer that change per day. Default: 100.",
    },
    {
      name: "page",
      value: "N",
      summary: "Records per page, if the app doesn't request a size. Default: 100.",
    },
    {
      name: "customers",
      value: "N",
      summary: "Fail if this many customers don't fit into a quota of the whole app.",
    },
    {
      name: "world",
      value: "FILE",
      completes: "files",
      summary: "What you know about the service. Default: NAME.world.json beside the config, if it exists.",
    },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json"],
      summary: "pretty (default) or json.",
    },
  ],
  examples: {
    "configc capacity shop.app.json --items 50000": "Estimates how long the import of 50,000 records takes.",
  },
  exit: {
    0: "everything fits",
    1: "a full cycle takes longer than its period, or the customers don't fit",
    2: "wrong usage, or a file that can't be used",
  },
  load: async () => (await import("../running.ts")).capacity,
};
