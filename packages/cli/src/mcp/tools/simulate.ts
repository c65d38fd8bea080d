import { z } from "zod";
import { defineTool } from "../tool.ts";
import { config } from "./inputs.ts";

export const simulate = defineTool({
  name: "simulate",
  title: "Simulate the service",
  description:
    "Runs the app against a simulated service whose records change, and shows the smallest case in which data gets lost, with the place in the config and what would mend it. Sends nothing, needs no account. Call it before an app goes out.",
  input: {
    path: config,
    only: z.array(z.string().min(1)).optional().describe("Names of the intakes or workflows to try."),
    seconds: z.number().positive().max(60).optional().describe("How long to try worlds. Default: 10."),
  },
  async run({ path, only = [], seconds = 10 }, { workspace, command, signal }) {
    const names = only.map((name) => name.replace(/^-+/, ""));
    const { stdout, stderr } = await command.run(
      ["simulate", workspace.inside(path), ...names, "--time", `${seconds}s`],
      signal,
    );
    return [stdout, stderr].filter((text) => text.trim() !== "").join("\n");
  },
});
