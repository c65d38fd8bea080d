#!/usr/bin/env node
// The command itself is built into ../dist; see load.js.
const { isBuilt, load } = require("./load.js");

if (isBuilt()) {
  void load()
    .main(process.argv.slice(2))
    .then((status) => {
      process.exitCode = status;
    });
} else {
  process.stderr.write("configc isn't built yet: run `npm run build` in its repository first.\n");
  process.exitCode = 2;
}
