#!/usr/bin/env node
// The command itself is built into ../dist; see load.js.
import { isBuilt, load } from "./load.js";

if (isBuilt()) {
  process.exitCode = await load().main(process.argv.slice(2));
} else {
  process.stderr.write("configc isn't built yet: run `npm run build` in its repository first.\n");
  process.exitCode = 2;
}
