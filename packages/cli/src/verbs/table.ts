import { concerns } from "@configc/compiler";
import type { OptionSpec } from "../command-line/option.ts";
import type { VerbSpec } from "../command-line/verb.ts";
import { formatNames, formats } from "../formats/names.ts";
import { templateNames } from "../template-names.ts";

/** Options that every verb has. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "help", short: "h", summary: "Print help and do nothing else." },
  { name: "version", short: "V", summary: "Print the version and do nothing else." },
];

const textOrJson: OptionSpec = {
  name: "format",
  value: "FORMAT",
  choices: ["pretty", "json"],
  summary: "pretty (default) or json.",
};

/** How and where findings are reported. */
const reportOptions: readonly OptionSpec[] = [
  {
    name: "format",
    value: "FORMAT",
    choices: formatNames,
    summary: `${formatNames.map((name) => `${name}: ${formats[name].summary}`).join("; ")}. Default: pretty. May be repeated.`,
  },
  {
    name: "output",
    value: "FILE",
    completes: "files",
    summary:
      "Write the format before it to FILE instead of standard output. May be repeated, once for each format.",
  },
];

const maxWarnings: OptionSpec = {
  name: "max-warnings",
  value: "N",
  summary: "Fail if there are more than N warnings. Default: any number is accepted.",
};

const ruleLevel: OptionSpec = {
  name: "rule",
  value: "ID=LEVEL",
  completes: "rules",
  summary: "Give a rule a level: error, warning, info, hint or off. Wins over the settings. May be repeated.",
};

const settingsOptions: readonly OptionSpec[] = [
  {
    name: "config",
    value: "FILE",
    completes: "files",
    summary: "Take the settings from FILE, for all configs.",
  },
  {
    name: "no-config",
    summary: "Read no settings file. Wins over --config.",
  },
];

const check: VerbSpec = {
  name: "check",
  summary: "Checks configs and prints what is wrong with them",
  operands: "[PATH…]",
  completes: "files",
  details: [
    "PATH is a file, a folder, a glob in quotes, or - for standard input. Without one, every *.app.json and *.app.jsonc below the current folder is checked. What git ignores, node_modules, and what the settings exclude are left out. A file that is named is always checked, whatever its name or place.",
    "Settings are read from the nearest configc.config.json in the folder of each file or above.",
  ],
  options: [
    ...reportOptions,
    { name: "fix", summary: "Apply the safe fixes to the files, then report what is left." },
    {
      name: "fix-dry-run",
      summary:
        "Print what --fix would change as a unified diff and write nothing. The report goes to stderr.",
    },
    {
      name: "watch",
      summary: "Stay and check again what changes, until Ctrl-C.",
    },
    maxWarnings,
    ruleLevel,
    {
      name: "baseline",
      value: "FILE",
      completes: "files",
      summary: "Leave out the findings that FILE records.",
    },
    {
      name: "update-baseline",
      summary: "Record the present findings in the file that --baseline names.",
    },
    ...settingsOptions,
    {
      name: "stdin-filename",
      value: "NAME",
      completes: "files",
      summary: "The name that standard input is reported under. Its folder decides about the settings.",
    },
  ],
  examples: {
    "configc check": "Checks every config below this folder.",
    "configc check --fix shop.app.json": "Repairs what can safely be repaired.",
    "configc check --format pretty --format sarif --output configc.sarif":
      "Prints findings and writes them for code scanning, in one run.",
    "configc check --baseline known.json --max-warnings 0":
      "Fails only if something is new compared with the recorded findings.",
    "git show HEAD:shop.app.json | configc check - --stdin-filename shop.app.json":
      "Checks a text that isn't in a file.",
  },
  exit: {
    0: "no errors, and no more warnings than accepted; infos and hints don't count",
    1: "an error, or more warnings than --max-warnings accepts",
    2: "wrong usage, wrong settings, or a path that can't be opened (the other files are still reported)",
  },
  load: async () => (await import("./modules.ts")).check,
};

const explain: VerbSpec = {
  name: "explain",
  summary: "Explains a rule: why it matters, what to do, examples",
  operands: "RULE",
  atLeast: 1,
  atMost: 1,
  completes: "rules",
  details: [],
  options: [textOrJson],
  examples: { "configc explain structure/unknown-member": "Prints the page of a rule." },
  exit: { 0: "the rule was explained", 2: "there is no such rule" },
  load: async () => (await import("./modules.ts")).explain,
};

const rules: VerbSpec = {
  name: "rules",
  summary: "Lists the rules with their levels",
  operands: "",
  atMost: 0,
  details: [],
  options: [textOrJson],
  examples: { "configc rules": "Lists every rule.", "configc rules --format json": "The same for programs." },
  exit: { 0: "always" },
  load: async () => (await import("./modules.ts")).rules,
};

const schema: VerbSpec = {
  name: "schema",
  summary: "Prints the JSON Schema of configs, for editors that have no language server",
  operands: "",
  atMost: 0,
  details: [
    "A JSON Schema (draft-07) covers structure only. “configc check” and the language server see references, expansions and programs too.",
  ],
  options: [],
  examples: { "configc schema > app.schema.json": "Writes the schema to a file." },
  exit: { 0: "always" },
  load: async () => (await import("./modules.ts")).schema,
};

const init: VerbSpec = {
  name: "init",
  summary: "Writes a config to start from",
  operands: "[NAME]",
  atMost: 1,
  details: [
    "Writes NAME.app.json, with NAME as the name of the service in it. NAME may stand below a folder. Default: the name of the current folder.",
    "Templates: outbound (a workflow that adds contacts to a list of the service), inbound-webhook (contacts from events that the service sends), inbound-polling (contacts from records that the service is asked for), historical-sync (past records first, then events).",
  ],
  options: [
    {
      name: "template",
      value: "TEMPLATE",
      choices: templateNames,
      summary: `${templateNames.join(", ")}. Default: outbound.`,
    },
    { name: "force", summary: "Overwrite a file that exists." },
  ],
  examples: {
    "configc init shop --template inbound-webhook": "Writes shop.app.json.",
    "configc init configs/shop": "Writes configs/shop.app.json.",
  },
  exit: { 0: "the file was written", 2: "wrong usage, or the file exists" },
  load: async () => (await import("./modules.ts")).init,
};

const jq: VerbSpec = {
  name: "jq",
  summary: "Runs a jq program as configs run it",
  operands: "PROGRAM [FILE…]",
  completes: "files",
  details: [
    "Reads JSON values from the FILEs or standard input, runs PROGRAM on each and prints its outputs. The digits of numbers are kept as they were written.",
  ],
  options: [
    { name: "compact-output", short: "c", summary: "Print each output on one line." },
    { name: "null-input", short: "n", summary: "The input is null; `input` and `inputs` read the values." },
    { name: "raw-output", short: "r", summary: "Print strings without quotes." },
    { name: "join-output", short: "j", summary: "As -r, without an end of line after each output." },
    { name: "ascii-output", short: "a", summary: "Print characters beyond ASCII as \\u escapes." },
    { name: "sort-keys", short: "S", summary: "Print members in the order of their names." },
    { name: "tab", summary: "Indent by tabs." },
    { name: "indent", value: "N", summary: "Indent by N spaces, 0 to 7. Default: 2." },
    { name: "slurp", short: "s", summary: "Read all values into one array." },
    { name: "raw-input", short: "R", summary: "Read each line as a string; with -s the whole text." },
    {
      name: "exit-status",
      short: "e",
      summary: "Exit with 1 if the last output is false or null, 4 if there is none.",
    },
    {
      name: "from-file",
      short: "f",
      value: "FILE",
      completes: "files",
      summary: "Read the program from FILE.",
    },
    { name: "arg", value: "NAME VALUE", summary: "Bind the variable $NAME to a string. May be repeated." },
    { name: "argjson", value: "NAME JSON", summary: "Bind the variable $NAME to a value. May be repeated." },
    { name: "rawfile", value: "NAME FILE", summary: "Bind $NAME to the text of FILE. May be repeated." },
    {
      name: "slurpfile",
      value: "NAME FILE",
      summary: "Bind $NAME to an array of the values in FILE. May be repeated.",
    },
  ],
  examples: {
    "configc jq '[.items[] | {display: .name, value: .id}]' lists.json":
      "Runs a program on a recorded answer.",
    "configc jq -nr --arg name Ada '\"Hello \" + $name'": "Prints a string.",
  },
  exit: {
    0: "every run succeeded",
    1: "with -e: the last output is false or null",
    2: "wrong usage, or input that can't be read or isn't JSON",
    3: "the program has mistakes",
    4: "with -e: there is no output",
    5: "a run failed",
  },
  load: async () => (await import("./modules.ts")).jq,
};

const run: VerbSpec = {
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
      summary: "What the command takes; @FILE reads it from a file. Default: the object of the roots.",
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
    { name: "trace", summary: "Print each step, request and answer to stderr." },
    {
      name: "record",
      value: "FILE",
      completes: "files",
      summary: "Write what the run asked and was told to FILE, without secrets.",
    },
    {
      name: "samples",
      summary: "Keep the answers in NAME.samples beside the config, masked: types are learned from them.",
    },
    {
      name: "replay",
      value: "FILE",
      completes: "files",
      summary: "Answer from a recording instead of the network; the time is that of the recording.",
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
  load: async () => (await import("./running.ts")).run,
};

const test: VerbSpec = {
  name: "test",
  summary: "Runs the tests of configs, with recorded answers instead of the network",
  operands: "[PATH…]",
  completes: "files",
  details: [
    "PATH is a file *.apptest.json, a folder, or a glob in quotes. Without one, every such file below the current folder is run. A file is {config, cases: [{name, run: NODE, input?, context?, credentials?, now?, search?, http: [{request, response}], expect or expectError}]}; schemas/configc.apptest.schema.json describes it.",
    "Each request must be recorded, and each recorded one must be sent. The clock stands at the case's `now`; waiting takes no time.",
  ],
  options: [
    {
      name: "record",
      summary: "Send the requests, and write requests and answers to `http`, without secrets.",
    },
    { name: "update", summary: "Write what failing cases gave as what they are expected to give." },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "junit", "json"],
      summary: "pretty (default), junit or json.",
    },
    { name: "coverage", summary: "Say which commands and cases of !switch never ran." },
    {
      name: "verify",
      summary:
        "Run each jq program in jq itself too, and fail where the results differ. Needs the package jq-wasm.",
    },
    {
      name: "credentials",
      value: "FILE",
      completes: "files",
      summary: "With --record: what to authorise with.",
    },
    { name: "base-url", value: "URL", summary: "With --record: a test server instead of api.base_url." },
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
  load: async () => (await import("./running.ts")).test,
};

const dev: VerbSpec = {
  name: "dev",
  summary: "Serves an app on this machine: guided setup, webhooks, schedules",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "Prints the address of a page on which workflows are set up as a customer would, and shows what they deliver, with traces. Polls run on their schedule, webhooks arrive below /in/, and each request is told on stderr. Contacts are kept by a small platform of its own.",
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
  load: async () => (await import("./running.ts")).dev,
};

const build: VerbSpec = {
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
  load: async () => (await import("./modules.ts")).build,
};

const breaking: VerbSpec = {
  name: "breaking",
  summary: "Says what a new version breaks for customers who use the published one",
  operands: "NEW",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "NEW is the config to be published, --against the version that customers use. Each finding says what happens to them, and what to do instead; it stands in NEW, where that differs. Workflows, intakes, fields and options are the same if they have the same name or id.",
    'A change that is meant is silenced in NEW like any finding: "_comment": "configc-ignore breaking/RULE: the reason".',
  ],
  options: [
    {
      name: "against",
      value: "OLD",
      completes: "files",
      summary:
        "The published version: a file, git:REF:PATH (from the repository's root, or ./PATH from the current folder), or git:REF for the path of NEW.",
    },
    {
      name: "concern",
      value: "WHOM",
      choices: concerns,
      summary:
        "Only what concerns customers' saved setups, their running registrations, saved state, or embedders. May be repeated.",
    },
    ...reportOptions,
    maxWarnings,
    ruleLevel,
    ...settingsOptions,
  ],
  examples: {
    "configc breaking shop.app.json --against git:origin/main":
      "Compares with what the main branch has, as before a merge.",
    "configc breaking shop.app.json --against git:v1.4:configs/shop.app.json --format github":
      "Compares with a release, where the file stood elsewhere, and annotates the pull request.",
    "configc breaking shop.app.json --against published.app.json --concern state":
      "Asks only whether saved state can still be read.",
  },
  exit: {
    0: "no errors, and no more warnings than accepted",
    1: "an error, or more warnings than --max-warnings accepts",
    2: "wrong usage, or a version that can't be read",
  },
  load: async () => (await import("./modules.ts")).breaking,
};

const type: VerbSpec = {
  name: "type",
  summary: "Prints what a command takes and gives, as far as it is known",
  operands: "FILE NODE",
  atLeast: 2,
  atMost: 2,
  completes: "files",
  details: [
    "NODE is a JSON Pointer (/workflows/0/setup) or a dotted path of names (workflows.NAME.data_pipeline.source). A name with dots is quoted; unquoted, the longest declared name wins. If NODE is no command, the commands in it are printed.",
    "unknown is anything, … stands for further members that there may be, ? for a member that may be absent.",
    "Below an output stands where its parts come from: string <- .items[].name <- GET /items <- 14 samples. docs/types.md tells of samples.",
  ],
  options: [textOrJson],
  examples: {
    "configc type shop.app.json workflows.import-orders.data_pipeline":
      "Prints the types of source and target.",
  },
  exit: { 0: "the types were printed", 2: "wrong usage, no such node, or a file that can't be read" },
  load: async () => (await import("./modules.ts")).type,
};

const graph: VerbSpec = {
  name: "graph",
  summary: "Draws an app: intakes, workflows, the hosts that they ask, what is saved",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "mermaid is for Markdown, as GitHub and GitLab draw it; dot is for Graphviz; svg is a picture that needs nothing else and follows the reader's light or dark. Data flows from left to right.",
  ],
  options: [
    {
      name: "format",
      value: "FORMAT",
      choices: ["mermaid", "dot", "svg"],
      summary: "mermaid (default), dot or svg.",
    },
    {
      name: "output",
      value: "FILE",
      completes: "files",
      summary: "Write to FILE instead of standard output.",
    },
  ],
  examples: {
    "configc graph shop.app.json --format svg --output shop.svg": "Draws a picture.",
    "configc graph shop.app.json >> README.md": "Appends a flowchart, to be put between Mermaid fences.",
  },
  exit: { 0: "it was drawn", 2: "wrong usage, or a file that can't be read or written" },
  load: async () => (await import("./modules.ts")).graph,
};

const lsp: VerbSpec = {
  name: "lsp",
  summary: "Starts the language server",
  operands: "",
  atMost: 0,
  details: ["Speaks the Language Server Protocol on standard input and output."],
  options: [{ name: "stdio", summary: "Talk over standard input and output, the only way there is." }],
  examples: { "configc lsp --stdio": "What an editor starts." },
  exit: { 0: "the client ended it", 1: "the connection broke" },
  load: () => import("./lsp.ts"),
};

const completion: VerbSpec = {
  name: "completion",
  summary: "Prints the completion script of a shell",
  operands: "SHELL",
  atLeast: 1,
  atMost: 1,
  choices: ["bash", "zsh", "fish"],
  details: ["SHELL is bash, zsh or fish."],
  options: [],
  examples: {
    'eval "$(configc completion bash)"': "In ~/.bashrc.",
    'eval "$(configc completion zsh)"': "In ~/.zshrc, after compinit.",
    "configc completion fish > ~/.config/fish/completions/configc.fish": "Once.",
  },
  exit: { 0: "always", 2: "wrong usage" },
  load: async () => (await import("./modules.ts")).completion,
};

export const verbs: readonly VerbSpec[] = [
  check,
  explain,
  rules,
  schema,
  init,
  run,
  test,
  breaking,
  dev,
  build,
  type,
  graph,
  jq,
  lsp,
  completion,
];
