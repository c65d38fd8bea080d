import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** jq's own cases, kept beside the repository; absent on a fresh clone. */
const folder = fileURLToPath(new URL("../../../../../shared/conformance/", import.meta.url));

export interface ConformanceCase {
  readonly file: string;
  readonly program: string;
  /** The program must not compile. */
  readonly fails: boolean;
  readonly input: string;
  readonly outputs: readonly string[];
}

export const conformanceMissing = !existsSync(folder);

export function conformanceCases(): readonly ConformanceCase[] {
  if (conformanceMissing) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".test"))
    .flatMap((file) =>
      readFileSync(folder + file, "utf8")
        .split(/\n[ \t]*\n/)
        .map((block) => block.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")))
        .filter((lines) => lines.length > 0)
        .map(([first, second, ...rest]) => {
          const fails = first!.startsWith("%%FAIL");
          return fails
            ? { file, fails, program: second!, input: "", outputs: [] }
            : { file, fails, program: first!, input: second!, outputs: rest };
        }),
    );
}
