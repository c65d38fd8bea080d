import type { VerbSpec } from "../../command-line/verb.ts";

export const graph: VerbSpec = {
  name: "graph",
  summary: "Draws an app: intakes, workflows, hosts and saved values",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "mermaid is for Markdown on GitHub and GitLab, dot is for Graphviz, and svg is a standalone picture that follows light or dark mode. Data flows from left to right.",
  ],
  options: [
    {
      name: "format",
      value: "FORMAT",
      choices: ["mermaid", "dot", "svg"],
      summary: "mermaid (default), dot or svg.",
    },
    {
      name: "workflow",
      value: "NAME",
      summary: "Draw only this workflow and what belongs to it.",
    },
    {
      name: "output",
      value: "FILE",
      completes: "files",
      summary: "Write to FILE instead of standard output.",
    },
  ],
  examples: {
    "configc graph shop.app.json --format svg --output shop.svg": "Draws a picture.",
    "configc graph shop.app.json >> README.md": "Appends a flowchart. Put it between Mermaid fences.",
  },
  exit: { 0: "the graph was drawn", 2: "wrong usage, or a file that can't be read or written" },
  load: async () => (await import("../modules.ts")).graph,
};
