// Keeps what V8 makes of the command, so that it needn't be compiled at each start (packages/cli/bin/load.js).
// It checks the templates first: functions that a check runs are then in the cache too.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cacheFile, compile, run } from "../packages/cli/bin/load.js";

const script = compile();
const templates = fileURLToPath(new URL("../packages/cli/templates", import.meta.url));
await run(script).main(["check", "--no-config", "--format", "pretty", templates]);
writeFileSync(cacheFile, script.createCachedData());
process.exitCode = 0;
