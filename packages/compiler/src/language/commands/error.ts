import type { CommandSpec } from "../schema.ts";
import { text } from "../values.ts";

export const error: CommandSpec = {
  key: "!error",
  tier: "ext",
  source: "D26",
  doc: "Stops with this message. Expansions aren't evaluated in it.",
  argument: text({ nonEmpty: true }),
  input: "Anything.",
  output: "None: it always fails.",
  example: { "!error": "The account has no forms." },
};
