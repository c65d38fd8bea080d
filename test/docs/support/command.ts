import { builtMain, runIn } from "../../../packages/cli/test/support/in-process.ts";

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  /** Both streams, in the order in which they were written. */
  readonly all: string;
}

/** Runs the command as a reader would, in this process: there are many commands. */
export async function configc(argv: readonly string[], folder: string): Promise<Outcome> {
  return runIn(await builtMain(), argv, { cwd: folder, env: { NO_COLOR: "1" } });
}
