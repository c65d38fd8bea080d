import { z } from "zod";
import { defineTool } from "../tool.ts";
import { config } from "./inputs.ts";

export const simulate = defineTool({
  name: "simulate",
  title: "Simulate the service",
  description:
    "Runs the app against a simulated service whose records change, and shows the smallest case in which data gets lost, with the place in the config and what would mend it. Sends nothing, needs no account. Call it before an app goes out. Read first what the service is taken for: if a line of that is wrong, so is what follows; say what you know of the service in NAME.world.json beside NAME.app.json, never by changing the config.",
  input: {
    path: config,
    only: z.array(z.string().min(1)).optional().describe("Names of the intakes or workflows to try."),
    seconds: z.number().positive().max(60).optional().describe("How long to try worlds. Default: 10."),
    whole: z
      .boolean()
      .optional()
      .describe("Also list what was supposed of the service and broke nothing. Default: false."),
  },
  async run({ path, only = [], seconds = 10, whole = false }, { workspace, command, signal }) {
    const names = only.map((name) => name.replace(/^-+/, ""));
    const { stdout, stderr } = await command.run(
      ["simulate", workspace.inside(path), ...names, "--time", `${seconds}s`],
      signal,
    );
    return [whole ? stdout : brief(stdout), stderr].filter((text) => text.trim() !== "").join("\n");
  },
});

const SUPPOSED = "  What was supposed, and what broke because of it:";

/** The same report with its sum first, without what broke nothing: an agent reads the first page, and pays for it. */
function brief(report: string): string {
  const lines = report
    .trimEnd()
    .split("\n")
    .filter((line) => !/^ {4}[^:]+: nothing – /.test(line))
    .filter((line, index, left) => line !== SUPPOSED || left[index + 1]?.startsWith("    "));
  const sum = lines.pop() ?? "";
  return `${sum}\n\n${lines.join("\n").replace(/\n{3,}/g, "\n\n")}`.trimEnd();
}
