import { z } from "zod";
import { defineTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { config } from "./inputs.ts";

export const compare = defineTool({
  name: "compare",
  title: "Compare with the published version",
  description:
    "Tells which changes of a config would break it for customers who use it already. Call it before a new version goes out.",
  input: {
    path: config,
    against: z
      .string()
      .min(1)
      .describe("The published version: a file of the workspace, or git:REF, as in git:main."),
  },
  async run({ path, against }, { workspace, command, signal }) {
    const old = against.startsWith("git:") ? gitVersion(against) : workspace.inside(against);
    const { stdout, stderr } = await command.run(
      ["breaking", workspace.inside(path), "--against", old],
      signal,
    );
    return [stdout, stderr].filter((text) => text.trim() !== "").join("\n");
  },
});

function gitVersion(against: string): string {
  if (against.startsWith("git:-")) throw new ToolError("A reference of git doesn't begin with “-”.");
  return against;
}
