import type { VerbSpec } from "../../command-line/verb.ts";

export const build: VerbSpec = {
  name: "build",
  summary: "Writes a config as a module that a service can import",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "The module is self-contained: the compiled app and the runtime in one file, with no dependencies. It exports `createApp(effects, options?)`, which makes the app's runtime, `app`, which a host takes, and everything of @configc/runtime. Errors in production name the line and column of the config, inside jq programs too. docs/embedding.md shows a service.",
    "A config with errors isn't built. Warnings don't matter here; “configc check” tells them.",
  ],
  options: [
    {
      name: "output",
      short: "o",
      value: "OUT",
      completes: "files",
      summary: "The file to write. With --json and --types the default is standard output.",
    },
    {
      name: "json",
      summary: "Write the config as plain JSON, without comments and trailing commas, for upload.",
    },
    {
      name: "types",
      summary:
        "Write the app's types for a host, a .d.ts: what commands take and give, what is saved, what is needed.",
    },
  ],
  examples: {
    "configc build shop.app.json -o shop.mjs": 'Writes a module: import { createApp } from "./shop.mjs".',
    "configc build shop.app.jsonc --json -o shop.app.json": "Writes what a platform accepts.",
    "configc build shop.app.json --types -o shop.d.ts": "Writes the types of the app, for TypeScript.",
  },
  exit: {
    0: "it was written",
    1: "the config has errors, which are printed; nothing was written",
    2: "wrong usage, or a file that can't be read or written",
  },
  load: async () => (await import("../modules.ts")).build,
};
