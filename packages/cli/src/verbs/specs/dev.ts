import type { VerbSpec } from "../../command-line/verb.ts";

export const dev: VerbSpec = {
  name: "dev",
  summary: "Serves an app on this machine: guided setup, webhooks, schedules",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "Prints the URL of a page where you set up workflows as a customer would and see what they deliver, with traces. Polls run on schedule, webhooks arrive below /in/, and each request is logged to stderr. A small built-in platform keeps the contacts.",
    "When FILE or its settings change, new runs use them, and running ones finish with the old version. If FILE has errors, the last working version stays in use, and the terminal and the pages say why.",
    "The state is kept in .configc beside FILE, with encrypted tokens, and the next start continues from it. Only this machine can open the pages. To receive webhooks from elsewhere, set up a tunnel to /in/ and pass its URL as --public-url.",
  ],
  options: [
    { name: "port", value: "N", summary: "The port. Default: 4711. 0 picks a free one." },
    {
      name: "directory",
      value: "DIR",
      completes: "folders",
      summary: "Where the state is kept. Default: .configc beside FILE.",
    },
    {
      name: "credentials",
      value: "FILE",
      completes: "files",
      summary: "{AUTH_NAME: {client_id, client_secret}}, for placeholders in the config.",
    },
    {
      name: "public-url",
      value: "URL",
      summary: "The URL of a tunnel through which services reach this machine.",
    },
    { name: "base-url", value: "URL", summary: "A test server to use instead of api.base_url." },
    {
      name: "samples",
      summary: "Save webhook payloads as masked samples beside FILE, to learn types from them.",
    },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
  ],
  examples: {
    "configc dev shop.app.json": "Serves the app until Ctrl-C.",
    "configc dev shop.app.json --credentials clients.json --public-url https://me.tunnel.example":
      "With logins and webhooks of the real service.",
  },
  exit: {
    0: "Ctrl-C ended it",
    2: "wrong usage, a file that can't be read, or a port that is taken",
  },
  load: async () => (await import("../running.ts")).dev,
};
