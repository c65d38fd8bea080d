import { checkOptions } from "../check/options.ts";
import { checkOnce } from "../check/run.ts";
import type { Arguments } from "../command-line/arguments.ts";

export async function run(args: Arguments): Promise<number> {
  const options = checkOptions(args);
  const load = () => import("./modules.ts");
  return options.watch ? (await load()).watch(options) : checkOnce(options, load);
}
