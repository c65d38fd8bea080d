#!/usr/bin/env node
import { main } from "../dist/command.js";

process.exitCode = await main(process.argv.slice(2));
// What it was cut off from (a platform that never answers) mustn't keep it: others go on with that.
setTimeout(() => process.exit(), 1_000).unref();
