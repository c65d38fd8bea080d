import type { VerbSpec } from "../../command-line/verb.ts";

export const run: VerbSpec = {
  name: "run",
  summary: "Runs a command, an intake or a workflow of a config and prints its output",
  operands: "FILE NODE",
  atLeast: 2,
  atMost: 2,
  completes: "files",
  details: [
    "NODE is a JSON Pointer (/workflows/0/data_pipeline/source) or a dotted path of names (workflows.NAME.setup.connect.describe_connection, data_intake.NAME.create). Quote a name with dots; otherwise the longest declared name wins.",
    "A command runs once. A polling intake runs one cycle and gives {results, polling_state, requests, reason}. A workflow runs its data pipeline on the input and gives {source, transformed, target}.",
    "The context file is {custom_data, data, polling_state, webhook: {url}, subdomain, mapping, contact}, for expansions. The credentials file is {AUTH_NAME: {access_token, refresh_token?, expires_at?, client_id?, client_secret?} or {username, password} or {token}}; renewed tokens are written back to it.",
    "Requests to this machine and to private networks are refused unless you allow them. Secrets are masked in all output and recordings.",
  ],
  options: [
    {
      name: "input",
      value: "JSON",
      summary:
        "The input of the command. @FILE reads it from a file. Default: the values of --context, as one object.",
    },
    { name: "context", value: "FILE", completes: "files", summary: "Values that expansions read." },
    { name: "search", value: "TEXT", summary: "What a customer types into a field with a search_term." },
    { name: "credentials", value: "FILE", completes: "files", summary: "The credentials to authorise with." },
    {
      name: "login",
      summary:
        "Log in by OAuth in a browser first. The tokens are saved in the --credentials file, or used for this run only. That file also gives client_id and client_secret for placeholders in the config.",
    },
    { name: "base-url", value: "URL", summary: "A test server to use instead of api.base_url." },
    {
      name: "trace",
      summary:
        "Print each step, request and response to stderr, one per line. A shortened line says how long the value is.",
    },
    { name: "trace-whole", summary: "The same, with every value in full." },
    {
      name: "record",
      value: "FILE",
      completes: "files",
      summary:
        "Write the requests and responses of the run to FILE, without secrets. In NAME.samples they are masked like samples.",
    },
    {
      name: "samples",
      summary:
        "Save the responses as masked samples in NAME.samples beside the config, to learn types from them.",
    },
    {
      name: "replay",
      value: "FILE",
      completes: "files",
      summary:
        "Answer requests from a recording, at the recording's time. --credentials and --allow-private-network are ignored. A saved run is run again and must do exactly the same.",
    },
    {
      name: "save-run",
      value: "FILE",
      completes: "files",
      summary:
        "Write the whole run to FILE, without secrets: input, state, responses, clock, ids, each step and the end. --replay FILE runs it again to the same trace.",
    },
    {
      name: "dry-run",
      summary: "Send nothing. Show the requests that don't depend on real responses.",
    },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json"],
      summary: "How to print a failure: pretty (default) on stderr, or json as {error} on stdout.",
    },
  ],
  examples: {
    "configc run shop.app.json workflows.orders.data_pipeline.source --input @order.json":
      "Runs a program on a recorded payload.",
    "configc run shop.app.json workflows.orders.setup.connect.describe_connection --trace":
      "Asks the service for the account, and shows each step.",
    "configc run shop.app.json data_intake.orders --credentials me.json --record orders.json":
      "Polls once, and saves the traffic for --replay.",
  },
  exit: { 0: "it succeeded", 1: "it failed", 2: "wrong usage, or a file that can't be read" },
  load: async () => (await import("../running.ts")).run,
};
