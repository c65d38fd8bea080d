import type { VerbSpec } from "../../command-line/verb.ts";

export const mcp: VerbSpec = {
  name: "mcp",
  summary: "Serves checking, types, runs and simulations to coding agents",
  operands: "[FOLDER]",
  atMost: 1,
  completes: "folders",
  details: [
    "Speaks the Model Context Protocol on standard input and output. FOLDER is the workspace, by default the current folder: nothing outside of it is read or written by an agent's wish, and nothing is sent unless you allow it.",
  ],
  options: [
    { name: "read-only", summary: "Leave out the tool that writes fixes into files." },
    {
      name: "allow-network",
      summary:
        "Let run_recorded send real requests where no recording is given. Requests to this machine and to private networks stay refused.",
    },
  ],
  examples: { "configc mcp configs": "What an agent's settings start: see docs/agents.md." },
  exit: { 0: "the client ended it", 2: "wrong usage, or FOLDER can't be opened" },
  load: () => import("../mcp.ts"),
};
