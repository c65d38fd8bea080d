import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isGlob, type Matcher, operandGlob } from "../glob/matcher.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { discover } from "./discover.ts";
import { failureOf } from "./failure.ts";
import type { Failure, Found, Source } from "./source.ts";

/**
 * Finds what is to be checked: files as they are, folders and globs by looking through them. Without an operand, the current
 * folder.
 *
 * @param stdin what the operand `-` stands for
 * @param wanted other files than configs, looked for in folders
 */
export function findSources(
  operands: readonly string[],
  settings: SettingsFinder,
  stdin: Pick<Source, "path" | "content"> | undefined,
  wanted?: Matcher,
): Found {
  const sources = new Map<string, Source>();
  const failures: Failure[] = [];
  const folders: string[] = [];
  const add = (source: Source): void => {
    if (!sources.has(source.absolute)) sources.set(source.absolute, source);
  };
  const search = (path: string, matches?: Matcher): number => {
    const found = discover(path, settings, matches);
    for (const source of found.sources) add(source);
    failures.push(...found.failures);
    folders.push(...found.folders);
    return found.sources.length;
  };
  for (const operand of operands.length === 0 ? [""] : operands) {
    if (operand === "-") {
      if (stdin !== undefined) add({ ...stdin, absolute: resolve(stdin.path) });
      continue;
    }
    const path = operand === "" ? "." : operand;
    let isFolder: boolean;
    try {
      isFolder = statSync(path).isDirectory();
    } catch (error) {
      if (!isGlob(operand)) failures.push(failureOf(operand, error));
      else {
        const { base, matches } = operandGlob(operand);
        if (!existsSync(base || ".") || search(base, matches) === 0)
          failures.push({ path: operand, message: "no file matches" });
      }
      continue;
    }
    if (isFolder) search(operand, wanted);
    else add({ path: operand, absolute: resolve(operand) });
  }
  return { sources: [...sources.values()], failures, folders };
}
