import type { OptionSpec } from "../../command-line/option.ts";
import { formatNames, formats } from "../../formats/names.ts";

/** Options that every verb has. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "help", short: "h", summary: "Print help and do nothing else." },
  { name: "version", short: "V", summary: "Print the version and do nothing else." },
];

export const textOrJson: OptionSpec = {
  name: "format",
  value: "FORMAT",
  choices: ["pretty", "json"],
  summary: "pretty (default) or json.",
};

/** How and where findings are reported. */
export const reportOptions: readonly OptionSpec[] = [
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
      "Write the preceding --format to FILE instead of standard output. May be repeated, once for each format.",
  },
];

export const maxWarnings: OptionSpec = {
  name: "max-warnings",
  value: "N",
  summary: "Fail if there are more than N warnings. Default: any number is accepted.",
};

export const ruleLevel: OptionSpec = {
  name: "rule",
  value: "ID=LEVEL",
  completes: "rules",
  summary: "Set a rule's level: error, warning, info, hint or off. Overrides the settings. May be repeated.",
};

export const settingsOptions: readonly OptionSpec[] = [
  {
    name: "config",
    value: "FILE",
    completes: "files",
    summary: "Use the settings in FILE for all configs.",
  },
  {
    name: "no-config",
    summary: "Read no settings file. Overrides --config.",
  },
];
