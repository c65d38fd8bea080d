import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { logOf } from "./calls.ts";
import { ANSWER } from "./judge/verdict.ts";
import type { Task } from "./task.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "packages/cli/bin/configc.js");
const proxy = fileURLToPath(new URL("proxy.mjs", import.meta.url));

/** The folder in which an agent finds `configc`, as an installed project has it. */
export const binaries = join(root, "node_modules/.bin");

/**
 * Writes what an agent starts from: the task, the API, the reference of the language; with our tools also what `configc init --agents` writes
 * and the settings by which clients find `configc mcp`, behind a proxy that counts.
 *
 * @returns the prompt
 */
export function prepare(task: Task, folder: string, withTools: boolean): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "api.json"), `${JSON.stringify(task.document, undefined, 2)}\n`);
  cpSync(join(root, "docs/language"), join(folder, "language"), { recursive: true });
  const prompt = promptOf(task, withTools);
  writeFileSync(join(folder, "TASK.md"), prompt);
  if (withTools) {
    const { status, stderr } = spawnSync(process.execPath, [command, "init", "--agents"], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`configc init --agents failed: ${stderr}`);
    const server = {
      command: process.execPath,
      args: [proxy, logOf(folder), process.execPath, command, "mcp"],
    };
    writeFileSync(
      join(folder, ".mcp.json"),
      `${JSON.stringify({ mcpServers: { configc: server } }, undefined, 2)}\n`,
    );
  }
  return prompt;
}

function promptOf({ asks }: Task, withTools: boolean): string {
  const tools = withTools ? "\nAGENTS.md says how to work; the command `configc` is there.\n" : "";
  return `${asks}

The API of the service is described in api.json (OpenAPI). The language of such apps is described in the folder language; begin with language/README.md.
${tools}
Write the app to ${ANSWER} in this folder, and nothing else. Don't ask; decide.
`;
}

/** The environment of an agent: with our tools the command is found, without them it isn't. */
export function environment(withTools: boolean): NodeJS.ProcessEnv {
  const { PATH = "" } = process.env;
  return withTools ? { ...process.env, PATH: `${binaries}${delimiter}${PATH}` } : process.env;
}
