import type { VerbSpec } from "../../command-line/verb.ts";

export const build: VerbSpec = {
  name: "build",
  summary: "Writes a config as a module that a service can import",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "The module is self-contained: one file with the compiled app and the runtime, without dependencies. It exports `createApp(effects, options?)`, which makes the app's runtime, `app` for a host, and everything from @configc/runtime. Errors in production name the line and column of the config, even inside jq programs. See docs/embedding.md.",
    "A config with errors isn't built. Warnings are ignored; “configc check” shows them.",
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
        "Write the app's types for a host as a .d.ts: inputs and outputs of commands, saved values, what the app needs.",
    },
  ],
  examples: {
    "configc build shop.app.json -o shop.mjs": 'Writes a module: import { createApp } from "./shop.mjs".',
    "configc build shop.app.jsonc --json -o shop.app.json": "Writes the JSON that a platform accepts.",
    "configc build shop.app.json --types -o shop.d.ts": "Writes the types of the app, for TypeScript.",
  },
  exit: {
    0: "the file was written",
    1: "the config has errors, which are printed; nothing was written",
    2: "wrong usage, or a file that can't be read or written",
  },
  load: async () => (await import("../modules.ts")).build,
};
