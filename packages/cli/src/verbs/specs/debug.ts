import type { VerbSpec } from "../../command-line/verb.ts";

export const debug: VerbSpec = {
  name: "debug",
  summary: "Debugs a run, forwards and backwards, in an editor or as a list of stops",
  operands: "[FILE [NODE]]",
  atMost: 2,
  completes: "files",
  details: [
    "With --stdio or --port it is a debug adapter: an editor with the Debug Adapter Protocol can set breakpoints, step through commands and jq stages, and step back. Its launch configuration says what to run; see docs/debugging.md.",
    "--print needs no editor: it runs NODE of FILE, a saved run (--replay) or a test case (--case) to the end and prints each stop with its number and value. --at N shows everything at stop N.",
    "Secrets are masked everywhere.",
  ],
  options: [
    { name: "stdio", summary: "Talk to an editor over standard input and output." },
    {
      name: "port",
      value: "N",
      summary: "Talk to editors on a port of this machine. 0 picks a free one.",
    },
    { name: "print", summary: "Print the stops of a run, by number." },
    { name: "at", value: "N", summary: "With --print: show the stack and all values at stop N." },
    { name: "stages", summary: "With --print: also show the stages of jq programs." },
    {
      name: "replay",
      value: "FILE",
      completes: "files",
      summary:
        "The recording or saved run that answers requests. A saved run includes what was run and on which input.",
    },
    {
      name: "key",
      value: "FILE",
      completes: "files",
      summary: "The key of the host that sealed the saved run. Default: CONFIGC_KEY or CONFIGC_KEY_FILE.",
    },
    { name: "case", value: "NAME", summary: "A test case. FILE is then a test file." },
    { name: "input", value: "JSON", summary: "The input of the command. @FILE reads it from a file." },
    { name: "context", value: "FILE", completes: "files", summary: "Values that expansions read." },
    { name: "credentials", value: "FILE", completes: "files", summary: "The credentials to authorise with." },
    { name: "base-url", value: "URL", summary: "A test server to use instead of api.base_url." },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
  ],
  examples: {
    "configc debug --stdio": "Editors start this.",
    "configc debug shop.app.json --replay failed.run.json --print":
      "Lists what a saved run did, step by step, with its values.",
    "configc debug shop.apptest.json --case 'Carries an order over' --print --stages --at 7":
      "Shows everything at the seventh stop of a test case.",
  },
  exit: {
    0: "the client disconnected, or the run was printed",
    1: "the printed run failed",
    2: "wrong usage, or a file that can't be read",
  },
  load: async () => (await import("../running.ts")).debug,
};
