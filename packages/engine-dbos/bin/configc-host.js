#!/usr/bin/env node
// Until the command hears it itself: the first process of a container wouldn't hear it at all. While it loads, nothing has begun. The listener stays, for a
// signal that comes while modules are evaluated is only told of afterwards, and lost if nobody listens for a moment in between.
let status = { SIGTERM: 0, SIGINT: 0 };
const early = (signal) => {
  if (process.listenerCount(signal) === 1) process.exit(process.exitCode ?? status[signal]);
};
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, early);
const { main } = await import("../dist/command.js");
status = { SIGTERM: 143, SIGINT: 130 };

process.exitCode = await main(process.argv.slice(2));
// What it was cut off from (a platform that never answers) mustn't keep it: others go on with that.
setTimeout(() => process.exit(), 1_000).unref();
