import { type Json, printExact, RunError } from "@configc/runtime";
import { savedFailures, savedRunOf } from "../../stories/index.ts";
import { print } from "../output.ts";
import { UsageError, type Verb } from "../usage.ts";
import { withDatabase } from "./database.ts";
import { moment } from "./words.ts";

export const savedRunVerb: Verb = {
  name: "saved-run",
  operands: [],
  optional: ["INSTALLATION", "POINTER"],
  summary: "print a failed run as a file that can be replayed, or list those that are kept",
  help: `Workers keep them with \`savedFailures\` in the configuration. Of an installation the newest is printed, or that of the command at POINTER:
\`configc-host saved-run i-7 > run.json\`, then \`configc run CONFIG POINTER --replay run.json\`, \`configc debug CONFIG --replay run.json\` or the editor. The config is that of the version that failed.`,
  async run(args, environment) {
    const [installation, node] = args.operands;
    await withDatabase(args, environment, async ({ database, vault }) => {
      if (installation === undefined) {
        const found = await savedFailures(database);
        if (args.json) return print(JSON.stringify(found, undefined, 2));
        for (const one of found)
          print(`${moment(one.at)}  ${one.app}/${one.installation}  ${one.kind} at ${one.node}`);
        if (found.length === 0) print("No run is kept as a file.");
        return;
      }
      if (vault === undefined)
        throw new UsageError(
          "Saved runs are sealed: set CONFIGC_KEY or CONFIGC_KEY_FILE, as the workers have it.",
        );
      const saved = await savedRunOf(database, vault, installation, node);
      if (saved === undefined)
        throw new RunError("NotFound", `No run of \`${installation}\` is kept as a file.`, undefined);
      print(printExact(saved as unknown as Json));
    });
    return 0;
  },
};
