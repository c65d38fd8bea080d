import type { VerbSpec } from "../../command-line/verb.ts";

export const debug: VerbSpec = {
  name: "debug",
  summary: "Debugs a run, forwards and backwards: for an editor, or as a list of its stops",
  operands: "[FILE [NODE]]",
  atMost: 2,
  completes: "files",
  details: [
    "With --stdio or --port it is a debug adapter: any editor that speaks the Debug Adapter Protocol sets breakpoints, steps through commands and jq stages, and steps back. What is run stands in its launch configuration; docs/debugging.md describes it.",
    "With --print it needs no editor: it runs NODE of FILE, a saved run (--replay) or a case of a test (--case) to the end and prints each stop with its value, by number. --at N then shows everything at stop N.",
    "Secrets are masked everywhere.",
  ],
  options: [
    { name: "stdio", summary: "Talk to an editor over standard input and output." },
    {
      name: "port",
      value: "N",
      summary: "Talk to editors on a port of this machine. 0 is any that is free.",
    },
    { name: "print", summary: "Print the stops of a run, by number." },
    { name: "at", value: "N", summary: "With --print: show the stack and all values at stop N." },
    { name: "stages", summary: "With --print: the stages of jq programs too." },
    {
      name: "replay",
      value: "FILE",
      completes: "files",
      summary:
        "The recording or saved run that answers. A saved run says itself what was run, on which input.",
    },
    {
      name: "key",
      value: "FILE",
      completes: "files",
      summary:
        "The key of the host that sealed the saved run; by default that of CONFIGC_KEY or CONFIGC_KEY_FILE.",
    },
    { name: "case", value: "NAME", summary: "A case of FILE, which is a file of tests then." },
    { name: "input", value: "JSON", summary: "What the command takes; @FILE reads it from a file." },
    { name: "context", value: "FILE", completes: "files", summary: "Values that expansions read." },
    { name: "credentials", value: "FILE", completes: "files", summary: "What to authorise with." },
    { name: "base-url", value: "URL", summary: "Instead of api.base_url: a test server." },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
  ],
  examples: {
    "configc debug --stdio": "What an editor starts.",
    "configc debug shop.app.json --replay failed.run.json --print":
      "Lists what a saved run did, step by step, with its values.",
    "configc debug shop.apptest.json --case 'Carries an order over' --print --stages --at 7":
      "Shows everything at the seventh stop of a test case.",
  },
  exit: {
    0: "the client has gone, or the run was printed",
    1: "the run that was printed failed",
    2: "wrong usage, or a file that can't be read",
  },
  load: async () => (await import("../running.ts")).debug,
};
