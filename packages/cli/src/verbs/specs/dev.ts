import type { VerbSpec } from "../../command-line/verb.ts";

export const dev: VerbSpec = {
  name: "dev",
  summary: "Serves an app on this machine: guided setup, webhooks, schedules",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "Prints the address of a page on which workflows are set up as a customer would, and shows what they deliver, with traces. Polls run on their schedule, webhooks arrive below /in/, and each request is told on stderr. Contacts are kept by a small platform of its own.",
    "When FILE or its settings change, new runs begin with them and those under way end with what they began with. With errors in it, the last version that could be used goes on, and the terminal and the pages say why.",
    "The state is kept in .configc beside FILE, with tokens encrypted; the next start goes on from there. Only this machine reaches the pages. For webhooks from elsewhere, a tunnel to /in/ is needed, whose address --public-url gives.",
  ],
  options: [
    { name: "port", value: "N", summary: "Default: 4711. 0 is any that is free." },
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
      summary: "{AUTH_NAME: {client_id, client_secret}}, where the config has placeholders.",
    },
    {
      name: "public-url",
      value: "URL",
      summary: "Where services reach this machine: the address of a tunnel.",
    },
    { name: "base-url", value: "URL", summary: "Instead of api.base_url: a test server." },
    {
      name: "samples",
      summary: "Keep what webhooks send as samples beside FILE, masked: types are learned from them.",
    },
    { name: "allow-private-network", summary: "Allow requests to this machine and to private networks." },
  ],
  examples: {
    "configc dev shop.app.json": "Serves the app; Ctrl-C ends it in good order.",
    "configc dev shop.app.json --credentials clients.json --public-url https://me.tunnel.example":
      "With logins and webhooks of the real service.",
  },
  exit: {
    0: "it was ended by Ctrl-C",
    2: "wrong usage, a file that can't be read, or a port that is taken",
  },
  load: async () => (await import("../running.ts")).dev,
};
