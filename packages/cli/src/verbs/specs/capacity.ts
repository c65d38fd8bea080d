import type { VerbSpec } from "../../command-line/verb.ts";

export const capacity: VerbSpec = {
  name: "capacity",
  summary: "Reckons how many requests an app sends, how long an import takes, and how many customers fit",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "What is polled is read by the runtime itself from a simulated service, a few pages of it, and reckoned from there; of pipelines, the requests are counted. Times are those at `api.rate_limit`, or at one answer after another where none is declared. Nothing is sent.",
    "What was taken for granted stands below each workflow.",
  ],
  options: [
    {
      name: "items",
      value: "N",
      summary: "Records or contacts of one customer that are moved at first. Default 10000.",
    },
    {
      name: "changes",
      value: "N",
      summary: "Records or contacts of one customer that change in a day. Default 100.",
    },
    {
      name: "page",
      value: "N",
      summary: "Records on a page, where the app doesn't say how many it asks for. Default 100.",
    },
    {
      name: "customers",
      value: "N",
      summary: "Fail if so many customers don't fit into a quota of the whole app.",
    },
    {
      name: "world",
      value: "FILE",
      completes: "files",
      summary:
        "What is known of the service. Default: NAME.world.json beside the config, where there is one.",
    },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json"],
      summary: "pretty (default) or json.",
    },
  ],
  examples: {
    "configc capacity shop.app.json --items 50000": "Tells how long the import of 50,000 records takes.",
  },
  exit: {
    0: "it was reckoned, and everything fits",
    1: "a full cycle takes longer than its period, or so many customers don't fit",
    2: "wrong usage, or a file that can't be used",
  },
  load: async () => (await import("../running.ts")).capacity,
};
