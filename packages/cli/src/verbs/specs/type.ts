import type { VerbSpec } from "../../command-line/verb.ts";
import { textOrJson } from "./options.ts";

export const type: VerbSpec = {
  name: "type",
  summary: "Prints the types of a command's input and output",
  operands: "FILE NODE",
  atLeast: 2,
  atMost: 2,
  completes: "files",
  details: [
    "NODE is a JSON Pointer (/workflows/0/setup) or a dotted path of names (workflows.NAME.data_pipeline.source). Quote a name with dots; otherwise the longest declared name wins. If NODE isn't a command, the commands in it are printed.",
    "unknown is any value, … means that there may be more members, and ? marks a member that may be absent.",
    "Lines below an output say where its parts come from: string <- .items[].name <- GET /items <- 14 samples. For samples see docs/types.md.",
  ],
  options: [textOrJson],
  examples: {
    "configc type shop.app.json workflows.import-orders.data_pipeline":
      "Prints the types of source and target.",
  },
  exit: { 0: "the types were printed", 2: "wrong usage, no such node, or a file that can't be read" },
  load: async () => (await import("../modules.ts")).type,
};
