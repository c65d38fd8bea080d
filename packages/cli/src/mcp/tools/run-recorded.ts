import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { complaint } from "../command.ts";
import { defineTool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { config, node } from "./inputs.ts";

export const runRecorded = defineTool({
  name: "run_recorded",
  title: "Run on recorded answers",
  description:
    "Runs a command, an intake (one cycle) or a workflow's pipeline on recorded answers, and shows the output, or where it failed. Without a recording it shows the requests that would be sent, and sends none, unless the person who started the server allowed it.",
  input: {
    path: config,
    node,
    recording: z
      .string()
      .min(1)
      .optional()
      .describe("A recording that “configc run --record” wrote, relative to the workspace."),
    input: z
      .unknown()
      .optional()
      .describe("What the command takes, as JSON: a payload, or a result of a poll."),
    context: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "Values that expansions read: {custom_data, data, polling_state, webhook, mapping, contact}.",
      ),
    trace: z.boolean().optional().describe("Show each step, request and answer."),
  },
  async run({ path, node: name, recording, input, context, trace = false }, tools) {
    const { workspace, command, network, signal } = tools;
    const given = new GivenFiles();
    try {
      const { status, stdout, stderr } = await command.run(
        [
          ...["run", workspace.inside(path), name],
          ...(recording === undefined ? [] : ["--replay", workspace.inside(recording)]),
          ...(recording === undefined && !network ? ["--dry-run"] : []),
          ...(input === undefined ? [] : ["--input", `@${given.write("input", input)}`]),
          ...(context === undefined ? [] : ["--context", given.write("context", context)]),
          ...(trace ? ["--trace"] : []),
        ],
        signal,
      );
      const told = [stdout.trim(), complaint(stderr)].filter((text) => text !== "").join("\n\n");
      if (status !== 0) throw new ToolError(told);
      return told;
    } catch (error) {
      throw error instanceof ToolError ? new ToolError(given.named(error.message)) : error;
    } finally {
      given.remove();
    }
  },
});

/** Values as files: an argument of a process has no room for a large payload, and others could read it there. */
class GivenFiles {
  private readonly folder = mkdtempSync(join(tmpdir(), "configc-"));

  write(name: string, value: unknown): string {
    const path = join(this.folder, name);
    writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
    return path;
  }

  /** A message with the names that an agent knows instead of paths. */
  named(message: string): string {
    return message.replaceAll(join(this.folder, "/"), "");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
