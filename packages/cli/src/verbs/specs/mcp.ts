import type { VerbSpec } from "../../command-line/verb.ts";

export const mcp: VerbSpec = {
  name: "mcp",
  summary: "Serves checking, types, runs and simulations to coding agents",
  operands: "[FOLDER]",
  atMost: 1,
  completes: "folders",
  details: [
    "Speaks the Model Context Protocol on standard input and output. FOLDER is the workspace, by default the current folder. Agents can't read or write anything outside it, and can't send requests unless you allow it.",
  ],
  options: [
    { name: "read-only", summary: "Don't offer the tool that writes fixes into files." },
    {
      name: "allow-network",
      summary:
        "Let run_recorded send real requests if there is no recording. Requests to this machine and to private networks stay refused.",
    },
  ],
  examples: { "configc mcp configs": "Agents start this by their settings: see docs/agents.md." },
  exit: { 0: "the client ended it", 2: "wrong usage, or FOLDER can't be opened" },
  load: () => import("../mcp.ts"),
};
