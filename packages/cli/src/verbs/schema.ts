import { exportSchema } from "@configc/compiler";
import { print } from "../terminal/output.ts";

export function run(): number {
  print(`${JSON.stringify(exportSchema(), null, 2)}\n`);
  return 0;
}
