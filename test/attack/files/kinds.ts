import type { Entry } from "../harness/index.ts";

/** A kind of file that a command reads. */
export interface FileKind {
  readonly args: readonly string[];
  /** Where what is hostile stands. */
  readonly at: string;
  readonly files?: Readonly<Record<string, Entry>>;
  /** It is a stream, which may go on for as long as its writer likes. */
  readonly endless?: true;
  /** Statuses with which the command may end. */
  readonly codes?: readonly number[];
}

const NODE = "workflows.w.data_pipeline.source";

/** A config that is in order. */
export const app = JSON.stringify({
  $version: "2",
  auth: { a: { type: "basic", defined_fields: { username: {}, password: {} } } },
  api: { base_url: "https://api.example.com" },
  data_intake: [{ type: "webhook", name: "n" }],
  workflows: [
    {
      name: "w",
      label: "W",
      type: "generic",
      auth: "a",
      data_intake: "n",
      setup: {},
      data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
    },
  ],
});

const run = ["run", "a.app.json", NODE];
const settings = (given: object): Readonly<Record<string, Entry>> => ({
  "configc.config.json": JSON.stringify(given),
});

/** Each kind of file that strangers may have written: in a repository, in a pull request, in an archive. */
export const kinds: Readonly<Record<string, FileKind>> = {
  "a config, checked": { args: ["check", "x.app.json"], at: "x.app.json" },
  "a config, built": { args: ["build", "x.app.json", "-o", "out.mjs"], at: "x.app.json" },
  "a config, drawn": { args: ["graph", "x.app.json"], at: "x.app.json" },
  "a config that was published": { args: ["breaking", "a.app.json", "--against", "x.json"], at: "x.json" },
  settings: { args: ["check", "a.app.json"], at: "configc.config.json" },
  "a dialect": {
    args: ["check", "a.app.json"],
    at: "x.json",
    files: settings({ dialect: "x.json" }),
  },
  "a baseline": { args: ["check", "a.app.json", "--baseline", "x.json"], at: "x.json" },
  "a sample": { args: ["check", "a.app.json"], at: "a.samples/x.json" },
  "a description of an API": {
    args: ["check", "a.app.json"],
    at: "api.yaml",
    files: settings({ samples: ["api.yaml"] }),
  },
  "a file of tests": { args: ["test", "x.apptest.json"], at: "x.apptest.json" },
  "a recording": { args: [...run, "--replay", "x.json"], at: "x.json" },
  credentials: { args: [...run, "--credentials", "x.json", "--dry-run"], at: "x.json" },
  "a context": { args: [...run, "--context", "x.json"], at: "x.json" },
  "an input": { args: [...run, "--input", "@x.json"], at: "x.json" },
  "what jq reads": { args: ["jq", ".a?", "x.json"], at: "x.json", endless: true, codes: [0, 2, 5] },
};

/** The files of a kind, with one of them hostile. */
export function filesOf({ at, files = {} }: FileKind, hostile: Entry): Readonly<Record<string, Entry>> {
  return { "a.app.json": app, ...files, [at]: hostile };
}
