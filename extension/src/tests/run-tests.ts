import { spawn } from "node:child_process";
import { dirname } from "node:path";
import type { CancellationToken } from "vscode";

/** What `configc test --format json` tells of a case. */
export interface TestedCase {
  readonly name: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly reasons?: readonly string[];
  /** Lines: `- ` expected, `+ ` given. */
  readonly diff?: readonly string[];
}

/** Runs the cases of a test file. */
export type RunTests = (path: string, token: CancellationToken) => Promise<readonly TestedCase[]>;

/**
 * Runs them by the same program that CI runs: with recorded answers, without a network.
 *
 * @param module the server's program, which knows the verb `test` too
 */
export function testsInProcess(module: string): RunTests {
  return (path, token) =>
    new Promise((resolve, reject) => {
      const process_ = spawn(process.execPath, [module, "test", path], {
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
        const cases = casesIn(output);
        if (cases === undefined) reject(new Error(errors.trim() || "The tests couldn't be run."));
        else resolve(cases);
      });
    });
}

function casesIn(output: string): readonly TestedCase[] | undefined {
  try {
    const { files } = JSON.parse(output) as {
      readonly files: readonly { readonly cases: readonly TestedCase[] }[];
    };
    return files.length === 0 ? undefined : files.flatMap(({ cases }) => cases);
  } catch {
    return undefined;
  }
}
