import type { VerbSpec } from "../../command-line/verb.ts";

export const test: VerbSpec = {
  name: "test",
  summary: "Runs the tests of configs, with recorded responses instead of the network",
  operands: "[PATH…]",
  completes: "files",
  details: [
    "PATH is a file *.apptest.json, a folder, or a glob in quotes. Without one, every such file below the current folder is run. A file is {config, cases: [{name, run: NODE, input?, context?, credentials?, now?, search?, http: [{request, response}], expect or expectError}]}; schemas/configc.apptest.schema.json describes it.",
    "Each request must be recorded, and each recorded one must be sent. The clock stays at the case's `now`, and waiting takes no time.",
  ],
  options: [
    {
      name: "record",
      summary: "Send the requests, and write requests and responses to `http`, without secrets.",
    },
    { name: "update", summary: "Write the actual output of failing cases as the expected one." },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "junit", "json"],
      summary: "pretty (default), junit or json.",
    },
    {
      name: "coverage",
      summary: "List the commands, cases of !switch and branches of jq programs that never ran.",
    },
    {
      name: "verify",
      summary:
        "Also run each jq program in jq itself, and fail if the results differ. Needs the package jq-wasm.",
    },
    {
      name: "credentials",
      value: "FILE",
      completes: "files",
      summary: "With --record: the credentials to authorise with.",
    },
    {
      name: "base-url",
      value: "URL",
      summary: "With --record: a test server to use instead of api.base_url.",
    },
    {
      name: "allow-private-network",
      summary: "With --record: allow requests to this machine and to private networks.",
    },
  ],
  examples: {
    "configc test": "Runs every test below this folder.",
    "configc test shop.apptest.json --record --credentials me.json": "Records the traffic of each case.",
    "configc test --format junit > results.xml": "For a CI server.",
  },
  exit: {
    0: "every case passed",
    1: "a case failed",
    2: "wrong usage, or a file that can't be used (the others are still run)",
  },
  load: async () => (await import("../running.ts")).test,
};
