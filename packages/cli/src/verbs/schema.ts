import { exportSchema } from "@configc/compiler";
import { dialectOf } from "@configc/compiler/internal";
import { nearestSettings } from "../settings/nearest.ts";
import { print } from "../terminal/output.ts";

/** The schema of configs, in the dialect that the settings of the current folder choose (D44). */
export function run(): number {
  const { dialect = {} } = nearestSettings().ofFolder(process.cwd())?.compiler ?? {};
  print(`${JSON.stringify(exportSchema(dialectOf({ dialect })), null, 2)}\n`);
  return 0;
}
