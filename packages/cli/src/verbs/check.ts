import { checkOptions } from "../check/options.ts";
import { checkOnce } from "../check/run.ts";
import { watch } from "../check/watch.ts";
import type { Arguments } from "../command-line/arguments.ts";

export function run(args: Arguments): Promise<number> {
  const options = checkOptions(args);
  return options.watch ? watch(options) : checkOnce(options);
}
