import { concerns } from "@configc/compiler/internal";
import type { VerbSpec } from "../../command-line/verb.ts";
import { maxWarnings, reportOptions, ruleLevel, settingsOptions } from "./options.ts";

export const breaking: VerbSpec = {
  name: "breaking",
  summary: "Says what a new version breaks for customers who use the published one",
  operands: "NEW",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "NEW is the config that you want to publish; --against names the version that customers use. Each finding points at a place in NEW and says what happens to customers and what to do instead. Workflows, intakes, fields and options are matched by name or id.",
    'To accept a change, suppress its finding in NEW: "_comment": "configc-ignore breaking/RULE: the reason".',
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
        "Show only findings about setups (saved by customers), registrations (running), state (saved) or embedders. May be repeated.",
    },
    ...reportOptions,
    maxWarnings,
    ruleLevel,
    ...settingsOptions,
  ],
  examples: {
    "configc breaking shop.app.json --against git:origin/main":
      "Compares with the main branch, before a merge.",
    "configc breaking shop.app.json --against git:v1.4:configs/shop.app.json --format github":
      "Compares with a release in which the file had another path, and annotates the pull request.",
    "configc breaking shop.app.json --against published.app.json --concern state":
      "Asks only whether saved state can still be read.",
  },
  exit: {
    0: "no errors, and no more warnings than accepted",
    1: "an error, or more warnings than --max-warnings accepts",
    2: "wrong usage, or a version that can't be read",
  },
  load: async () => (await import("../modules.ts")).breaking,
};
