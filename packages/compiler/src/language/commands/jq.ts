import type { CommandSpec } from "../schema.ts";
import { template } from "../values.ts";

export const jq: CommandSpec = {
  key: "!jq",
  tier: "core",
  source: "D23",
  doc: "Transforms the input with a jq 1.8 program. Expansions in it are values, never program text.",
  argument: template({ nonEmpty: true, format: "jq" }),
  input: "The program's input.",
  output: "The program's first output; `null` if it has none.",
  example: { "!jq": "[.items[] | {display: .name, value: .id}]" },
};
