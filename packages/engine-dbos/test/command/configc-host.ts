// `configc-host` from its sources, as its bin does it. Without arguments it does nothing: it has only been bundled.
import { main } from "../../src/command.ts";

const args = process.argv.slice(2);
if (args.length > 0) {
  process.exitCode = await main(args);
  setTimeout(() => process.exit(), 1_000).unref();
}
