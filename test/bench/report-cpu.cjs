// Preloaded into the processes that `processes.ts` measures: writes their CPU time, microseconds of all threads, to descriptor 3.
const { writeSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread)
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, `${user + system}`);
  });
