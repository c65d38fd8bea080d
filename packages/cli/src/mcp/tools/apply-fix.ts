import { z } from "zod";
import { defineTool } from "../tool.ts";
import { reportOf, summaryOf } from "./check.ts";
import { config } from "./inputs.ts";

export const applyFix = defineTool({
  name: "apply_fix",
  title: "Apply safe fixes",
  description:
    "Applies the safe fixes of a config to its file, and shows the difference and what is left. Fixes that may change what the app does are only shown by check: make those edits yourself.",
  input: {
    path: config,
    dry_run: z.boolean().optional().describe("Show the difference, and write nothing."),
  },
  writes: true,
  async run({ path, dry_run = false }, context) {
    const { workspace, command, signal } = context;
    const file = workspace.inside(path);
    // The difference first: afterwards it can't be told any more.
    const { stdout: difference } = await command.run(["check", "--fix-dry-run", file], signal);
    if (difference.trim() === "")
      return `No safe fix applies.\n\n${summaryOf(await reportOf(context, [path]))}`;
    if (dry_run) return difference;
    await command.run(["check", "--fix", "--format", "json", file], signal);
    return `${difference}\n${summaryOf(await reportOf(context, [path]))}`;
  },
});
