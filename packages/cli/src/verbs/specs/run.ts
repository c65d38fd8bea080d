import type { VerbSpec } from "../../command-line/verb.ts";

export const run: VerbSpec = {
  name: "run",
  summary: "Runs a command, an intake or a workflow of a config and prints what it gives",
  operands: "FILE NODE",
  atLeast: 2,
  atMost: 2,
  completes: "files",
  details: [
    "NODE is a JSON Pointer (/workflows/0/data_pipeline/source) or a dotted path of names (workflows.NAME.setup.connect.describe_connection, data_intake.NAME.create). A name with dots is quoted; unquoted, the longest declared name wins.",
    "A command runs once. A polling intake runs one cycle and gives {results, polling_state, requests, reason}. A workflow runs its data pipeline on the input and gives {source, transformed, target}.",
    "The context file is {custom_data, data, polling_state, webhook: {url}, subdomain, mapping, contact}: what expansions read. The credentials file is {AUTH_NAME: {access_token, refresh_token?, expires_at?, client_id?, client_secret?} or {username, password} or {token}}; renewed tokens are written back to it.",
    "Requests to this machine and to private networks are refused unless they are allowed. Secrets are masked in everything that is printed or recorded.",
  ],
  options: [
    {
      name: "input",
      value: "JSON",
      summary:
        "What the command takes; @FILE reads it from a file. Default: the values of --context, as one object.",
    },
    { name: "context", value: "FILE", completes: "files", summary: "Values that expansions read." },
    { name: "search", value: "TEXT", summary: "What is typed into a field with a search_term." },
    { name: "credentials", value: "FILE", completes: "files", summary: "What to authorise with." },
    {
      name: "login",
      summary:
        "Log in by OAuth in a browser first. The tokens are kept in the --credentials file, or for this run; client_id and client_secret are taken from there where the config has placeholders.",
    },
    { name: "base-url", value: "URL", summary: "Instead of api.base_url: a test server." },
    {
      name: "trace",
      summary:
        "Print each step, request and answer to stderr, a line each. A line that is cut says how much there is.",
    },
    { name: "trace-whole", summary: "The same, with every value as long as it is." },
    {
      name: "record",
      value: "FILE",
      completes: "files",
      summary:
        "Write what the run asked and was told to FILE, without secrets. In NAME.samples it is masked as samples are.",
    },
    {
      name: "samples",
      summary: "Keep the answers in NAME.samples beside the config, masked: types are learned from them.",
    },
    {
      name: "replay",
      value: "FILE",
      completes: "files",
      summary:
        "Answer from a recording instead of the network; the time is that of the recording. --credentials and --allow-private-network are ignored. A saved run is run again as it was, and has to do the same.",
    },
    {
      name: "save-run",
      value: "FILE",
      completes: "files",
      summary:
        "Write the whole run to FILE, without secrets: input, state, answers, clock, ids, each step and the end. --replay FILE runs it again to the same trace.",
    },
    {
      name: "dry-run",
      summary: "Send nothing: show the requests that can be made without real answers.",
    },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json"],
      summary: "How a failure is told: pretty (default) on stderr, json as {error} on stdout.",
    },
  ],
  examples: {
    "configc run shop.app.json workflows.orders.data_pipeline.source --input @order.json":
      "Runs a program on a recorded payload.",
    "configc run shop.app.json workflows.orders.setup.connect.describe_connection --trace":
      "Asks the service who one is, and shows how.",
    "configc run shop.app.json data_intake.orders --credentials me.json --record orders.json":
      "Polls once, and keeps the traffic for --replay.",
  },
  exit: { 0: "it gave its output", 1: "it failed", 2: "wrong usage, or a file that can't be read" },
  load: async () => (await import("../running.ts")).run,
};
