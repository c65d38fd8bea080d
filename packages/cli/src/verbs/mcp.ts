import { statSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { createServer } from "../mcp/server.ts";
import { packageInfo } from "../package-info.ts";
import { note } from "../terminal/output.ts";

/** @returns when the client has ended the connection */
export async function run(args: Arguments): Promise<number> {
  const [folder = "."] = args.operands;
  if (process.stdin.isTTY)
    note("configc: mcp waits for an agent on standard input; Ctrl-C ends it. Agents: docs/agents.md");
  const server = createServer({
    version: packageInfo().version,
    folder: existing(folder),
    write: !args.has("read-only"),
    network: args.has("allow-network"),
  });
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    // The transport doesn't tell of a client that has gone.
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  return 0;
}

function existing(folder: string): string {
  try {
    if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} isn't a folder.`, "mcp");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${folder} can't be opened: ${reasonOf(error)}.`, "mcp");
  }
  return folder;
}
