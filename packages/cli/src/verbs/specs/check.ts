import type { VerbSpec } from "../../command-line/verb.ts";
import { maxWarnings, reportOptions, ruleLevel, settingsOptions } from "./options.ts";

export const check: VerbSpec = {
  name: "check",
  summary: "Checks configs and prints what is wrong with them",
  operands: "[PATH…]",
  completes: "files",
  details: [
    "PATH is a file, a folder, a glob in quotes, or - for standard input. Without one, every *.app.json and *.app.jsonc below the current folder is checked. Files that git ignores, node_modules, and files that the settings exclude are skipped. A file named on the command line is always checked.",
    "Settings come from the nearest configc.config.json in the folder of each file or above it.",
  ],
  options: [
    ...reportOptions,
    { name: "fix", summary: "Apply the safe fixes to the files, then report the remaining findings." },
    {
      name: "fix-dry-run",
      summary:
        "Print what --fix would change as a unified diff and write nothing. The report goes to stderr.",
    },
    {
      name: "watch",
      summary: "Keep running and check changed files again, until Ctrl-C.",
    },
    maxWarnings,
    ruleLevel,
    {
      name: "baseline",
      value: "FILE",
      completes: "files",
      summary: "Hide the findings recorded in FILE.",
    },
    {
      name: "update-baseline",
      summary: "Record the current findings in the --baseline file.",
    },
    ...settingsOptions,
    {
      name: "no-cache",
      summary:
        "Check every file again and cache nothing. By default findings are cached in the user's cache folder (CONFIGC_CACHE_DIR), and unchanged files aren't checked again.",
    },
    {
      name: "jobs",
      value: "N",
      summary: "Use at most N threads. Default: one per core, up to 8. Each gets ten files or more.",
    },
    {
      name: "stdin-filename",
      value: "NAME",
      completes: "files",
      summary: "The file name for standard input in reports. Its folder decides which settings apply.",
    },
  ],
  examples: {
    "configc check": "Checks every config below this folder.",
    "configc check --fix shop.app.json": "Applies the safe fixes.",
    "configc check --format pretty --format sarif --output configc.sarif":
      "Prints findings and writes them for code scanning, in one run.",
    "configc check --baseline known.json --max-warnings 0":
      "Fails only on findings that aren't in the baseline.",
    "git show HEAD:shop.app.json | configc check - --stdin-filename shop.app.json":
      "Checks text from standard input.",
  },
  exit: {
    0: "no errors, and no more warnings than accepted; infos and hints don't count",
    1: "an error, or more warnings than --max-warnings accepts",
    2: "wrong usage, wrong settings, or a path that can't be opened (the other files are still reported)",
  },
  load: () => import("../check.ts"),
};
