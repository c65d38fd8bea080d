#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";

const entry = new URL("../dist/main.js", import.meta.url);
if (existsSync(entry)) {
  // Newer versions of Node keep compiled code between runs.
  module.enableCompileCache?.();
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write("configc isn't built yet: run `npm run build` in its repository first.\n");
  process.exitCode = 2;
}
