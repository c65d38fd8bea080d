import { z } from "zod";
import { defineTool } from "../tool.ts";

export const explain = defineTool({
  name: "explain",
  title: "Explain a rule",
  description:
    "Explains a rule that a finding names: what it means for a customer, the wrong config, what happens, and the mended one.",
  input: { rule: z.string().min(1).describe("The rule's name, as in polling/unset-key.") },
  async run({ rule }, { command, signal }) {
    return (await command.run(["explain", rule.replace(/^-+/, "")], signal)).stdout;
  },
});
