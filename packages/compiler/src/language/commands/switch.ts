import type { CommandSpec, Section } from "../schema.ts";
import { command, list, section, template } from "../values.ts";

const switchArgument: Section = {
  name: "!switch",
  title: "`!switch`",
  doc: "A program that picks one of several commands.",
  source: "D26",
  members: {
    jq: {
      value: template({ nonEmpty: true, format: "jq" }),
      required: true,
      tier: "ext",
      doc: "Gives the 0-based index of the case to run.",
      example: 'if .type == "new" then 0 else 1 end',
    },
    cases: {
      value: list(command("here"), { minimum: 1 }),
      required: true,
      tier: "ext",
      doc: "The commands to choose from.",
      example: [{ "!jq": "." }, { "!error": "Unknown type" }],
    },
  },
};

export const switchCommand: CommandSpec = {
  key: "!switch",
  tier: "ext",
  source: "D26",
  doc: "Runs the one case whose index the program gives, with the switch's own input.",
  argument: section(() => switchArgument),
  input: "The input of the program and of the case.",
  output: "The output of the case.",
  example: { "!switch": { jq: "if .ok then 0 else 1 end", cases: [{ "!jq": "." }, { "!error": "Not ok" }] } },
};
