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

/** A place of a config; lines and columns count from 1. */
export interface Place {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface Share {
  readonly covered: number;
  readonly total: number;
}

/** What of a config ran. */
export interface TestedCoverage {
  /** The keys of commands. */
  readonly commands: Share & {
    readonly places: readonly { readonly pointer: string; readonly ran: boolean; readonly range: Place }[];
  };
  readonly switchCases: Share;
  /** `missing`: those that were never taken, with what is written there. */
  readonly jqBranches: Share & {
    readonly missing: readonly {
      readonly pointer: string;
      readonly branch: string;
      readonly text: string;
      readonly range?: Place;
    }[];
  };
}

/** What is told of a test file. */
export interface Tested {
  /** Path of its config. */
  readonly config: string;
  readonly cases: readonly TestedCase[];
  /** Where it was asked for. */
  readonly coverage?: TestedCoverage;
}

/** Runs the cases of a test file, and tells with `covers` what of the config ran. @throws Error where it can't be run: with what is wrong with it */
export type RunTests = (path: string, token: CancellationToken, covers?: boolean) => Promise<Tested>;

/**
 * Runs them by the same program that CI runs: with recorded answers, without a network.
 *
 * @param module the server's program, which knows the verb `test` too
 */
export function testsInProcess(module: string): RunTests {
  return (path, token, covers = false) =>
    new Promise((resolve, reject) => {
      const process_ = spawn(process.execPath, [module, covers ? "test-coverage" : "test", basename(path)], {
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
    const { files, coverage = {} } = JSON.parse(output) as {
      readonly files: readonly Tested[];
      readonly coverage?: Readonly<Record<string, TestedCoverage>>;
    };
    const [file] = files;
    if (file === undefined) return undefined;
    const covered = coverage[file.config];
    return {
      ...file,
      config: join(folder, file.config),
      ...(covered === undefined ? {} : { coverage: covered }),
    };
  } catch {
    return undefined;
  }
}
