#!/usr/bin/env node
// What comes before the command can hear it, for loading that takes a moment: nothing has begun by then. The first process of a container
// wouldn't hear it at all.
const early = () => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, early);
const { main } = await import("../dist/command.js");
for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, early);

process.exitCode = await main(process.argv.slice(2));
// What it was cut off from (a platform that never answers) mustn't keep it: others go on with that.
setTimeout(() => process.exit(), 1_000).unref();
