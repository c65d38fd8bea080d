// A newcomer's path from the packed command to a published app, step by step. Usage: npm run new-user
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { steps } from "./steps.mjs";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "configc-new-user-")));
let name = "";
try {
  for (const step of steps(folder)) {
    name = step.name;
    const started = performance.now();
    const shown = step.run();
    console.log(`✓ ${name}: ${shown} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
} catch (error) {
  console.error(`✗ ${name}\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
