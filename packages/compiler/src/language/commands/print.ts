import type { CommandSpec } from "../schema.ts";
import { template } from "../values.ts";

export const print: CommandSpec = {
  key: "!print_c",
  tier: "ext",
  source: "D26",
  doc: "Writes a log entry.",
  argument: template(),
  input: "Anything.",
  output: "Its input.",
  example: { "!print_c": "Fetched ${piped_content.1.id}" },
};
