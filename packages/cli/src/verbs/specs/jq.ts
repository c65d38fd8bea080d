import type { VerbSpec } from "../../command-line/verb.ts";

export const jq: VerbSpec = {
  name: "jq",
  summary: "Runs a jq program as configs run it",
  operands: "PROGRAM [FILE…]",
  completes: "files",
  details: [
    "Reads JSON values from the FILEs or standard input, runs PROGRAM on each and prints its outputs. Numbers keep their digits.",
  ],
  options: [
    { name: "compact-output", short: "c", summary: "Print each output on one line." },
    { name: "null-input", short: "n", summary: "The input is null; `input` and `inputs` read the values." },
    { name: "raw-output", short: "r", summary: "Print strings without quotes." },
    {
      name: "raw-output0",
      summary: "Like -r, with a NUL character after each output instead of a newline.",
    },
    { name: "join-output", short: "j", summary: "Like -r, without a newline after each output." },
    { name: "ascii-output", short: "a", summary: "Print characters beyond ASCII as \\u escapes." },
    { name: "sort-keys", short: "S", summary: "Print members sorted by name." },
    {
      name: "color-output",
      short: "C",
      summary: "Print in colours, even if standard output isn't a terminal. $JQ_COLORS sets them.",
    },
    { name: "monochrome-output", short: "M", summary: "Print without colours, even on a terminal." },
    { name: "tab", summary: "Indent by tabs." },
    { name: "indent", value: "N", summary: "Indent by N spaces, 0 to 7. Default: 2." },
    {
      name: "unbuffered",
      summary:
        "Write each output at once. By default outputs are written together, at the latest before waiting for more input.",
    },
    {
      name: "binary",
      short: "b",
      summary: "Keep line endings. They are always kept; the option exists for compatibility with jq.",
    },
    { name: "slurp", short: "s", summary: "Read all values into one array." },
    { name: "raw-input", short: "R", summary: "Read each line as a string; with -s the whole text." },
    {
      name: "stream",
      summary: "Read each value as events: its leaves with their paths, like `tostream`.",
    },
    {
      name: "stream-errors",
      summary: "Like --stream, but input that isn't JSON ends as an event with the message and the path.",
    },
    {
      name: "seq",
      summary: "Read and print values with a record separator before each (application/json-seq).",
    },
    {
      name: "exit-status",
      short: "e",
      summary: "Exit with 1 if the last output is false or null, or with 4 if there is none.",
    },
    {
      name: "from-file",
      short: "f",
      value: "FILE",
      completes: "files",
      summary: "Read the program from FILE.",
    },
    {
      name: "library-path",
      short: "L",
      value: "FOLDER",
      completes: "files",
      summary:
        "Look for modules of `import` and `include` there, after the current folder. May be repeated. Default: ~/.jq.",
    },
    { name: "arg", value: "NAME VALUE", summary: "Bind the variable $NAME to a string. May be repeated." },
    { name: "argjson", value: "NAME JSON", summary: "Bind the variable $NAME to a value. May be repeated." },
    { name: "rawfile", value: "NAME FILE", summary: "Bind $NAME to the text of FILE. May be repeated." },
    {
      name: "slurpfile",
      value: "NAME FILE",
      summary: "Bind $NAME to an array of the values in FILE. May be repeated.",
    },
    {
      name: "args",
      summary: "Take the arguments after PROGRAM as strings for `$ARGS.positional`, not as files.",
    },
    {
      name: "jsonargs",
      summary: "Take the arguments after PROGRAM as JSON values for `$ARGS.positional`, not as files.",
    },
  ],
  examples: {
    "configc jq '[.items[] | {display: .name, value: .id}]' lists.json":
      "Runs a program on a recorded response.",
    "configc jq -nr --arg name Ada '\"Hello \" + $name'": "Prints a string.",
  },
  exit: {
    0: "the last run succeeded",
    1: "with -e: the last output is false or null",
    2: "wrong usage, or input that can't be read",
    3: "the program has mistakes",
    4: "with -e: there is no output",
    5: "the last run failed, or the input isn't JSON",
  },
  load: async () => (await import("../modules.ts")).jq,
};
