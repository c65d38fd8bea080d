import type { CommandSpec } from "../schema.ts";
import { command, list } from "../values.ts";

export const pipe: CommandSpec = {
  key: "!pipe",
  tier: "core",
  source: "spec: What the service does",
  doc: "Runs commands in sequence; the output of each is the input of the next. `${piped_content.0}` is the initial input, `${piped_content.N}` the output of step N.",
  argument: list(command("here"), { minimum: 1 }),
  input: "The input of the first step.",
  output: "The output of the last step.",
  example: { "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }] },
};
