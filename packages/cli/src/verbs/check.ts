import { checkOptions } from "../check/options.ts";
import { checkOnce } from "../check/run.ts";
import type { Arguments } from "../command-line/arguments.ts";

export async function run(args: Arguments): Promise<number> {
  const options = checkOptions(args);
  return options.watch ? (await import("./modules.ts")).watch(options) : checkOnce(options);
}
