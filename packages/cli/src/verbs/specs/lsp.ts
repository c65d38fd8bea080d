import type { VerbSpec } from "../../command-line/verb.ts";

export const lsp: VerbSpec = {
  name: "lsp",
  summary: "Starts the language server",
  operands: "",
  atMost: 0,
  details: ["Speaks the Language Server Protocol on standard input and output."],
  options: [{ name: "stdio", summary: "Talk over standard input and output. This is the only transport." }],
  examples: { "configc lsp --stdio": "Editors start this." },
  exit: { 0: "the client ended it", 1: "the connection broke" },
  load: () => import("../lsp.ts"),
};
