import { readFileSync } from "node:fs";
import { z } from "zod";
import { defineTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { config } from "./inputs.ts";

export const complete = defineTool({
  name: "complete",
  title: "Complete at a place",
  description:
    "Lists what can be written at a place: members, commands, names of the document, roots and paths of expansions, jq functions and the fields of what comes in.",
  input: {
    path: config,
    line: z.number().int().min(1).describe("From 1, as in findings."),
    column: z.number().int().min(1).describe("From 1, as in findings: what stands before it is completed."),
  },
  async run({ path, line, column }, { workspace }) {
    const absolute = workspace.absolute(path);
    let text: string;
    try {
      text = readFileSync(absolute, "utf8");
    } catch {
      throw new ToolError(`${path} can't be read: give the path of a config, relative to the workspace.`);
    }
    const { completionsIn } = await import("../../verbs/lsp.ts");
    const found = await completionsIn(absolute, text, line, column);
    if (found.length === 0) return "Nothing is known that could stand here.";
    return found
      .map(({ label, kind, detail = "" }) => [label, kind, detail].filter((part) => part !== "").join("  "))
      .join("\n");
  },
});
