import type { VerbSpec } from "../../command-line/verb.ts";

export const schema: VerbSpec = {
  name: "schema",
  summary: "Prints the JSON Schema of configs, for editors without a language server",
  operands: "",
  atMost: 0,
  details: [
    "A JSON Schema (draft-07) covers structure only. “configc check” and the language server also check references, expansions and programs.",
  ],
  options: [],
  examples: { "configc schema > app.schema.json": "Writes the schema to a file." },
  exit: { 0: "always" },
  load: async () => (await import("../modules.ts")).schema,
};
