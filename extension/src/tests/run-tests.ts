import { spawn } from "node:child_process";
import { basename, dirname, join } from "node:path";
import type { CancellationToken } from "vscode";

/** What `configc test --format json` tells of a case. */
export interface TestedCase {
  readonly name: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly reasons?: readonly string[];
  /** Lines: `- ` expected, `+ ` given. */
  readonly diff?: readonly string[];
  /** Where in the config the run failed; lines and columns count from 1. */
  readonly failure?: {
    readonly pointer: string;
    readonly range?: { readonly start: { readonly line: number; readonly column: number } };
  };
}

/** What is told of a test file. */
export interface Tested {
  /** Path of its config. */
  readonly config: string;
  readonly cases: readonly TestedCase[];
}

/** Runs the cases of a test file. @throws Error where it can't be run: with what is wrong with it */
export type RunTests = (path: string, token: CancellationToken) => Promise<Tested>;

/**
 * Runs them by the same program that CI runs: with recorded answers, without a network.
 *
 * @param module the server's program, which knows the verb `test` too
 */
export function testsInProcess(module: string): RunTests {
  return (path, token) =>
    new Promise((resolve, reject) => {
      const process_ = spawn(process.execPath, [module, "test", basename(path)], {
        cwd: dirname(path),
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", NO_COLOR: "1" },
      });
      let [output, errors] = ["", ""];
      process_.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      process_.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
      const cancelling = token.onCancellationRequested(() => process_.kill());
      process_.once("error", reject);
      process_.once("close", () => {
        cancelling.dispose();
        const tested = testedIn(output, dirname(path));
        if (tested === undefined)
          reject(new Error(errors.trim().replace(/^configc: /gm, "") || "The tests couldn't be run."));
        else resolve(tested);
      });
    });
}

function testedIn(output: string, folder: string): Tested | undefined {
  try {
    const { files } = JSON.parse(output) as { readonly files: readonly Tested[] };
    const [file] = files;
    return file === undefined ? undefined : { ...file, config: join(folder, file.config) };
  } catch {
    return undefined;
  }
}
