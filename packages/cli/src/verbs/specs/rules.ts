import type { VerbSpec } from "../../command-line/verb.ts";
import { textOrJson } from "./options.ts";

export const rules: VerbSpec = {
  name: "rules",
  summary: "Lists the rules with their levels",
  operands: "",
  atMost: 0,
  details: [],
  options: [textOrJson],
  examples: { "configc rules": "Lists every rule.", "configc rules --format json": "The same for programs." },
  exit: { 0: "always" },
  load: async () => (await import("../modules.ts")).rules,
};
