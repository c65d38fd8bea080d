import { z } from "zod";
import { defineTool } from "../tool.ts";

export const test = defineTool({
  name: "test",
  title: "Run tests",
  description:
    "Runs the test cases (*.apptest.json) of the workspace on recorded answers. A case that fails shows the difference between what was expected and what came.",
  input: {
    path: z
      .string()
      .min(1)
      .optional()
      .describe("A test file or a folder, relative to the workspace. Default: all tests of the workspace."),
    coverage: z.boolean().optional().describe("Also list what no case has run."),
  },
  async run({ path, coverage = false }, { workspace, command, signal }) {
    const { stdout, stderr } = await command.run(
      ["test", ...(path === undefined ? [] : [workspace.inside(path)]), ...(coverage ? ["--coverage"] : [])],
      signal,
    );
    return [stdout, stderr].filter((text) => text.trim() !== "").join("\n");
  },
});
