import type { VerbSpec } from "../../command-line/verb.ts";
import { textOrJson } from "./options.ts";

export const explain: VerbSpec = {
  name: "explain",
  summary: "Explains a rule: why it matters, what to do, examples",
  operands: "RULE",
  atLeast: 1,
  atMost: 1,
  completes: "rules",
  details: [],
  options: [textOrJson],
  examples: { "configc explain structure/unknown-member": "Prints the page of a rule." },
  exit: { 0: "the rule was explained", 2: "there is no such rule" },
  load: async () => (await import("../modules.ts")).explain,
};
