// Keeps what V8 makes of the command, so that it needn't be compiled at each start (packages/cli/bin/load.js).
// It checks the templates first, twice: functions that a check runs are then in the cache too, with and without known findings.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../packages/cli/bin/load.js";

const { main, saveCaches } = load(false);
const templates = fileURLToPath(new URL("../packages/cli/templates", import.meta.url));
const results = mkdtempSync(join(tmpdir(), "configc-build-"));
process.env["CONFIGC_CACHE_DIR"] = results;
for (let run = 0; run < 2; run++) await main(["check", "--no-config", "--format", "pretty", templates]);
rmSync(results, { recursive: true });
saveCaches(writeFileSync);
// It would be refused if a flag of the engine were another one than at the start.
if (!load().isCached()) throw new Error("V8 refuses the code cache that was just made.");
process.exitCode = 0;
