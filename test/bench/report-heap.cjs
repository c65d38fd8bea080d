// Preloaded into the server that `memory.ts` measures: on SIGUSR2 it collects what is garbage and writes the heap in use, in bytes, to descriptor 3.
const { writeSync } = require("node:fs");
const v8 = require("node:v8");
const { runInNewContext } = require("node:vm");

process.on("SIGUSR2", () => {
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  writeSync(3, `${process.memoryUsage().heapUsed}\n`);
});
