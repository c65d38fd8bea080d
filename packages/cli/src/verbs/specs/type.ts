import type { VerbSpec } from "../../command-line/verb.ts";
import { textOrJson } from "./options.ts";

export const type: VerbSpec = {
  name: "type",
  summary: "Prints what a command takes and gives, as far as it is known",
  operands: "FILE NODE",
  atLeast: 2,
  atMost: 2,
  completes: "files",
  details: [
    "NODE is a JSON Pointer (/workflows/0/setup) or a dotted path of names (workflows.NAME.data_pipeline.source). A name with dots is quoted; unquoted, the longest declared name wins. If NODE is no command, the commands in it are printed.",
    "unknown is anything, … stands for further members that there may be, ? for a member that may be absent.",
    "Below an output stands where its parts come from: string <- .items[].name <- GET /items <- 14 samples. docs/types.md tells of samples.",
  ],
  options: [textOrJson],
  examples: {
    "configc type shop.app.json workflows.import-orders.data_pipeline":
      "Prints the types of source and target.",
  },
  exit: { 0: "the types were printed", 2: "wrong usage, no such node, or a file that can't be read" },
  load: async () => (await import("../modules.ts")).type,
};
