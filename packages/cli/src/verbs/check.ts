import { checkOptions } from "../check/options.ts";
import { checkOnce } from "../check/run.ts";
import type { Arguments } from "../command-line/arguments.ts";

export async function run(args: Arguments): Promise<number> {
  const options = checkOptions(args);
  if (!options.watch) return checkOnce(options);
  const { watch } = await import("../check/watch.ts");
  return watch(options);
}
