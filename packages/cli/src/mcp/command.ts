import { spawn } from "node:child_process";
import { commandFile } from "../package-info.ts";
import { ToolError } from "./tool-error.ts";

/** What one run of the command gave. */
interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Longer than any run of a tool should take, simulations included. */
const DEADLINE = 120_000;
/** Characters that are kept of an output; a run that prints more is ended. */
const MOST_OUTPUT = 20_000_000;

/**
 * Runs a verb of the command in a process of its own: it can be ended at any time, what it prints can't get among the
 * messages of the protocol, and an agent gets what a person would.
 */
export class Command {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * @param args the verb, its operands and options
   * @throws ToolError if it was cancelled, took too long, printed too much, or was used wrongly (status 2, with nothing on stdout)
   */
  async run(args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
    const result = await this.start(args, signal);
    if (result.status === 2 && result.stdout === "") throw new ToolError(complaint(result.stderr));
    return result;
  }

  private start(args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [commandFile, ...args], {
        cwd: this.folder,
        env: { ...process.env, NO_COLOR: "1" },
        stdio: ["pipe", "pipe", "pipe"],
        timeout: DEADLINE,
        killSignal: "SIGKILL",
        signal,
      });
      const [verb = ""] = args;
      const output = { stdout: "", stderr: "" };
      let isTooLong = false;
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8");
        child[name].on("data", (text: string) => {
          if (output[name].length + text.length <= MOST_OUTPUT) output[name] += text;
          else {
            isTooLong = true;
            child.kill("SIGKILL");
          }
        });
      }
      // It may end without having read everything.
      child.stdin.on("error", () => {});
      child.stdin.end();
      child.on("error", (error) => reject(signal.aborted ? new ToolError(`${verb} was cancelled.`) : error));
      child.on("close", (status) => {
        if (isTooLong)
          reject(
            new ToolError(`${verb} printed more than ${MOST_OUTPUT / 1e6} million characters. Ask for less.`),
          );
        else if (signal.aborted) reject(new ToolError(`${verb} was cancelled.`));
        else if (status === null)
          reject(new ToolError(`${verb} took more than ${DEADLINE / 1_000} s and was ended. Ask for less.`));
        else resolve({ status, ...output });
      });
    });
  }
}

/** What the command says on stderr, without its name and without pointing at help that an agent can't see. */
export function complaint(stderr: string): string {
  return stderr
    .split("\n")
    .filter((line) => !line.startsWith("See “configc"))
    .join("\n")
    .replace(/^configc: /gm, "")
    .trim();
}
