// Keeps what V8 makes of the command, so that it needn't be compiled at each start (packages/cli/bin/load.js).
// It keeps the functions that checks of the templates have run, of the examples, and of the tests' right configs, which are as rich as what
// people write. Each is checked twice: with and without known findings.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { load } from "../packages/cli/bin/load.js";

// Functions that haven't run for a while would be left out.
setFlagsFromString("--no-flush-bytecode");
const { main, saveCaches } = load(false);
// Each run listens for closed pipes.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
const results = mkdtempSync(join(tmpdir(), "configc-build-"));
process.env["CONFIGC_CACHE_DIR"] = results;
// One at a time: for many files the command sets other flags, and V8 refuses what was kept with those.
for (const path of configs()) {
  for (let run = 0; run < 2; run++) await main(["check", "--no-config", "--format", "pretty", path]);
}
rmSync(results, { recursive: true });
setFlagsFromString("--flush-bytecode");
saveCaches(writeFileSync);
// It would be refused if a flag of the engine were another one than at the start.
if (!load().isCached()) throw new Error("V8 refuses the code cache that was just made.");
process.exitCode = 0;

function configs() {
  return ["packages/cli/templates", "examples", "test/right/configs"].flatMap((name) => {
    const folder = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".app.json"));
    return paths.map((path) => join(folder, path));
  });
}
